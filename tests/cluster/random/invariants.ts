/**
 * The invariants of every random scenario, whatever its steps.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { V1Deployment, V1Job, V1Pod } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { type KubeObject, Pod, StatefulSet } from "../../../lib/apimachinery/meta/mod.ts";
import { scaledValue } from "../../../lib/cluster/workloads/scaled_value.ts";
import type { Scenario, Stage } from "../world.ts";
import { type Change, History } from "./history.ts";
import { scenarioOf } from "./scenario.ts";
import { NAMES, type RandomStep, TYPES, type Workload } from "./steps.ts";

/** Returns the scenario of given steps, which checks the invariants after each step. */
export function checkedScenario(name: string, steps: readonly RandomStep[]): Scenario {
  let checks: Checks | undefined;
  const scenario = scenarioOf({
    name,
    steps,
    onSettled: async (stage, next) => await checks?.settled(stage, next),
  });
  return {
    ...scenario,
    run: async (stage) => {
      await using history = await History.start(stage.client, stage.namespace);
      checks = new Checks(history);
      await scenario.run(stage);
    },
  };
}

/** Reports whether a step removes pods or keeps them from nodes, so that fewer may be ready. */
function disturbs(step: RandomStep): boolean {
  const { do: act } = step;
  return !["create", "change", "template", "undo", "budget", "service"].includes(act);
}

/** The invariant checks of one scenario run. */
class Checks {
  readonly #history: History;
  /** The objects of the history in their latest state. */
  readonly #objects = new Map<string, KubeObject>();
  readonly #rollout = new RolloutChecks();
  #last: RandomStep | undefined;
  #isHeld = false;
  #hasFreePods = false;

  constructor(history: History) {
    this.#history = history;
  }

  /** Checks the changes that the last step caused, and the state that it led to. */
  async settled(stage: Stage, next: RandomStep | undefined): Promise<void> {
    const last = this.#last;
    this.#last = next;
    const steps = last?.do === "outage" ? [last, last.during] : last ? [last] : [];
    this.#isHeld ||= steps.some(({ do: act }) => act === "quota");
    this.#hasFreePods ||= steps.some((step) =>
      step.do === "relabel" || step.do === "delete" && step.propagation === "Orphan"
    );
    this.#rollout.begin(this.#objects, steps.some(disturbs));
    for (const change of this.#history.take()) this.#check(change);
    const { items: pods } = await stage.client.list(Pod, { namespace: stage.namespace });
    if (!this.#hasFreePods) await assertOwned(stage, pods);
    if (!this.#isHeld && !this.#hasFreePods) await assertOrdinals(stage, pods);
    for (const step of steps) {
      if (!this.#hasFreePods && step.do === "delete" && step.propagation === "Foreground") {
        assertGone(pods, step.kind);
      }
    }
    await assertCounted(stage, pods);
  }

  #check({ type, kind, object }: Change): void {
    const key = `${kind} ${object.metadata.uid}`;
    if (kind === "Job" && type === "MODIFIED") {
      assertRising(this.#objects.get(key) as V1Job | undefined, object as V1Job);
    }
    if (type === "DELETED") this.#objects.delete(key);
    else this.#objects.set(key, object);
    this.#rollout.check(this.#objects);
  }
}

/** The limits of a Deployment's rollout, which hold at every moment. */
class RolloutChecks {
  #most = Infinity;
  #least = -Infinity;

  /** Starts the checks of a step from the state that the previous step led to. */
  begin(objects: ReadonlyMap<string, KubeObject>, isDisturbed: boolean): void {
    const { deployment, pods } = rolloutOf(objects);
    this.#most = Math.max(pods.length, deployment ? mostPods(deployment) : 0);
    const least = deployment && !isDisturbed ? leastReady(deployment) : -Infinity;
    this.#least = pods.filter(isReady).length >= least ? least : -Infinity;
  }

  /** Checks the number of pods, and of ready pods, of the Deployment after a change. */
  check(objects: ReadonlyMap<string, KubeObject>): void {
    const { deployment, pods } = rolloutOf(objects);
    if (!deployment || deployment.metadata.deletionTimestamp !== undefined) {
      this.#least = -Infinity;
      return;
    }
    this.#most = Math.max(this.#most, mostPods(deployment));
    this.#least = Math.min(this.#least, leastReady(deployment));
    assert(pods.length <= this.#most, `${pods.length} pods, and at most ${this.#most} may be`);
    const ready = pods.filter(isReady).length;
    assert(ready >= this.#least, `${ready} ready pods, and at least ${this.#least} must be`);
  }
}

/**
 * Returns the Deployment, and the pods of its ReplicaSets that have neither terminated nor are
 * being deleted.
 */
function rolloutOf(
  objects: ReadonlyMap<string, KubeObject>,
): { readonly deployment: V1Deployment | undefined; readonly pods: readonly V1Pod[] } {
  const all = [...objects];
  const ofKind = (kind: string): KubeObject[] =>
    all.filter(([key]) => key.startsWith(`${kind} `)).map(([, object]) => object);
  const [deployment] = ofKind("Deployment") as V1Deployment[];
  const sets = ofKind("ReplicaSet").filter(({ metadata }) =>
    controllerUid({ metadata }) === deployment?.metadata.uid
  ).map(({ metadata }) => metadata.uid);
  const pods = (ofKind("Pod") as V1Pod[]).filter((pod) =>
    sets.includes(controllerUid(pod)) && isActive(pod)
  );
  return { deployment, pods };
}

function mostPods({ spec }: V1Deployment): number {
  const { replicas = 1, strategy } = spec!;
  if (strategy?.type === "Recreate") return replicas;
  return replicas + scaledValue(strategy?.rollingUpdate?.maxSurge ?? "25%", replicas, "up");
}

function leastReady({ spec }: V1Deployment): number {
  const { replicas = 1, strategy } = spec!;
  if (strategy?.type === "Recreate") return 0;
  const { maxSurge = "25%", maxUnavailable = "25%" } = strategy?.rollingUpdate ?? {};
  const unavailable = scaledValue(maxUnavailable, replicas, "down");
  const surge = scaledValue(maxSurge, replicas, "up");
  return replicas - (unavailable === 0 && surge === 0 ? 1 : unavailable);
}

function controllerUid({ metadata }: Pick<KubeObject, "metadata">): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
}

function isActive({ metadata, status }: V1Pod): boolean {
  return metadata.deletionTimestamp === undefined &&
    status?.phase !== "Failed" && status?.phase !== "Succeeded";
}

function isReady({ status }: V1Pod): boolean {
  return status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ??
    false;
}

/** Checks that the counts of terminated pods in a Job's status never decrease. */
function assertRising(before: V1Job | undefined, after: V1Job): void {
  for (const field of ["succeeded", "failed"] as const) {
    const [from = 0, to = 0] = [before?.status?.[field], after.status?.[field]];
    assert(to >= from, `status.${field} of the Job falls from ${from} to ${to}`);
  }
}

/** Checks that the owner of each pod exists. */
async function assertOwned(stage: Stage, pods: readonly V1Pod[]): Promise<void> {
  const lists = await Promise.all(
    Object.values(TYPES).map((type) => stage.client.list(type, { namespace: stage.namespace })),
  );
  const uids = lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.uid));
  for (const pod of pods) {
    const uid = controllerUid(pod);
    assert(uid !== undefined && uids.includes(uid), `Pod ${pod.metadata.name} has no owner`);
  }
}

/**
 * Checks that the pods of a StatefulSet have the lowest ordinals without a gap, and are not too
 * many.
 */
async function assertOrdinals(stage: Stage, pods: readonly V1Pod[]): Promise<void> {
  const { items: [set] } = await stage.client.list(StatefulSet, { namespace: stage.namespace });
  if (!set) return;
  const ordinals = pods.filter((pod) => controllerUid(pod) === set.metadata.uid)
    .map(({ metadata }) => Number(metadata.name!.replace(/^.*-/, ""))).sort((a, b) => a - b);
  assert.deepEqual(ordinals, ordinals.map((_, index) => index));
  assert(ordinals.length <= (set.spec?.replicas ?? 1), `StatefulSet with pods ${ordinals}`);
}

/** Checks that a deletion in the foreground has left no pod. */
function assertGone(pods: readonly V1Pod[], kind: Workload): void {
  const left = pods.filter(({ metadata }) =>
    metadata.labels?.app === NAMES[kind] && metadata.ownerReferences !== undefined
  );
  assert.deepEqual(left.map(({ metadata }) => metadata.name), []);
}

/** The kinds whose status counts all of their pods. */
const COUNTED = ["ReplicaSet", "ReplicationController", "StatefulSet"] as const;

/**
 * Checks that the counts in the statuses match the pods. A StatefulSet counts its terminated pods
 * too (`controller/statefulset/stateful_set_control.go, computeReplicaStatus`).
 */
async function assertCounted(stage: Stage, pods: readonly V1Pod[]): Promise<void> {
  for (const kind of COUNTED) {
    const { items } = await stage.client.list(TYPES[kind], { namespace: stage.namespace });
    for (const { metadata, status } of items as (KubeObject & { status?: Counts })[]) {
      const own = pods.filter((pod) =>
        controllerUid(pod) === metadata.uid && (kind === "StatefulSet" || isActive(pod))
      );
      const { replicas = 0, readyReplicas = 0 } = status ?? {};
      const counts = { replicas, readyReplicas };
      const expected = { replicas: own.length, readyReplicas: own.filter(isReady).length };
      assert.deepEqual(counts, expected, `the status of ${kind} ${metadata.name}`);
    }
  }
}

interface Counts {
  readonly replicas?: number;
  readonly readyReplicas?: number;
}
