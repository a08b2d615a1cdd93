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

/** A server, a clock, and the requests of leases that the server has not answered yet. */
interface TestPlane extends Disposable {
  readonly server: ApiServer;
  readonly clock: FakeClock;
  readonly leases: { unanswered: number };
}

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

async function setUp(): Promise<TestPlane> {
  const server = await ApiServer.start();
  using client = clientOf(server);
  await client.create(ConfigMap, { metadata: { namespace: "default", name: "web" } });
  const dispose = (): void => server[Symbol.dispose]();
  const leases = { unanswered: 0 };
  return { server, clock: new FakeClock(), leases, [Symbol.dispose]: dispose };
}

function replica(
  { server, clock, leases }: TestPlane,
  identity: string,
  reconcile: Reconciler,
  through: (fetch: Fetch) => Fetch = (fetch) => fetch,
) {
  /** Counts requests of leases until their whole answer is there. */
  const counted = (fetch: Fetch): Fetch => async (request) => {
    if (!new URL(request.url).pathname.includes("/leases")) return await fetch(request);
    leases.unanswered++;
    try {
      const answer = await fetch(request);
      return new Response(await answer.arrayBuffer(), answer);
    } finally {
      leases.unanswered--;
    }
  };
  const client = clientOf(server, { through: (fetch) => counted(through(fetch)), clock });
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

/** The step in which tests move the clock, in milliseconds. */
const STEP_MS = 250;

/** Moves the clock by one step, once the server has answered: it answers in the time of the machine. */
async function step({ clock, leases }: TestPlane): Promise<void> {
  await until(() => leases.unanswered === 0, "the server answers");
  await clock.advance(STEP_MS);
}

/** Moves the clock step by step. */
async function advance(plane: TestPlane, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) await step(plane);
}

/** Moves the clock until a condition holds. */
async function advanceUntil(plane: TestPlane, condition: () => boolean): Promise<void> {
  await until(async () => {
    if (!condition()) await step(plane);
    return condition();
  });
}

Deno.test("elected operator: one replica reconciles; after its stop the other one does, with warm caches", async () => {
  using plane = await setUp();
  const runs: string[] = [];
  const a = replica(plane, "a", () => void runs.push("a"));
  await advanceUntil(plane, () => runs.length > 0);
  const lists: string[] = [];
  const b = replica(plane, "b", () => void runs.push("b"), (fetch) => (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" && pathname.endsWith("/configmaps")) lists.push(request.url);
    return fetch(request);
  });
  await advanceUntil(plane, () => b.elector.leader === "a" && lists.length > 0);
  const before = lists.length;
  await advance(plane, 45_000);
  assert.deepEqual([...new Set(runs)], ["a"], "the standby reconciled");
  await a.stop();
  await advanceUntil(plane, () => runs.includes("b"));
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
  await advanceUntil(plane, () => a.elector.isLeader);
  await started.promise;
  const done = a.stop();
  await advance(plane, 20_000);
  assert.equal((await a.client.get(Lease, "default/marker")).spec?.holderIdentity, "a");
  goOn.resolve();
  await done;
  assert.equal((await a.client.get(ConfigMap, "default/web")).data?.by, "a");
  assert.equal((await a.client.get(Lease, "default/marker")).spec?.holderIdentity ?? "", "");
  a.client[Symbol.dispose]();
});

Deno.test("elected operator: a run that has not ended 30 s after a stop is aborted", async () => {
  using plane = await setUp();
  let signal: AbortSignal | undefined;
  const a = replica(plane, "a", (context) => {
    signal = context.signal;
    return new Promise((_, reject) => {
      context.signal.addEventListener("abort", () => reject(context.signal.reason));
    });
  });
  await advanceUntil(plane, () => signal !== undefined);
  const done = a.stop();
  await advance(plane, 29_000);
  assert(!signal!.aborted);
  await advance(plane, 1_000);
  assert(signal!.aborted);
  await done;
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
  await advanceUntil(plane, () => started === 1);
  link.broken = true;
  await advance(plane, 10_000);
  goOn.resolve();
  await advanceUntil(plane, () => refusals.length === 2);
  let end: unknown;
  a.done.catch((error) => end = error);
  await advanceUntil(plane, () => end !== undefined);
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
  await advanceUntil(plane, () => a.elector.isLeader);
  await hung.promise;
  await advance(plane, 10_000);
  await until(() => error !== undefined);
  assert.match(String(error), /did not answer|no whole answer|whole answer/);
  await a.stop();
  a.client[Symbol.dispose]();
});

Deno.test("elected operator: a standby stops at once", async () => {
  using plane = await setUp();
  const a = replica(plane, "a", () => {});
  await advanceUntil(plane, () => a.elector.isLeader);
  const b = replica(plane, "b", () => {});
  await advanceUntil(plane, () => b.elector.leader === "a");
  await b.stop();
  await a.stop();
  for (const { client } of [a, b]) client[Symbol.dispose]();
});
