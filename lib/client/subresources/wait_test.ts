import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { ConfigMap, type UnstructuredObject } from "@xca/apimachinery/meta";
import { FakeClock } from "../../testing/fake_clock.ts";
import { ApiError, isForbidden } from "../errors/api_error.ts";
import type { Client } from "../typed/client.ts";
import type { ListOptions, WatchOptions } from "../calls/options.ts";
import { UnreachableError } from "../errors/unreachable_error.ts";
import { type WaitCondition, waitFor, WaitTimeoutError } from "./wait.ts";
import type { WatchEvent } from "../typed/watch_event.ts";

type Event = WatchEvent<UnstructuredObject>;
type WatchStep = (Event | Error)[] | Error;

function object(resourceVersion: string, more: object = {}): UnstructuredObject {
  return { metadata: { name: "a", namespace: "n", uid: "1", resourceVersion }, ...more };
}

const ready = (status: string, observedGeneration?: number): object => ({
  status: { conditions: [{ type: "Ready", status, observedGeneration }] },
});

function gone(): ApiError {
  return new ApiError({ status: { code: 410, reason: "Expired" } });
}

/** Returns a fake client that answers lists and watches by a script; later watches stay silent. */
function scripted(lists: (UnstructuredObject[] | Error)[], watches: WatchStep[] = []): {
  client: Pick<Client, "list" | "watch">;
  calls: string[];
} {
  const calls: string[] = [];
  const list = (_type: unknown, { fieldSelector }: ListOptions = {}): Promise<unknown> => {
    calls.push(`list ${fieldSelector}`);
    const step = lists.shift() ?? new Error("the lists are over");
    if (step instanceof Error) return Promise.reject(step);
    return Promise.resolve({ metadata: { resourceVersion: "10" }, items: step });
  };
  async function* watch(_type: unknown, options: WatchOptions = {}): AsyncGenerator<Event> {
    calls.push(`watch ${options.resourceVersion}`);
    const step = watches.shift();
    if (step instanceof Error) throw step;
    for (const event of step ?? []) {
      if (event instanceof Error) throw event;
      yield event;
    }
    if (step) return;
    await new Promise((_resolve, reject) => {
      options.signal!.addEventListener("abort", () => reject(options.signal!.reason), {
        once: true,
      });
    });
  }
  return { client: { list, watch } as unknown as Pick<Client, "list" | "watch">, calls };
}

function wait(
  { client }: ReturnType<typeof scripted>,
  condition: WaitCondition<UnstructuredObject>,
  clock: FakeClock,
  timeoutMs = 60_000,
): Promise<UnstructuredObject | undefined> {
  const random = seededRandom(1);
  return waitFor(client, ConfigMap, "n/a", condition, { clock, random, timeoutMs });
}

Deno.test("waitFor() reads first, then watches from that version, and resumes", async () => {
  const clock = new FakeClock();
  const script = scripted([[object("5")]], [
    [{ type: "MODIFIED", object: object("11") }, { type: "BOOKMARK", object: object("15") }],
    new UnreachableError("lost", { server: "https://api.example" }),
    [{ type: "MODIFIED", object: object("16", ready("True")) }],
  ]);
  const waiting = wait(script, "condition=ready", clock);
  await clock.advance(20_000);
  assert.equal((await waiting)?.metadata.resourceVersion, "16");
  const first = "list metadata.name=a";
  assert.deepEqual(script.calls, [first, "watch 10", "watch 15", "watch 15"]);
  assert.equal(clock.pending, 0);
});

Deno.test("waitFor() reads again when its version has expired", async () => {
  const clock = new FakeClock();
  const script = scripted([[], [object("30", ready("True"))]], [[gone()]]);
  const waiting = wait(script, "condition=Ready", clock);
  await clock.advance(5_000);
  assert.equal((await waiting)?.metadata.resourceVersion, "30");
  assert.deepEqual(script.calls, ["list metadata.name=a", "watch 10", "list metadata.name=a"]);
});

Deno.test("waitFor(): an object that was created again with another UID counts as deleted", async () => {
  const again = object("12");
  again.metadata.uid = "2";
  const script = scripted([[object("5")]], [[{ type: "MODIFIED", object: again }]]);
  assert.equal(await wait(script, "delete", new FakeClock()), undefined);
});

Deno.test("waitFor(): a condition observed for an older generation does not count", async () => {
  const stale = object("11", ready("True", 1));
  const fresh = object("12", ready("True", 2));
  stale.metadata.generation = fresh.metadata.generation = 2;
  const script = scripted([[]], [[
    { type: "ADDED", object: stale },
    { type: "MODIFIED", object: fresh },
  ]]);
  assert.equal(await wait(script, "condition=Ready", new FakeClock()), fresh);
});

Deno.test("waitFor(): condition=TYPE=STATUS waits for that status", async () => {
  const script = scripted([[object("5", ready("True"))]], [[
    { type: "MODIFIED", object: object("11", ready("False")) },
  ]]);
  const met = await wait(script, "condition=Ready=false", new FakeClock());
  assert.equal(met?.metadata.resourceVersion, "11");
});

Deno.test("waitFor() rejects at the deadline with the last object, and leaves no timer", async () => {
  const clock = new FakeClock();
  const outcome = assert.rejects(wait(scripted([[object("5")]]), "delete", clock), (error) => {
    assert(error instanceof WaitTimeoutError);
    assert.match(error.message, /"n\/a" to meet delete: not within 60000 ms; it is there, at ver/);
    assert.equal(error.last?.metadata.resourceVersion, "5");
    return true;
  });
  await clock.advance(60_000);
  await outcome;
  assert.equal(clock.pending, 0);
});

for (
  const [name, lists, watches, expected] of [
    [
      "no read succeeded",
      Array.from({ length: 100 }, () => new UnreachableError("lost", { server: "https://api" })),
      [],
      /not within 5000 ms; the object could not be read: lost$/,
    ],
    ["a read found none", [[]], [], /not within 5000 ms; the object does not exist$/],
  ] as [string, (UnstructuredObject[] | Error)[], WatchStep[], RegExp][]
) {
  Deno.test(`waitFor() says at the deadline whether the object is missing: ${name}`, async () => {
    const clock = new FakeClock();
    const outcome = assert.rejects(
      wait(scripted(lists, watches), "create", clock, 5_000),
      expected,
    );
    await clock.advance(5_000);
    await outcome;
  });
}

Deno.test("waitFor() says at the deadline that a server has never answered", async () => {
  const clock = new FakeClock();
  const list = (_type: unknown, { signal }: ListOptions = {}): Promise<never> =>
    new Promise((_resolve, reject) =>
      signal!.addEventListener("abort", () => reject(signal!.reason), { once: true })
    );
  const { client } = scripted([]);
  const silent = { client: { ...client, list } as unknown as typeof client, calls: [] };
  const outcome = assert.rejects(
    wait(silent, "create", clock, 5_000),
    /the object could not be read: the server has not answered$/,
  );
  await clock.advance(5_000);
  await outcome;
});

Deno.test("waitFor() backs off from a server that ends every watch at once", async () => {
  const clock = new FakeClock();
  const lists = Array.from({ length: 1_000 }, () => []);
  const script = scripted(lists, Array.from({ length: 1_000 }, () => []));
  const outcome = assert.rejects(wait(script, "create", clock), WaitTimeoutError);
  await clock.advance(60_000);
  await outcome;
  assert(script.calls.length < 20, `${script.calls.length} calls in a minute`);
});

for (
  const [name, refused] of [
    ["503", new ApiError({ status: { code: 503, reason: "ServiceUnavailable" } })],
    ["500", new ApiError({ status: { code: 500, reason: "InternalError" } })],
    ["no connection", new UnreachableError("lost", { server: "https://api.example" })],
    ["an end at once", []],
  ] as const
) {
  Deno.test(`waitFor() reads again, with growing pauses, while watches are answered by ${name}`, async () => {
    const clock = new FakeClock();
    const unmet = Array.from({ length: 3 }, () => [object("5")]);
    const refusals = Array.from({ length: 1_000 }, () => refused as WatchStep);
    const script = scripted([...unmet, [object("30", ready("True"))]], refusals);
    const waiting = wait(script, "condition=Ready", clock, 600_000);
    await clock.advance(120_000);
    assert.equal((await waiting)?.metadata.resourceVersion, "30");
    const read = "list metadata.name=a";
    const both = [read, "watch 10"];
    assert.deepEqual(script.calls, [read, "watch 10", "watch 10", ...both, ...both, read]);
  });
}

Deno.test("waitFor() reads no more than a few times a minute in an hour of refused watches", async () => {
  const clock = new FakeClock();
  const refused = new ApiError({ status: { code: 503, reason: "ServiceUnavailable" } });
  const many = Array.from({ length: 5_000 });
  const script = scripted(many.map(() => [object("5")]), many.map(() => refused));
  const outcome = assert.rejects(wait(script, "condition=Ready", clock, 3_600_000), (error) => {
    assert.ok(error instanceof WaitTimeoutError && error.cause === refused);
    return true;
  });
  await clock.advance(3_600_000);
  await outcome;
  const reads = script.calls.filter((call) => call.startsWith("list")).length;
  assert.ok(reads > 60 && reads < 240, `${reads} reads`);
});

Deno.test("waitFor() rejects with a refusal, with its signal, and with an invalid condition", async () => {
  const clock = new FakeClock();
  const forbidden = new ApiError({ status: { code: 403, reason: "Forbidden" } });
  await assert.rejects(wait(scripted([forbidden]), "create", clock), isForbidden);
  const { client } = scripted([[]]);
  const reason = new Error("enough");
  const signal = AbortSignal.abort(reason);
  await assert.rejects(
    waitFor(client, ConfigMap, "n/a", "create", { clock, signal }),
    (error) => error === reason,
  );
  await assert.rejects(wait(scripted([]), "condition=" as "condition=x", clock), TypeError);
});
