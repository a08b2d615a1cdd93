/**
 * Predicates that report whether the controller of a workload has no work left.
 *
 * @module
 */
import type {
  V1DaemonSet,
  V1Deployment,
  V1Job,
  V1Pod,
  V1ReplicaSet,
  V1StatefulSet,
} from "../../../lib/apimachinery/kubernetes_types/mod.ts";

/** Reports whether the controller of an object has observed its present spec. */
function isObserved(
  { metadata, status }: V1DaemonSet | V1Deployment | V1ReplicaSet | V1StatefulSet,
): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
}

/** Reports whether a rollout is complete, or blocked by pods that are not ready. */
export function isComplete(object: V1Deployment, pods: readonly V1Pod[]): boolean {
  if (!isObserved(object)) return false;
  if (pods.some(isHeld)) return true;
  const { spec, status } = object;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  if (spec.paused) return replicas === 0 || replicas === spec.replicas;
  return [replicas, updatedReplicas, availableReplicas].every((count) => count === spec.replicas);
}

/** Reports whether a Job has finished, or is suspended. */
export function isOver({ status }: V1Job): boolean {
  return (status?.conditions ?? []).some(({ type, status }) =>
    status === "True" && ["Complete", "Failed", "Suspended"].includes(type ?? "")
  );
}

/** Reports whether all pods of a StatefulSet are ready, and those above the partition updated. */
export function isUpdated(object: V1StatefulSet): boolean {
  const { spec, status } = object;
  const { replicas = 0, readyReplicas = 0, updatedReplicas = 0 } = status ?? {};
  if (!isObserved(object) || replicas !== spec.replicas || readyReplicas !== spec.replicas) {
    return false;
  }
  if (spec.updateStrategy?.type === "OnDelete") return true;
  return updatedReplicas >= replicas - (spec.updateStrategy?.rollingUpdate?.partition ?? 0);
}

/** Reports whether a ReplicaSet has its pods, or is unable to create them. */
export function isFilled(object: V1ReplicaSet): boolean {
  const { spec, status } = object;
  const isFull = (status?.replicas ?? 0) === spec.replicas;
  return isObserved(object) && (isFull || (status?.conditions ?? []).length > 0);
}

/**
 * Reports whether a DaemonSet has its pods, updated unless its strategy is `OnDelete`, or is
 * blocked by pods that are not ready.
 */
export function isEverywhere(object: V1DaemonSet, pods: readonly V1Pod[]): boolean {
  if (!isObserved(object)) return false;
  if (pods.some(isHeld)) return true;
  const { spec, status } = object;
  const { desiredNumberScheduled, numberAvailable = 0, updatedNumberScheduled = 0 } = status!;
  if (numberAvailable !== desiredNumberScheduled) return false;
  return spec?.updateStrategy?.type === "OnDelete" ||
    updatedNumberScheduled === desiredNumberScheduled;
}

/** Reports whether a pod's script prevents its readiness. */
function isHeld(pod: V1Pod): boolean {
  return isNeverReady(pod) && !isReady(pod);
}

function isReady({ status }: V1Pod): boolean {
  return status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ??
    false;
}

function isNeverReady({ metadata }: V1Pod): boolean {
  return Object.values(metadata.annotations ?? {}).some((text) => text.includes('"never"'));
}
