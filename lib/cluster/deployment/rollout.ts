// Mirrors `controller/deployment/sync.go, DeploymentController`.
import type { V1Deployment, V1ReplicaSet } from "@xca/apimachinery/kubernetes-types";
import { Deployment, formatTime, keyOf, ReplicaSet } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { type ConditionFacts, newCondition, setCondition } from "./deployment_conditions.ts";
import { sizeOf } from "./replica_sets.ts";
import { annotateSizes, revisionOf } from "./revisions.ts";
import { byCreation } from "../ordering/by_creation.ts";

/**
 * The number that means "no limit" in the fields `progressDeadlineSeconds` and
 * `revisionHistoryLimit` of a Deployment (`math.MaxInt32`).
 */
const NO_LIMIT = 2 ** 31 - 1;

/**
 * A reconcile run of one Deployment: the copy that the run may change, and its writes to the
 * server.
 */
export class Rollout {
  readonly context: ReconcileContext;
  /**
   * The copy of the Deployment that this reconcile run changes. Its status and annotations include
   * the changes that the run has written.
   */
  readonly deployment: V1Deployment;

  constructor(context: ReconcileContext, deployment: V1Deployment) {
    this.context = context;
    this.deployment = deployment;
  }

  /** The present time in the format of Kubernetes, for the times of conditions that change. */
  get now(): string {
    return formatTime(this.context.clock.now());
  }

  /**
   * Reports whether the Deployment has a progress deadline, after which a rollout without progress
   * fails.
   */
  get hasProgressDeadline(): boolean {
    const { progressDeadlineSeconds } = this.deployment.spec;
    return progressDeadlineSeconds !== undefined && progressDeadlineSeconds !== NO_LIMIT;
  }

  /** Emits an event about the Deployment. */
  record(type: "Normal" | "Warning", reason: string, note: string): void {
    this.context.events.record(Deployment, this.deployment, { type, reason, note });
  }

  /**
   * Sets a condition in the status of the Deployment, on the copy that the reconcile run changes.
   */
  setCondition(facts: ConditionFacts): void {
    this.deployment.status ??= {};
    setCondition(this.deployment.status, newCondition(facts, this.now));
  }

  /**
   * Writes the status and the annotations of the Deployment from the copy that the reconcile run
   * changed, and updates the resource version of the copy.
   */
  async writeStatus(): Promise<void> {
    const written = await this.context.client.updateStatus(Deployment, this.deployment);
    this.#keep(written);
  }

  /**
   * Writes the spec and the metadata of the Deployment from the copy that the reconcile run
   * changed, and updates the resource version of the copy.
   */
  async write(): Promise<void> {
    this.#keep(await this.context.client.update(Deployment, this.deployment));
  }

  /** Updates a ReplicaSet on the server; returns the stored object. */
  async writeReplicaSet(set: V1ReplicaSet): Promise<V1ReplicaSet> {
    return await this.context.client.update(ReplicaSet, set);
  }

  /**
   * Scales a ReplicaSet, emits an event about the Deployment if the size changes, and returns the
   * stored ReplicaSet, or the given one if nothing is written. The annotations with the size of the
   * Deployment are updated too; with `refresh` outdated ones are written even if the size is
   * unchanged.
   */
  async scale(
    set: V1ReplicaSet,
    size: number,
    { refresh = false }: { readonly refresh?: boolean } = {},
  ): Promise<V1ReplicaSet> {
    const before = sizeOf(set);
    if (before === size && !refresh) return set;
    const next = structuredClone(set);
    next.spec.replicas = size;
    const annotated = annotateSizes(next, this.deployment);
    if (before === size && !annotated) return set;
    const written = await this.writeReplicaSet(next);
    if (before !== size) {
      const way = before < size ? "up" : "down";
      const note = `Scaled ${way} replica set ${written.metadata.name} from ${before} to ${size}`;
      this.record("Normal", "ScalingReplicaSet", note);
    }
    return written;
  }

  /**
   * Deletes the old ReplicaSets with the lowest revisions beyond `spec.revisionHistoryLimit`,
   * except those that still have or want pods, or whose status is that of an earlier generation.
   */
  async cleanUp(old: readonly V1ReplicaSet[]): Promise<void> {
    const { revisionHistoryLimit: limit = NO_LIMIT } = this.deployment.spec;
    if (limit === NO_LIMIT) return;
    const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const surplus = [...alive].sort(byRevision).slice(0, Math.max(0, alive.length - limit));
    for (const set of surplus) {
      if (!isAtRest(set)) continue;
      await ignoreNotFound(this.context.client.delete(ReplicaSet, keyOf(set)));
    }
  }

  #keep({ metadata }: V1Deployment): void {
    const { resourceVersion } = metadata;
    if (resourceVersion !== undefined) this.deployment.metadata.resourceVersion = resourceVersion;
  }
}

/**
 * Reports whether a ReplicaSet has no pods, wants none, and has been observed by its controller in
 * its present generation.
 */
function isAtRest(set: V1ReplicaSet): boolean {
  const { replicas = 0, observedGeneration = 0 } = set.status ?? {};
  return replicas === 0 && sizeOf(set) === 0 &&
    (set.metadata.generation ?? 0) <= observedGeneration;
}

/**
 * Compares ReplicaSets by revision for a sort, or by age where the revisions are equal or one is
 * not a number.
 */
function byRevision(a: V1ReplicaSet, b: V1ReplicaSet): number {
  const [ofA, ofB] = [revisionOf(a), revisionOf(b)];
  if (ofA === undefined || ofB === undefined) return byCreation(a, b);
  return ofA - ofB || byCreation(a, b);
}
