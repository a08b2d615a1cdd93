// Mirrors `controller/deployment/sync.go, DeploymentController`.
import type { V1Deployment, V1ReplicaSet } from "@xca/apimachinery/kubernetes-types";
import { Deployment, formatTime, keyOf, ReplicaSet } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { type ConditionFacts, newCondition, setCondition } from "./deployment_conditions.ts";
import { sizeOf } from "./replica_sets.ts";
import { annotateSizes, revisionOf } from "./revisions.ts";
import { byCreation } from "../ordering/by_creation.ts";

/** The value of a limit that stands for none (`math.MaxInt32`). */
const NO_LIMIT = 2 ** 31 - 1;

/** One reconcile run of a Deployment: the copy that the run may change, and its writes. */
export class Rollout {
  readonly context: ReconcileContext;
  /** The run's copy of the Deployment. Its status and annotations are what the run has written. */
  readonly deployment: V1Deployment;

  constructor(context: ReconcileContext, deployment: V1Deployment) {
    this.context = context;
    this.deployment = deployment;
  }

  /** The time of a condition that changes now. */
  get now(): string {
    return formatTime(this.context.clock.now());
  }

  /** Whether the Deployment fails when it does not progress for some time. */
  get hasProgressDeadline(): boolean {
    const { progressDeadlineSeconds } = this.deployment.spec;
    return progressDeadlineSeconds !== undefined && progressDeadlineSeconds !== NO_LIMIT;
  }

  /** Records an event about the Deployment. */
  record(type: "Normal" | "Warning", reason: string, note: string): void {
    this.context.events.record(Deployment, this.deployment, { type, reason, note });
  }

  /** Sets a condition in the run's copy of the status. */
  setCondition(facts: ConditionFacts): void {
    this.deployment.status ??= {};
    setCondition(this.deployment.status, newCondition(facts, this.now));
  }

  /** Writes the status of the run's copy, and its annotations, which the server takes with it. */
  async writeStatus(): Promise<void> {
    const written = await this.context.client.updateStatus(Deployment, this.deployment);
    this.#keep(written);
  }

  /** Writes the spec and annotations of the run's copy. */
  async write(): Promise<void> {
    this.#keep(await this.context.client.update(Deployment, this.deployment));
  }

  /** Writes a ReplicaSet, and returns it as the server has stored it. */
  async writeReplicaSet(set: V1ReplicaSet): Promise<V1ReplicaSet> {
    return await this.context.client.update(ReplicaSet, set);
  }

  /**
   * Scales a ReplicaSet, with an event about the Deployment, and returns it as it is then.
   * Annotations that record the size of the Deployment are written along, or alone with `refresh`.
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

  /** Deletes the oldest ReplicaSets without pods beyond `spec.revisionHistoryLimit`. */
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

/** Reports whether a ReplicaSet has no pods, wants none, and its controller has seen that. */
function isAtRest(set: V1ReplicaSet): boolean {
  const { replicas = 0, observedGeneration = 0 } = set.status ?? {};
  return replicas === 0 && sizeOf(set) === 0 &&
    (set.metadata.generation ?? 0) <= observedGeneration;
}

/** Compares the revisions of ReplicaSets, or their ages where one has no valid revision. */
function byRevision(a: V1ReplicaSet, b: V1ReplicaSet): number {
  const [ofA, ofB] = [revisionOf(a), revisionOf(b)];
  if (ofA === undefined || ofB === undefined) return byCreation(a, b);
  return ofA - ofB || byCreation(a, b);
}
