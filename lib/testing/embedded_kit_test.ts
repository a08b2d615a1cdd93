/**
 * Tests of the tools for tests against an API server in process: seeds, expectations, faults,
 * snapshots.
 */
import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { ConfigMap } from "@xca/apimachinery/meta";
import { ApiServer } from "../apiserver/server.ts";
import type { Client } from "../client/typed/client.ts";
import { runOperator } from "../controller/operator/run_operator.ts";
import { Xca } from "../xca/xca.ts";
import { xcaOperator } from "../xca/xca_operator.ts";
import { callFacts } from "./faults/call_facts.ts";
import { clientOf, type InProcessServer } from "./embedded_client.ts";
import { expectGone, expectObject, type ExpectOptions } from "./expect_object.ts";
import { FakeClock } from "./fake_clock.ts";
import { answerStatus, cutAnswer, delayCall, dropCall } from "./faults/faults.ts";
import { staleReads } from "./faults/stale_reads.ts";
import { withFault } from "./faults/with_fault.ts";

const MANIFEST = `
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: v1
kind: List
items:
- { apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: shop }, data: { x: "1" } }
- { apiVersion: v1, kind: ConfigMap, metadata: { generateName: b- } }
`;

Deno.test("a seed is stored unchanged: documents, lists, generated names, custom kinds, a status", async () => {
  using server = await ApiServer.start();
  const made = await server.seed(MANIFEST);
  assert.deepEqual(made.map(({ kind }) => kind), ["Namespace", "ConfigMap", "ConfigMap"]);
  assert.match(made[2]!.metadata.name!, /^b-/);
  assert.equal(made[2]!.metadata.namespace, "default");
  const last_update_time = "2026-01-01T00:00:00Z";
  const status = { active: true, last_update_time };
  await server.seed([
    ...xcaOperator.crds,
    { apiVersion: `${Xca.group}/${Xca.version}`, kind: "Xca", metadata: { name: "x" }, status },
  ]);
  using client = clientOf(server);
  assert.deepEqual((await client.get(Xca, "default/x")).status, status);
});

Deno.test("a refused seed names the object and the reason", async () => {
  using server = await ApiServer.start();
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "Not_A_Name" } };
  await assert.rejects(server.seed([object]), /Cannot seed ConfigMap Not_A_Name: .*invalid/);
  const clock = new FakeClock();
  using other = await ApiServer.start({ clock });
  const unknown = { apiVersion: "example.org/v1", kind: "Thing", metadata: { name: "a" } };
  const refused = assert.rejects(
    other.seed([unknown]),
    /Cannot seed Thing: the server has no such kind/,
  );
  for (let turn = 0; turn < 110; turn++) await clock.advance(10);
  await refused;
  await assert.rejects(server.seed("kind: Pod"), /Cannot read document 1: it has no apiVersion/);
});

Deno.test("restore() returns to a snapshot", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { x: "1" } });
  const before = server.snapshot();
  await client.delete(ConfigMap, "default/a");
  await client.create(ConfigMap, { metadata: { name: "b" } });
  server.restore(before);
  assert.equal((await client.get(ConfigMap, "default/a"))["data"] !== undefined, true);
  await expectGone(server, ConfigMap, "default/b");
});

/** Runs an expectation that fails: its timeout passes once it has listed and watched. */
async function inVain(
  server: ApiServer,
  expectation: (late: InProcessServer, options: ExpectOptions) => Promise<unknown>,
): Promise<unknown> {
  const clock = new FakeClock();
  const { promise: isWatched, resolve } = Promise.withResolvers<void>();
  const late: InProcessServer = {
    fetch: (request) => {
      if (request.url.includes("watch=")) resolve();
      return server.fetch(request);
    },
  };
  const outcome = expectation(late, { timeoutMs: 60_000, clock });
  await isWatched;
  clock.step(60_000);
  return await outcome;
}

Deno.test("expectations wait for a state, and report the last one when it does not come", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const seen = expectObject(client, ConfigMap, "default/a", { data: { x: "2" } });
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { x: "1", y: "z" } });
  const object = await client.get(ConfigMap, "default/a");
  await client.update(ConfigMap, { ...object, data: { x: "2" } });
  assert.deepEqual((await seen)["data"], { x: "2" });
  await assert.rejects(
    inVain(
      server,
      (late, options) => expectObject(late, ConfigMap, "default/a", { data: { x: "3" } }, options),
    ),
    /ConfigMap default\/a was not \{"data":\{"x":"3"\}\} within 60 s; it was last \{.*"x":"2"/,
  );
  await assert.rejects(
    inVain(
      server,
      (late, options) => expectObject(late, ConfigMap, "default/none", () => true, options),
    ),
    /default\/none did not satisfy the function within 60 s; it was not there/,
  );
  await assert.rejects(
    inVain(server, (late, options) => expectGone(late, ConfigMap, "default/a", options)),
    /was not gone within/,
  );
  const gone = expectGone(server, ConfigMap, "default/a");
  await client.delete(ConfigMap, "default/a");
  await gone;
});

Deno.test("callFacts() reads verb and object from method and path", () => {
  const facts = (method: string, path: string): string => {
    const call = callFacts(new Request(`https://server${path}`, { method }));
    return [call.verb, call.group, call.resource, call.subresource, call.namespace, call.name]
      .join(" ");
  };
  const cases: [string, string, string][] = [
    ["GET", "/api/v1/namespaces/shop/pods/a/log", "get  pods log shop a"],
    ["GET", "/apis/apps/v1/deployments", "list apps deployments   "],
    ["GET", "/api/v1/pods?watch=1", "watch  pods   "],
    ["GET", "/api/v1/namespaces/shop", "get  namespaces   shop"],
    ["PUT", "/api/v1/namespaces/shop/finalize", "update  namespaces finalize  shop"],
    ["DELETE", "/api/v1/namespaces/shop/pods", "deletecollection  pods  shop "],
    ["PATCH", "/api/v1/nodes/a/status", "patch  nodes status  a"],
    ["GET", "/version", "get     "],
    ["GET", "/apis/apps/v1", "get     "],
  ];
  for (const [method, path, expected] of cases) assert.equal(facts(method, path), expected, path);
});

Deno.test("a fault with an invalid number is refused when it is created", () => {
  const cases: [() => unknown, string][] = [
    [
      () => answerStatus({ code: 9999 }),
      "answerStatus: code must be a whole number from 400 to 599, is 9999",
    ],
    [
      () => answerStatus({ code: 200 }),
      "answerStatus: code must be a whole number from 400 to 599, is 200",
    ],
    [
      () => answerStatus({ code: 429, retryAfterSeconds: -1 }),
      "answerStatus: retryAfterSeconds must be a whole number of at least 0, is -1",
    ],
    [
      () => delayCall(NaN),
      "delayCall: the delay in milliseconds must be a number of at least 0, is NaN",
    ],
    [
      () => cutAnswer(-1),
      "cutAnswer: the number of bytes must be a whole number of at least 0, is -1",
    ],
    [
      () => staleReads(0.5),
      "staleReads: the number of revisions must be a whole number of at least 0, is 0.5",
    ],
    [
      () => withFault(dropCall(), fetch, { chance: 2 }),
      "withFault: chance must be a number from 0 to 1, is 2",
    ],
    [
      () => withFault(dropCall(), fetch, { times: NaN }),
      "withFault: times must be a whole number of at least 0, is NaN",
    ],
  ];
  for (const [make, message] of cases) assert.throws(make, { name: "RangeError", message });
});

Deno.test("a fault affects the selected calls, with its number and probability", async () => {
  const server = (): Promise<Response> => Promise.resolve(new Response("{}"));
  const status = answerStatus({ code: 500 });
  const request = (): Request => new Request("https://server/api/v1/pods");
  const pattern = async (options: Parameters<typeof withFault>[2]): Promise<string> => {
    const { fetch } = withFault(status, server, options);
    let codes = "";
    for (let call = 0; call < 6; call++) {
      codes += (await fetch(request())).status === 500 ? "x" : ".";
    }
    return codes;
  };
  assert.equal(await pattern({ times: 2 }), "xx....");
  assert.equal(await pattern({ after: 2, times: 1 }), "..x...");
  assert.equal(await pattern({ when: ({ verb }) => verb === "watch" }), "......");
  const some = await pattern({ chance: 0.5, random: seededRandom(3) });
  assert.match(some, /x/);
  assert.match(some, /\./);
  assert.equal(await pattern({ chance: 0.5, random: seededRandom(3) }), some);
});

Deno.test("a delayed call waits for the clock, and ends with its caller", async () => {
  const clock = new FakeClock();
  let reached = 0;
  const { fetch } = withFault(delayCall(1000), () => {
    reached++;
    return Promise.resolve(new Response());
  }, { clock });
  const answer = fetch(new Request("https://server/"));
  assert.equal(reached, 0);
  await clock.advance(1000);
  await answer;
  const stop = new AbortController();
  const aborted = assert.rejects(fetch(new Request("https://server/", { signal: stop.signal })));
  stop.abort();
  await aborted;
  assert.equal(reached, 1);
});

Deno.test("an answer is cut within a chunk, at its end, and before it", async () => {
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  for (const after of [0, 2, 3, 4]) {
    const body = new ReadableStream({
      start: (controller) => ["abc", "def"].forEach((text) => controller.enqueue(bytes(text))),
    });
    const { fetch } = withFault(cutAnswer(after), () => Promise.resolve(new Response(body)));
    const answer = await fetch(new Request("https://server/"));
    let read = "";
    await assert.rejects(async () => {
      for await (const chunk of answer.body!) read += new TextDecoder().decode(chunk);
    }, /Connection lost after/);
    assert("abcdef".slice(0, after).startsWith(read), `${after}: ${read}`);
  }
});

async function reconciled(through: Parameters<typeof clientOf>[1]): Promise<ApiServer> {
  const server = await ApiServer.start();
  await server.seed(xcaOperator.crds);
  using direct = clientOf(server);
  for (const name of ["a", "b"]) await direct.create(Xca, { metadata: { name } });
  using client: Client = clientOf(server, through);
  const operator = runOperator(xcaOperator, { client });
  for (const name of ["a", "b"]) {
    await expectObject(server, Xca, `default/${name}`, { status: { active: true } });
  }
  await operator.stop();
  return server;
}

Deno.test("an operator in process recovers from each fault", async () => {
  using _plain = await reconciled({});
  const watch = { verb: "watch", resource: "xcas" };
  using _cut = await reconciled({
    through: (fetch) => withFault(cutAnswer(700), fetch, { when: watch, times: 2 }).fetch,
  });
  using _refused = await reconciled({
    through: (fetch) =>
      withFault(answerStatus({ code: 409, reason: "Conflict" }), fetch, {
        when: { subresource: "status" },
        times: 2,
      }).fetch,
  });
  using _lost = await reconciled({
    through: (fetch) =>
      withFault(dropCall("after"), fetch, { when: { subresource: "status" }, times: 1 }).fetch,
  });
  using _stale = await reconciled({
    through: (fetch) => withFault(staleReads(1), fetch, { when: { resource: "xcas" } }).fetch,
  });
});

Deno.test("a stale watch begins with an old state, and delivers the later changes", async () => {
  using server = await ApiServer.start();
  using direct = clientOf(server);
  await direct.create(ConfigMap, { metadata: { name: "old" } });
  await direct.create(ConfigMap, { metadata: { name: "new" } });
  using late = clientOf(server, { through: (fetch) => withFault(staleReads(1), fetch).fetch });
  const seen: string[] = [];
  const options = {
    namespace: "default",
    sendInitialEvents: true,
    allowWatchBookmarks: true,
    resourceVersionMatch: "NotOlderThan" as const,
  };
  for await (const { type, object } of late.watch(ConfigMap, options)) {
    seen.push(`${type} ${object.metadata.name ?? ""}`);
    if (object.metadata.name === "new") break;
  }
  assert.deepEqual(seen, ["ADDED old", "BOOKMARK ", "ADDED new"]);
});

Deno.test("expectations refuse keys that cannot be of the resource, and to expect nothing", async () => {
  using server = await ApiServer.start();
  await assert.rejects(expectObject(server, ConfigMap, "mars", {}), TypeError);
  await assert.rejects(expectGone(server, ConfigMap, "mars"), TypeError);
  await assert.rejects(
    expectObject(server, ConfigMap, "default/mars", undefined as never),
    /Cannot expect ConfigMap default\/mars: give its fields/,
  );
});

Deno.test("FakeClock refuses to move backwards, and by no number", async () => {
  const clock = new FakeClock();
  for (const wrong of [-1, NaN]) {
    assert.throws(() => clock.step(wrong), RangeError);
    await assert.rejects(clock.advance(wrong), RangeError);
  }
});
