/** An operator that works only as the leader, on the embedded server and a clock that the test moves. */
import assert from "node:assert/strict";
import { ConfigMap, Lease } from "@xca/apimachinery/meta";
import { ApiServer } from "@xca/apiserver";
import { until } from "../../tests/support/until.ts";
import type { Fetch } from "../client/transport/fetch.ts";
import { controllerFor } from "../controller/definition/controller_builder.ts";
import { defineOperator } from "../controller/operator/operator.ts";
import type { Reconciler } from "../controller/definition/reconciler.ts";
import { clientOf } from "../testing/embedded_client.ts";
import { FakeClock } from "../testing/fake_clock.ts";
import { runElectedOperator } from "./elected_operator.ts";
import { LeadershipLostError } from "./leader_election/leadership_lost_error.ts";

/** Wraps a network: renewals of leases are refused while `broken`. */
function breakable(): { through: (fetch: Fetch) => Fetch; broken: boolean; writes: string[] } {
  const link = {
    broken: false,
    writes: [] as string[],
    through: (fetch: Fetch): Fetch => async (request) => {
      const { method } = request;
      const { pathname } = new URL(request.url);
      const isLease = pathname.includes("/leases");
      if (link.broken && isLease) throw new TypeError("the network is cut");
      if (method !== "GET" && !isLease) link.writes.push(`${method} ${pathname}`);
      return await fetch(request);
    },
  };
  return link;
}

async function setUp(): Promise<{ server: ApiServer; clock: FakeClock } & Disposable> {
  const server = await ApiServer.start();
  using client = clientOf(server);
  await client.create(ConfigMap, { metadata: { namespace: "default", name: "web" } });
  return { server, clock: new FakeClock(), [Symbol.dispose]: () => server[Symbol.dispose]() };
}

function replica(
  { server, clock }: { server: ApiServer; clock: FakeClock },
  identity: string,
  reconcile: Reconciler,
  through: (fetch: Fetch) => Fetch = (fetch) => fetch,
) {
  const client = clientOf(server, { through, clock });
  const operator = defineOperator({
    name: "marker",
    controllers: [
      controllerFor(ConfigMap).reconcile((context) =>
        context.key === "default/web" ? reconcile(context) : undefined
      ),
    ],
  });
  const handle = runElectedOperator(operator, {
    client,
    namespace: "default",
    clock,
    leaderElection: { identity },
  });
  return Object.assign(handle, { client });
}

/** Moves the clock until a condition holds. */
async function advanceUntil(clock: FakeClock, condition: () => boolean): Promise<void> {
  await until(async () => {
    if (!condition()) await clock.advance(250);
    return condition();
  });
}

Deno.test("elected operator: one replica reconciles; after its stop the other one does, with warm caches", async () => {
  using plane = await setUp();
  const runs: string[] = [];
  const a = replica(plane, "a", () => void runs.push("a"));
  await advanceUntil(plane.clock, () => runs.length > 0);
  const lists: string[] = [];
  const b = replica(plane, "b", () => void runs.push("b"), (fetch) => (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" && pathname.endsWith("/configmaps")) lists.push(request.url);
    return fetch(request);
  });
  await advanceUntil(plane.clock, () => b.elector.leader === "a" && lists.length > 0);
  const before = lists.length;
  await plane.clock.advance(120_000);
  assert.deepEqual([...new Set(runs)], ["a"], "the standby reconciled");
  await a.stop();
  await advanceUntil(plane.clock, () => runs.includes("b"));
  assert.equal(lists.length, before, "the hand-over took a list");
  assert.equal((await b.client.get(Lease, "default/marker")).spec?.holderIdentity, "b");
  await b.stop();
  for (const { client } of [a, b]) client[Symbol.dispose]();
});

Deno.test("elected operator: a stop lets the runs end and write, and releases the lease after them", async () => {
  using plane = await setUp();
  const started = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const a = replica(plane, "a", async ({ client, cache, key }) => {
    started.resolve();
    await goOn.promise;
    const map = cache.get(ConfigMap, key)!;
    await client.update(ConfigMap, { ...map, data: { by: "a" } });
  });
  await advanceUntil(plane.clock, () => a.elector.isLeader);
  await started.promise;
  const done = a.stop();
  await plane.clock.advance(20_000);
  assert.equal((await a.client.get(Lease, "default/marker")).spec?.holderIdentity, "a");
  goOn.resolve();
  await done;
  assert.equal((await a.client.get(ConfigMap, "default/web")).data?.by, "a");
  assert.equal((await a.client.get(Lease, "default/marker")).spec?.holderIdentity ?? "", "");
  a.client[Symbol.dispose]();
});

Deno.test("F37 a leader that cannot renew starts no write after its deadline, and ends with an error", async () => {
  using plane = await setUp();
  const link = breakable();
  const refusals: unknown[] = [];
  const goOn = Promise.withResolvers<void>();
  let started = 0;
  const a = replica(plane, "a", async ({ client, key }) => {
    started++;
    await goOn.promise;
    for (
      const write of [
        client.delete(ConfigMap, key),
        client.requestJson({ method: "POST", path: "/x" }),
      ]
    ) {
      await write.catch((error) => refusals.push(error));
    }
  }, link.through);
  await advanceUntil(plane.clock, () => started === 1);
  link.broken = true;
  await plane.clock.advance(10_000);
  goOn.resolve();
  await advanceUntil(plane.clock, () => refusals.length === 2);
  let end: unknown;
  a.done.catch((error) => end = error);
  await advanceUntil(plane.clock, () => end !== undefined);
  assert(end instanceof LeadershipLostError, String(end));
  assert.deepEqual(link.writes, []);
  for (const error of refusals) assert(error instanceof LeadershipLostError, String(error));
  a.client[Symbol.dispose]();
});

Deno.test("F37 a write takes at most the time that the lease has left", async () => {
  using plane = await setUp();
  const hung = Promise.withResolvers<void>();
  let error: unknown;
  const a = replica(plane, "a", async ({ client, key }) => {
    await client.delete(ConfigMap, key, { timeoutMs: 600_000 }).catch((reason) => error = reason);
  }, (fetch) => async (request) => {
    if (request.method !== "DELETE") return await fetch(request);
    hung.resolve();
    return await new Promise((_, reject) =>
      request.signal.addEventListener("abort", () => reject(request.signal.reason))
    );
  });
  await advanceUntil(plane.clock, () => a.elector.isLeader);
  await hung.promise;
  await plane.clock.advance(10_000);
  await until(() => error !== undefined);
  assert.match(String(error), /did not answer|no whole answer|whole answer/);
  await a.stop();
  a.client[Symbol.dispose]();
});

Deno.test("elected operator: a standby stops at once", async () => {
  using plane = await setUp();
  const a = replica(plane, "a", () => {});
  await advanceUntil(plane.clock, () => a.elector.isLeader);
  const b = replica(plane, "b", () => {});
  await advanceUntil(plane.clock, () => b.elector.leader === "a");
  await b.stop();
  await a.stop();
  for (const { client } of [a, b]) client[Symbol.dispose]();
});
