/** Leader election over the network: the record as a server stores it, hand-over, refusals. */
import assert from "node:assert/strict";
import { type Client, createClient, isForbidden, mergePatch } from "../../../lib/client/mod.ts";
import { LeaderElector, LeadershipLostError, type Term } from "../../../lib/manager/mod.ts";
import type { V1Lease } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { ConfigMap, Lease, Namespace } from "../../../lib/apimachinery/meta/mod.ts";
import { until } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite({ audit: true });

const TIMING = { leaseDurationMs: 3_000, renewDeadlineMs: 2_000, retryPeriodMs: 250 };

/** A replica that leads until it is stopped. */
class Replica {
  readonly elector: LeaderElector;
  readonly run: Promise<void>;
  term: Term | undefined;
  readonly #stop = new AbortController();

  constructor(client: Client, namespace: string, identity: string) {
    this.elector = new LeaderElector({ client, namespace, name: "web", identity, ...TIMING });
    this.run = this.elector.run(async (term) => {
      this.term = term;
      await new Promise<void>((resolve) =>
        term.signal.addEventListener("abort", () => resolve(), { once: true })
      );
      this.term = undefined;
    }, { signal: this.#stop.signal });
    this.run.catch(() => {});
  }

  stop(): Promise<void> {
    this.#stop.abort();
    return this.run;
  }
}

suite.test("F41 a server accepts the record of three replicas: one leads, a stop releases the lease to the next", async (plane) => {
  using client = createClient(plane.config);
  const namespace = "election-handover";
  await client.create(Namespace, { metadata: { name: namespace } });
  let replicas = ["a", "b", "c"].map((name) => new Replica(client, namespace, name));
  const leaders: string[] = [];
  while (replicas.length > 0) {
    const leading = (): Replica | undefined => replicas.find(({ term }) => term !== undefined);
    await until(() => leading() !== undefined, "a leader");
    const leader = leading()!;
    assert(replicas.every((each) => each === leader || each.term === undefined));
    const { spec } = await client.get(Lease, `${namespace}/web`);
    assert.equal(spec?.holderIdentity, leader.elector.leader);
    assert.equal(spec?.leaseTransitions, leaders.length);
    assert.match(spec?.renewTime ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    leaders.push(leader.elector.leader);
    await leader.stop();
    replicas = replicas.filter((each) => each !== leader);
  }
  assert.deepEqual(leaders.sort(), ["a", "b", "c"]);
  assert.equal((await client.get(Lease, `${namespace}/web`)).spec?.holderIdentity ?? "", "");
});

suite.test("F37 a write that was admitted, and that waits for its turn to leave, is refused when the lease may be lost by then", async (plane) => {
  using client = createClient(plane.config);
  const key = "default/leaving";
  for (const bytes of [10, 500_000]) {
    await client.create(ConfigMap, { metadata: { namespace: "default", name: "leaving" } });
    const map = await client.get(ConfigMap, key);
    const started = Promise.withResolvers<void>();
    let mayLeave = true;
    const written = client.update(ConfigMap, { ...map, data: { text: "x".repeat(bytes) } }, {
      admit: () => {
        if (!mayLeave) throw new Error("the lease may be lost");
        started.resolve();
      },
    });
    // As a reconciler that holds the event loop from here on until after the deadline.
    void started.promise.then(() => mayLeave = false);
    await assert.rejects(written, /the lease may be lost/);
    const { metadata } = await client.get(ConfigMap, key);
    assert.equal(metadata.resourceVersion, map.metadata.resourceVersion);
    await client.delete(ConfigMap, key);
  }
});

suite.test("F40 a candidate without permission never leads; a Lease written by another holder ends the term", async (plane) => {
  using client = createClient(plane.config);
  const namespace = "election-loss";
  await client.create(Namespace, { metadata: { name: namespace } });
  const nobody = await plane.addUser("election-nobody", []);
  using forbidden = createClient(nobody.config);
  await assert.rejects(
    forbidden.get(Lease, `${namespace}/web`),
    (error) => isForbidden(error),
  );
  const refused = new Replica(forbidden, namespace, "nobody");
  const a = new Replica(client, namespace, "a");
  await until(() => a.term !== undefined, "a leader");
  const theft = mergePatch<V1Lease>({ spec: { holderIdentity: "thief" } });
  await client.patch(Lease, `${namespace}/web`, theft);
  await assert.rejects(
    a.run,
    (error) => error instanceof LeadershipLostError && /thief holds it/.test(error.message),
  );
  assert.equal(refused.term, undefined);
  await refused.stop();
});
