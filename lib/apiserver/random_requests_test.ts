/**
 * Sends random requests, most of them nearly valid: the server must answer each like an API server
 * and stay available.
 */
import assert from "node:assert/strict";
import { ResourceTable } from "./resources/resource_table.ts";
import type { ApiResource } from "./machinery/resource.ts";
import { EVERY_KIND } from "../../tests/conformance/kinds/every_kind_bodies.ts";
import { isMap } from "@xca/apimachinery/internal/values";
import { Chance, ODD_NAMES } from "./random_values_test.ts";
import { PatientServer } from "./server_fakes_test.ts";
import { parseYaml } from "./decode/yaml.ts";
import type { BuiltinType } from "./types/builtin_type.ts";

const METHODS = [
  "GET",
  "POST",
  "POST",
  "PUT",
  "PUT",
  "PATCH",
  "PATCH",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
];
const PATCHES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];
const TYPES = [
  ...["application/json", "application/yaml", "application/yaml"],
  ...["application/vnd.kubernetes.protobuf", "", "text/plain", ";", "*/*"],
];
const ACCEPTED = [
  ...["", "application/json", "application/yaml", "*/*", "application/*;q=x", "text/html", ",;="],
  ...["Table", "PartialObjectMetadata", "PartialObjectMetadataList", "constructor"].map((as) =>
    `application/json;as=${as};v=v1;g=meta.k8s.io`
  ),
];
const QUERY: Readonly<Record<string, readonly string[]>> = {
  watch: ["1", "0", "true", "x"],
  limit: ["1", "-1", "x", "9223372036854775807", "9223372036854775808"],
  continue: ["x", "e30", "W10", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOnt9fQ"],
  resourceVersion: ["0", "1", "2", "-1", "x", "1e3", "18446744073709551616", "99999999"],
  resourceVersionMatch: ["Exact", "NotOlderThan", "x"],
  labelSelector: ["a=b", "a in (b,", "!a", "a>1", "__proto__", "constructor=x", "="],
  fieldSelector: ["metadata.name=a", "__proto__=a", "spec.x=1", "a==b\\", ","],
  timeoutSeconds: ["1", "0", "-1", "x", "9223372036854775807"],
  sendInitialEvents: ["true", "x"],
  allowWatchBookmarks: ["true"],
  dryRun: ["All", "x"],
  fieldManager: ["m", "", "\n", "x".repeat(200)],
  fieldValidation: ["Strict", "Ignore", "Warn", "x"],
  force: ["true", "x"],
  propagationPolicy: ["Orphan", "Foreground", "Background", "x"],
  gracePeriodSeconds: ["0", "-1", "x", "99999999999"],
  orphanDependents: ["true", "false"],
  pretty: ["true", "x"],
  includeObject: ["None", "Object", "Metadata", "x"],
  ignoreStoreReadErrorWithClusterBreakingPotential: ["true"],
  timeout: ["1s", "x"],
};

/** A kind of the server for random requests, and a minimal object of it. */
interface Kind {
  readonly row: ApiResource;
  readonly body: (name: string, namespace: string) => Record<string, unknown>;
}

const FOO = {
  group: "example.com",
  version: "v1",
  plural: "foos",
  kind: "Foo",
  namespaced: true,
  verbs: ["get", "list", "create", "update", "patch", "delete", "deletecollection", "watch"],
  subresources: [{ name: "status" }, { name: "scale" }],
  customResourceDefinition: "foos.example.com",
} as unknown as ApiResource;

const TABLE = ResourceTable.builtin();
const KINDS: readonly Kind[] = [
  { row: FOO, body: () => ({ spec: { a: 1 } }) },
  ...EVERY_KIND.map(({ apiVersion, resource, body }) => {
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    return { row: TABLE.find(group, version, resource)!, body };
  }),
];
const COMMON = ["foos", "configmaps", "pods", "deployments", "services", "secrets"];

/** A generator of random requests for the content of a server. */
class Requests {
  readonly #chance: Chance;
  readonly #kinds: readonly Kind[];

  constructor(chance: Chance) {
    this.#chance = chance;
    this.#kinds = [
      ...chance.shuffled(KINDS).slice(0, 4),
      ...chance.shuffled(KINDS.filter(({ row }) => COMMON.includes(row.plural))).slice(0, 2),
    ];
  }

  /** Returns requests that create the objects `a` and `b` of each kind that allows these names. */
  first(): Request[] {
    const headers = { "Content-Type": "application/json" };
    return this.#kinds.flatMap((kind) =>
      ["a", "b"].map((name) => {
        const body = JSON.stringify({ ...this.#base(kind, name), metadata: { name } });
        return new Request(pathOf(kind.row), { method: "POST", headers, body });
      })
    );
  }

  next(): Request {
    const chance = this.#chance;
    const kind = chance.pick(this.#kinds);
    const method = chance.pick(METHODS);
    const headers = new Headers();
    const type = chance.happens(0.1)
      ? chance.pick(TYPES)
      : method === "PATCH"
      ? chance.pick(PATCHES)
      : "application/json";
    if (type !== "") headers.set("Content-Type", type);
    const accept = chance.happens(0.8) ? "" : chance.pick(ACCEPTED);
    if (accept !== "") headers.set("Accept", accept);
    const hasBody = ["POST", "PUT", "PATCH"].includes(method) ||
      method === "DELETE" && chance.happens(0.2);
    return new Request(`${this.#path(kind.row, method)}${this.#query()}`, {
      method,
      headers,
      ...(hasBody && { body: this.#body(kind, type) }),
    });
  }

  #path(row: ApiResource, method: string): string {
    const chance = this.#chance;
    const steps = [pathOf(row)];
    const hasName = method === "POST" ? 0.03 : method === "GET" ? 0.3 : 0.97;
    if (chance.happens(hasName)) {
      steps.push(chance.pick(["a", "a", "b", "default"]));
      const parts = row.subresources.map(({ name }) => name);
      if (chance.happens(0.2)) steps.push(chance.pick([...parts, ...parts, "x"]));
    }
    if (chance.happens(0.02)) steps.push(encodeURIComponent(chance.pick(ODD_NAMES)));
    const path = steps.join("/");
    if (chance.happens(0.97)) return path;
    const all = path.split("/");
    all[3 + chance.below(all.length - 3)] = encodeURIComponent(
      chance.pick([...ODD_NAMES, "watch"]),
    );
    return all.join("/");
  }

  #query(): string {
    const chance = this.#chance;
    if (chance.happens(0.5)) return "";
    const names = chance.several(3, () => chance.pick(Object.keys(QUERY)));
    return `?${new URLSearchParams(names.map((name) => [name, chance.pick(QUERY[name]!)]))}`;
  }

  #body(kind: Kind, type: string): Uint8Array<ArrayBuffer> {
    const chance = this.#chance;
    if (chance.happens(0.03)) return chance.bytes(40);
    const value = type === PATCHES[0] ? this.#operations() : this.#object(kind);
    const text = chance.happens(0.02) ? "[".repeat(20_000) : JSON.stringify(value);
    const bytes = new TextEncoder().encode(text);
    return chance.happens(0.05) ? chance.damaged(bytes) : bytes;
  }

  #operations(): unknown {
    const chance = this.#chance;
    const path = (): string =>
      chance.pick([
        ...["", "/", "/metadata", "/metadata/labels", "/metadata/labels/a", "/metadata/name"],
        ...["/spec", "/status", "/metadata/finalizers/-", "/metadata/managedFields", "/data/a"],
        ...["/metadata/managedFields/0/fieldsV1", "/__proto__/x", "/constructor/prototype"],
      ]);
    return chance.several(4, () => ({
      op: chance.pick(["add", "remove", "replace", "move", "copy", "test", "x"]),
      path: path(),
      ...(chance.happens(0.3) && { from: path() }),
      value: chance.happens(0.5) ? chance.json(2) : this.#metadata(),
    }));
  }

  #object(kind: Kind): unknown {
    const chance = this.#chance;
    if (chance.happens(0.03)) return chance.json();
    const base = this.#base(kind, "a");
    return {
      ...base,
      ...(chance.happens(0.6) && this.#changes(kind.row, base) as object),
      ...(chance.happens(0.05) && { apiVersion: chance.json(1) }),
      metadata: this.#metadata(),
    };
  }

  #changes(row: ApiResource, base: unknown): unknown {
    const chance = this.#chance;
    if (row.customResourceDefinition) return { spec: chance.json(), status: chance.json(2) };
    const type = row.schema() as BuiltinType;
    let changed = base;
    for (let times = chance.below(4); times >= 0; times--) changed = chance.changed(changed, type);
    return isMap(changed) ? changed : base;
  }

  #base({ row, body }: Kind, name: string): Record<string, unknown> {
    const apiVersion = row.group === "" ? row.version : `${row.group}/${row.version}`;
    return { apiVersion, kind: row.kind, ...structuredClone(body(name, "default")) };
  }

  #metadata(): unknown {
    const chance = this.#chance;
    if (chance.happens(0.02)) return chance.json();
    const name = chance.pick(["a", "b", "c", "default"]);
    const metadata: Record<string, unknown> = { name };
    const odd = <T>(value: T): unknown => chance.happens(0.05) ? chance.json(2) : value;
    if (chance.happens(0.1)) metadata.generateName = odd("g-");
    if (chance.happens(0.3)) metadata.labels = odd({ [chance.name()]: chance.pick(["x", "y"]) });
    if (chance.happens(0.2)) metadata.annotations = odd({ [chance.name()]: "x" });
    if (chance.happens(0.1)) {
      metadata.finalizers = odd([chance.pick(["x/y", "foregroundDeletion"])]);
    }
    if (chance.happens(0.1)) {
      metadata.ownerReferences = odd([
        { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: chance.pick(["x", ""]) },
      ]);
    }
    if (chance.happens(0.1)) metadata.resourceVersion = odd(chance.pick(["1", "0", "x", ""]));
    if (chance.happens(0.05)) metadata.uid = odd("x");
    if (chance.happens(0.05)) metadata.deletionTimestamp = odd("2020-01-01T00:00:00Z");
    if (chance.happens(0.2)) metadata.managedFields = odd(chance.several(2, () => this.#entry()));
    return metadata;
  }

  #entry(): unknown {
    const chance = this.#chance;
    const odd = <T>(value: T): unknown => chance.happens(0.1) ? chance.json(2) : value;
    return {
      manager: odd(chance.pick(["m", ""])),
      operation: odd(chance.pick(["Apply", "Update", "x"])),
      apiVersion: odd(chance.pick(["v1", "apps/v1", "x/y/z", ""])),
      fieldsType: odd(chance.pick(["FieldsV1", "x"])),
      fieldsV1: odd({
        [
          chance.pick([
            "f:metadata",
            "f:spec",
            "f:__proto__",
            ".",
            'k:{"name":"a"}',
            "v:1",
            "i:0",
            "x",
            "k:{",
          ])
        ]: chance
          .pick([{}, { "f:labels": { "f:a": {} } }, { 'k:{"port":1}': { ".": {} } }, null, 1]),
      }),
      time: odd("2020-01-01T00:00:00Z"),
      subresource: odd(chance.pick(["", "status"])),
    };
  }
}

function pathOf({ group, version, namespaced, plural }: ApiResource): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `https://server.invalid${root}${namespaced ? "/namespaces/default" : ""}/${plural}`;
}

/** The messages of errors that kube-apiserver, too, answers with 500. */
const FAILURES: readonly RegExp[] = [
  /strconv\.ParseUint/,
  /^resourceVersion should not be set on objects to be created$/,
  /^content is not a list$/,
  /does not contain declared merge key/,
  /^(unknown patch type|list element types are not identical|\$patch|\$setElementOrder)/,
  /^failed to (create typed|convert new object)/,
  /the spec replicas field .* does not exist$/,
  /^Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'$/,
  /no preferred addresses found/,
  /^target.name: Required value$/,
];

/** Checks that the response to a random request has the form of an API server's. */
async function check(request: Request, response: Response): Promise<void> {
  const type = response.headers.get("content-type") ?? "";
  if (response.status < 400 || request.method === "HEAD" || type.startsWith("text/plain")) {
    return await response.body?.cancel();
  }
  const text = await response.text();
  const status = type.startsWith("application/yaml") ? parseYaml(text).tree : JSON.parse(text);
  const { kind, code, message = "" } = status as { kind: string; code: number; message?: string };
  assert.equal(kind, "Status", text);
  assert.equal(code, response.status, text);
  if (code === 500) assert.ok(FAILURES.some((pattern) => pattern.test(message)), message);
}

Deno.test("a random request is answered as by an API server", async () => {
  const codes = new Map<number, number>();
  await Chance.runs(8, async (chance) => {
    using server = await PatientServer.start();
    const requests = new Requests(chance);
    const all = [...requests.first(), ...Array.from({ length: 200 }, () => requests.next())];
    for (const request of all) {
      const [{ method, url, headers }, body] = [request, await request.clone().text()];
      const response = await server.fetch(request);
      codes.set(response.status, (codes.get(response.status) ?? 0) + 1);
      try {
        await check(request, response);
      } catch (error) {
        const sent = `${method} ${url} ${headers.get("content-type")} ${body}`;
        throw new Error(`${(error as Error).message}\nof ${sent}`, { cause: error });
      }
    }
  });
  // Otherwise the run covers too little.
  for (const code of [200, 201, 400, 404, 409, 422]) assert.ok(codes.has(code), `no ${code}`);
});
