/** Errors of another copy of the library: a module may import another copy than its program. */
import assert from "node:assert/strict";
import { FakeClock } from "../testing/fake_clock.ts";
import { ApiServer, clientOf } from "../testing/mod.ts";
import { PUBLIC_DOORS } from "../../tests/support/packaging/packages.ts";
import { watchFailure } from "../cache/watch/watch_failure.ts";
import { LeadershipLostError } from "./leader_election/leadership_lost_error.ts";
import { createManager } from "./manager.ts";

type ErrorClass = { new (...args: unknown[]): Error };
type Errors = Readonly<Record<string, ErrorClass>>;

/** The public error classes of the library. */
const CLASSES: readonly (readonly [file: string, names: readonly string[]])[] = [
  ["../cache/readers/cache_read_error.ts", ["CacheReadError"]],
  ["../cache/store/index_error.ts", ["IndexError"]],
  ["../client/calls/request_limiter.ts", ["RateLimitedError"]],
  ["../client/config/config.ts", ["ConfigError"]],
  ["../client/discovery/rest_mapping_error.ts", ["AmbiguousResourceError", "NoMatchError"]],
  ["../client/errors/api_error.ts", ["ApiError"]],
  [
    "../client/errors/decode_error.ts",
    ["AnswerTooLargeError", "DecodeError", "FrameTooLargeError"],
  ],
  [
    "../client/errors/unreachable_error.ts",
    ["IdleTimeoutError", "StreamBrokenError", "UnreachableError"],
  ],
  ["../client/subresources/wait.ts", ["WaitTimeoutError"]],
  ["../client/transport/dial.ts", ["UpgradeRefused"]],
  ["../controller/children/child_ownership.ts", ["ForeignChildError"]],
  ["../controller/definition/retry_after_error.ts", ["RetryAfterError"]],
  ["../controller/definition/terminal_error.ts", ["TerminalError"]],
  ["../controller/operator/resource_check.ts", ["ResourceMismatchError"]],
  ["../controller/sources/cache_sync.ts", ["CacheSyncError"]],
  ["../project/deploy/cluster_run.ts", ["ClusterError"]],
  ["../project/project.ts", ["ProjectError"]],
  ["../resource/definition/definition_error.ts", ["ResourceDefinitionError"]],
  ["../resource/evolution/read_definitions.ts", ["DefinitionError"]],
  ["../resource/schema/schema_error.ts", ["SchemaError"]],
  ["../resource/scheme/scheme_error.ts", ["SchemeError"]],
  ["../resource/validation/conversion_error.ts", ["ConversionError"]],
  ["../testing/plane/control_plane_assets.ts", ["ControlPlaneUnavailable"]],
  ["../webhook/admission/denial.ts", ["DenialError"]],
  ["./leader_election/leadership_lost_error.ts", ["LeadershipLostError"]],
  ["./runnable_error.ts", ["RunnableError"]],
  ["./setup/missing_right_error.ts", ["MissingRightError"]],
];

/** Returns the members of a module: of the copy that this program uses, or of another. */
async function load(file: string, copy: "own" | "other"): Promise<Errors> {
  return await import(new URL(copy === "own" ? file : `${file}?copy`, import.meta.url).href);
}

/** The arguments of the constructors that need others than a text and an object. */
const ARGUMENTS: Readonly<Record<string, unknown[]>> = {
  AmbiguousResourceError: ["web", []],
  ApiError: [{ status: {} }],
  CacheSyncError: ["a", 1, []],
  ConversionError: ["a", {}],
  DenialError: ["a"],
  IndexError: ["a", "b", new Error("c")],
  MissingRightError: [[]],
  ResourceDefinitionError: ["a", ["b"]],
  RetryAfterError: ["a", { delayMs: 1 }],
  SchemaError: [[]],
  UpgradeRefused: [new Response()],
};

/** Creates an error of the class that has a name in the library. */
function errorOf(type: ErrorClass, name: string): Error {
  return new type(...ARGUMENTS[name] ?? ["a", { server: "", suggestions: [], failures: [] }]);
}

for (const [file, names] of CLASSES) {
  for (const name of names) {
    Deno.test(`errors: instanceof recognizes a ${name} of another copy of the library`, async () => {
      const [own, other] = [(await load(file, "own"))[name]!, (await load(file, "other"))[name]!];
      assert.notEqual(own, other);
      assert(errorOf(other, name) instanceof own);
      assert(errorOf(own, name) instanceof other);
      assert(!(new Error("a") instanceof own));
      class Derived extends own {}
      assert(errorOf(Derived, name) instanceof other);
      assert(!(errorOf(other, name) instanceof Derived));
      assert.deepEqual(Object.keys(errorOf(own, name)).filter((key) => key.includes("xca")), []);
    });
  }
}

Deno.test("errors: instanceof recognizes each public error class of another copy of the library", async () => {
  const listed = new Set(CLASSES.flatMap(([, names]) => names));
  const missing = new Set<string>();
  for (const door of PUBLIC_DOORS.values()) {
    const members = await import(new URL(`../../${door}`, import.meta.url).href);
    for (const [name, member] of Object.entries<{ readonly prototype?: unknown }>(members)) {
      if (member?.prototype instanceof Error && !listed.has(name)) missing.add(name);
    }
  }
  assert.deepEqual([...missing], [], "call markClass() and add the class to CLASSES");
});

Deno.test("manager: a runnable that fails with the lost lease of another copy of the library ends the manager with that error", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const { LeadershipLostError: Other } = await load(
    "./leader_election/leadership_lost_error.ts",
    "other",
  );
  const lost = new Other!("shop/web", "another replica holds the lease");
  const manager = createManager({ client, clock: new FakeClock() });
  manager.add({ name: "leader work", group: "others", run: () => Promise.reject(lost) });
  await assert.rejects(manager.run(), (error) => {
    assert.equal(error, lost);
    assert(error instanceof LeadershipLostError);
    return true;
  });
});

Deno.test("an informer judges a watch that broke in a client of another copy of the library as its own", async () => {
  const errors = await load("../client/errors/unreachable_error.ts", "other");
  const refused = new errors.UnreachableError!("a", { server: "", neverSent: true });
  assert.deepEqual(watchFailure(refused), { kind: "network", error: refused, tolerated: true });
  const cut = new errors.StreamBrokenError!("watch", "a");
  assert.equal(watchFailure(cut).kind, "cut");
});
