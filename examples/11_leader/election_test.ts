/**
 * Tests of Elections in an in-process simulated cluster: its controllers, scheduler and kubelet run
 * on virtual time, and the operator's connection breaks on demand.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Deployment, Lease, mergePatch, Pod, runOperator } from "@xca/operator";
import type { V1Pod } from "@xca/operator/kubernetes-types";
import { CustomResourceDefinition, isConditionTrue } from "@xca/operator/meta";
import { isConflict } from "@xca/operator/client";
import { reconcileOnce } from "@xca/operator/controller";
import { clientOf, type Crash, crashesAt, OperatorProcess } from "@xca/operator/testing";
import {
  deploymentOf,
  type LivingCluster,
  livingCluster,
} from "../../tests/support/in_process/living_cluster.ts";
import { Election, identityOf, LEADER_LABEL, operator } from "./election.ts";

const KEY = "default/web";
const LEASE_SECONDS = 9;
const SCRIPT = "kubelet.xca.k8s.kb.cx/script";

/** A simulated cluster with three pods, an Election of one of them, and the operator. */
class Rig implements AsyncDisposable {
  /** The operator, which crashes on demand. */
  readonly process: OperatorProcess;

  private constructor(readonly cluster: LivingCluster) {
    const { clock, server } = cluster;
    this.process = new OperatorProcess({
      server,
      run: (client) => runOperator(operator, { client, clock }),
    });
  }

  static async start(crash?: Crash): Promise<Rig> {
    const rig = new Rig(await livingCluster());
    const { client } = rig.cluster;
    await client.create(CustomResourceDefinition, Election.crd);
    await client.create(Deployment, deploymentOf("web"));
    await rig.cluster.pass(5);
    await client.create(Election, {
      metadata: { name: "web", namespace: "default" },
      spec: { matchLabels: { app: "web" }, leaseSeconds: LEASE_SECONDS, port: 5432 },
    });
    rig.process.start(crash);
    return rig;
  }

  /** Lets time pass; checks after each second that at most one pod has the label. */
  async pass(seconds: number): Promise<void> {
    await this.process.advance(seconds * 1000, async () => {
      const leaders = await this.leaders();
      assert(leaders.length <= 1, `${leaders.length} pods are leaders`);
      const [leader] = leaders;
      if (leader) assert.equal((await this.lease()).spec?.holderIdentity, identityOf(leader));
    });
  }

  async leaders(): Promise<V1Pod[]> {
    const labelSelector = `${LEADER_LABEL}=web`;
    return (await this.cluster.client.list(Pod, { labelSelector })).items;
  }

  async leader(): Promise<V1Pod> {
    const [leader] = await this.leaders();
    assert(leader, "a pod leads");
    return leader;
  }

  lease(): ReturnType<LivingCluster["client"]["get"]> & Promise<{ spec?: LeaseSpec }> {
    return this.cluster.client.get(Lease, KEY) as never;
  }

  election(): Promise<Election> {
    return this.cluster.client.get(Election, KEY);
  }

  /** Freezes or unfreezes a pod: a frozen pod keeps running without being ready. */
  async setReady(pod: V1Pod, isReady: boolean): Promise<void> {
    const script = isReady ? null : JSON.stringify({ "*": { readyAfterMs: "never" } });
    await this.cluster.client.patch(
      Pod,
      `default/${pod.metadata?.name}`,
      mergePatch({ metadata: { annotations: { [SCRIPT]: script } } }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.stop();
    await this.cluster[Symbol.asyncDispose]();
  }
}

/** The fields of a Lease that the tests read. */
interface LeaseSpec {
  holderIdentity?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

Deno.test("example 11: one ready pod leads, and its Lease is renewed while it is ready", async () => {
  await using rig = await Rig.start();
  await rig.pass(2);
  const leader = await rig.leader();
  const { status } = await rig.election();
  assert.equal(status?.leader, leader.metadata?.name);
  assert(isConditionTrue(status?.conditions, "Ready"));
  const { renewTime } = (await rig.lease()).spec!;
  await rig.pass(60);
  assert.equal(identityOf(await rig.leader()), identityOf(leader));
  const later = (await rig.lease()).spec!;
  assert(Date.parse(later.renewTime!) - Date.parse(renewTime!) >= 45_000, "renewed");
  assert.equal(later.leaseTransitions, 0);
});

Deno.test("example 11: a leader that is gone is replaced at once", async () => {
  await using rig = await Rig.start();
  await rig.pass(2);
  const first = await rig.leader();
  await rig.cluster.client.delete(Pod, `default/${first.metadata?.name}`);
  await rig.pass(3);
  assert.notEqual(identityOf(await rig.leader()), identityOf(first));
  assert.equal((await rig.election()).status?.failovers, 1);
  assert.equal((await rig.cluster.notes("LeaderChosen")).length, 2);
});

Deno.test("example 11: a leader that only hangs is replaced when its Lease has expired, not before", async () => {
  await using rig = await Rig.start();
  await rig.pass(2);
  const first = await rig.leader();
  await rig.setReady(first, false);
  await rig.pass(2);
  assert.deepEqual(await rig.leaders(), [], "the Service has no leader");
  assert.equal((await rig.election()).status?.leader, undefined);
  const { renewTime } = (await rig.lease()).spec!;
  const endMs = Date.parse(renewTime!) + LEASE_SECONDS * 1000;
  while (rig.cluster.clock.now().getTime() + 1000 < endMs) {
    assert.equal((await rig.lease()).spec?.holderIdentity, identityOf(first));
    await rig.pass(1);
  }
  await rig.pass(3);
  assert.notEqual(identityOf(await rig.leader()), identityOf(first));
});

Deno.test("example 11: a leader that recovers in time keeps its Lease", async () => {
  await using rig = await Rig.start();
  await rig.pass(2);
  const first = await rig.leader();
  await rig.setReady(first, false);
  await rig.pass(2);
  await rig.setReady(first, true);
  await rig.pass(3);
  assert.equal(identityOf(await rig.leader()), identityOf(first));
  assert.equal((await rig.lease()).spec?.leaseTransitions, 0);
});

Deno.test("example 11: a pod that is no longer selected, but runs, keeps its Lease until it expires", async () => {
  await using rig = await Rig.start();
  await rig.pass(2);
  const first = await rig.leader();
  await rig.cluster.client.patch(
    Pod,
    `default/${first.metadata?.name}`,
    mergePatch({ metadata: { labels: { app: "other" } } }),
  );
  await rig.pass(2);
  assert.deepEqual(await rig.leaders(), []);
  assert.equal((await rig.lease()).spec?.holderIdentity, identityOf(first));
  await rig.pass(LEASE_SECONDS + 2);
  assert.notEqual(identityOf(await rig.leader()), identityOf(first));
});

Deno.test("example 11: without a ready pod there is no leader, and the Election says so", async () => {
  await using rig = await Rig.start();
  await rig.pass(2);
  await rig.cluster.client.patch(Deployment, KEY, mergePatch({ spec: { replicas: 0 } }));
  await rig.pass(5);
  assert.deepEqual(await rig.leaders(), []);
  assert(isConditionTrue((await rig.election()).status?.conditions, "Degraded"));
});

/** Plays two fail-overs with a crash of the operator, and returns its writes. */
async function failOverTwice(crash?: Crash): Promise<readonly string[]> {
  await using rig = await Rig.start(crash);
  await rig.pass(10);
  const first = await rig.leader();
  await rig.setReady(first, false);
  await rig.pass(LEASE_SECONDS + 10);
  const second = await rig.leader();
  assert.notEqual(identityOf(second), identityOf(first));
  await rig.cluster.client.delete(Pod, `default/${second.metadata?.name}`);
  await rig.pass(12);
  const third = await rig.leader();
  assert.notEqual(identityOf(third), identityOf(second));
  const { status } = await rig.election();
  assert.equal(status?.leader, third.metadata?.name);
  assert.equal(status?.failovers, 2);
  return rig.process.steps;
}

/**
 * Reconciles the Election of a rig once, after the operator has stopped; `change` is called before
 * the first patch of a pod.
 */
async function once(rig: Rig, change: () => Promise<unknown>): Promise<void> {
  await rig.process.stop();
  const { server, clock } = rig.cluster;
  let changes = 0;
  using client = clientOf(server, {
    clock,
    through: (fetch) => async (request) => {
      const isPatch = request.method === "PATCH" && request.url.includes("/pods/");
      if (isPatch && changes++ === 0) await change();
      return await fetch(request);
    },
  });
  const run = reconcileOnce(operator.controllers[0]!, KEY, { client, clock });
  await assert.rejects(run, isConflict);
  assert.equal(changes, 1);
}

Deno.test("example 11: the label that another Election has just set on a pod is not removed", async () => {
  await using rig = await Rig.start();
  await rig.pass(2);
  const leader = await rig.leader();
  const key = `default/${leader.metadata?.name}`;
  await rig.process.stop();
  await rig.setReady(leader, false);
  await rig.cluster.pass(2);
  const labels = { [LEADER_LABEL]: "other" };
  await once(rig, () => rig.cluster.client.patch(Pod, key, mergePatch({ metadata: { labels } })));
  const { metadata } = await rig.cluster.client.get(Pod, key);
  assert.equal(metadata.labels?.[LEADER_LABEL], "other");
});

Deno.test("example 11: a pod that has just lost the labels of a candidate gets no leader's label", async () => {
  await using rig = await Rig.start();
  await once(rig, async () => {
    for (const { metadata } of await rig.cluster.pods()) {
      const labels = { app: "debug" };
      const key = `default/${metadata?.name}`;
      await rig.cluster.client.patch(Pod, key, mergePatch({ metadata: { labels } }));
    }
  });
  assert.deepEqual(await rig.leaders(), []);
});

Deno.test("example 11: the Lease of another program that has the name of an Election is left alone", async () => {
  await using rig = await Rig.start();
  await rig.process.stop();
  const { client } = rig.cluster;
  await client.delete(Lease, KEY).catch(() => {});
  const spec = { holderIdentity: "program_1", leaseDurationSeconds: 15 };
  await client.create(Lease, { metadata: { name: "web", namespace: "default" }, spec });
  rig.process.start();
  await rig.process.advance(5000);
  assert.deepEqual((await client.get(Lease, KEY)).spec, spec);
  assert.deepEqual(await rig.leaders(), []);
});

Deno.test("example 11: a crash at any write never leads to two leaders, and the next run goes on", async () => {
  const writes = await failOverTwice();
  assert(writes.length > 10, `${writes.length} writes`);
  // Of several renewals in a row only the first is interrupted.
  const crashes = crashesAt(writes)
    .filter(({ step }) => writes[step - 1] !== writes[step - 2]).values();
  await Promise.all(Array.from({ length: 8 }, async () => {
    for (const crash of crashes) await failOverTwice(crash);
  }));
});
