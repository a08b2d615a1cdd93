/**
 * Tests of the Elections in a living cluster in process: its controllers, scheduler and kubelet run on
 * virtual time, and the operator's connection breaks where a test asks for it.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Client,
  Deployment,
  Lease,
  mergePatch,
  type OperatorHandle,
  Pod,
  runOperator,
} from "@xca/operator";
import type { V1Pod } from "@xca/operator/kubernetes-types";
import { CustomResourceDefinition, isConditionTrue } from "@xca/operator/meta";
import { clientOf } from "@xca/operator/testing";
import { callFacts } from "../../lib/testing/faults/call_facts.ts";
import { dropCall } from "../../lib/testing/mod.ts";
import {
  deploymentOf,
  type LivingCluster,
  livingCluster,
} from "../../tests/support/living_cluster.ts";
import { Election, identityOf, LEADER_LABEL, operator } from "./election.ts";

const KEY = "default/web";
const LEASE_SECONDS = 9;
const SCRIPT = "kubelet.xca.k8s.kb.cx/script";

/** The moment of a crash: the request is lost, or is done and its response is lost. */
type Moment = "before" | "after";

/** A living cluster with three pods, an Election among them, and the operator. */
class Rig implements AsyncDisposable {
  /** The operator's writes so far, as `update leases`, events left out. */
  readonly writes: string[] = [];
  #running: OperatorHandle | undefined;
  #client: Client | undefined;
  #isDead = false;
  readonly #stack = new AsyncDisposableStack();

  private constructor(readonly cluster: LivingCluster) {}

  static async start(crash?: { readonly write: number; readonly moment: Moment }): Promise<Rig> {
    const rig = new Rig(await livingCluster());
    const { client } = rig.cluster;
    rig.#stack.use(rig.cluster);
    await client.create(CustomResourceDefinition, Election.crd);
    await client.create(Deployment, deploymentOf("web"));
    await rig.cluster.pass(5);
    await client.create(Election, {
      metadata: { name: "web", namespace: "default" },
      spec: { matchLabels: { app: "web" }, leaseSeconds: LEASE_SECONDS, port: 5432 },
    });
    rig.run(crash);
    return rig;
  }

  /** Runs the operator, whose connection breaks for good at one of its writes. */
  run(crash?: { readonly write: number; readonly moment: Moment }): void {
    const { clock, server } = this.cluster;
    this.#isDead = false;
    const client = clientOf(server, {
      clock,
      through: (fetch) => async (request) => {
        if (this.#isDead) throw new TypeError("The process of the operator is gone");
        const { verb, resource } = callFacts(request);
        if (["get", "list", "watch"].includes(verb) || resource === "events") {
          return await fetch(request); // an event may be lost
        }
        if (this.writes.push(`${verb} ${resource}`) !== crash?.write) return await fetch(request);
        this.#isDead = true;
        return await dropCall(crash.moment)(request, fetch, { clock });
      },
    });
    this.#client = client;
    this.#running = runOperator(operator, { client, clock });
  }

  /** Lets time pass in steps, and checks after each that at most one pod has the label. */
  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await this.cluster.pass(1);
      const leaders = await this.leaders();
      assert(leaders.length <= 1, `${leaders.length} pods are leaders`);
      const [leader] = leaders;
      if (leader) assert.equal((await this.lease()).spec?.holderIdentity, identityOf(leader));
      if (!this.#isDead) continue;
      await this.stop();
      this.run();
    }
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

  /** Freezes a pod: it keeps running, but is no longer ready. */
  async setReady(pod: V1Pod, isReady: boolean): Promise<void> {
    const script = isReady ? null : JSON.stringify({ "*": { readyAfterMs: "never" } });
    await this.cluster.client.patch(
      Pod,
      `default/${pod.metadata?.name}`,
      mergePatch({ metadata: { annotations: { [SCRIPT]: script } } }),
    );
  }

  async stop(): Promise<void> {
    const stopped = this.#running?.stop();
    await this.cluster.pass(6);
    await stopped?.catch(() => {});
    this.#running = undefined;
    this.#client?.[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#stack.disposeAsync();
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
async function failOverTwice(write: number, moment: Moment): Promise<readonly string[]> {
  await using rig = await Rig.start({ write, moment });
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
  return rig.writes;
}

Deno.test("example 11: a crash at any write never leads to two leaders, and the next run goes on", async () => {
  const writes = await failOverTwice(0, "before");
  assert(writes.length > 10, `${writes.length} writes`);
  // Of several renewals in a row only the first is interrupted.
  const crashes = writes.flatMap((name, index) => name === writes[index - 1] ? [] : [index + 1])
    .flatMap((write) => [[write, "before"], [write, "after"]] as const).values();
  await Promise.all(Array.from({ length: 8 }, async () => {
    for (const [write, moment] of crashes) await failOverTwice(write, moment);
  }));
});
