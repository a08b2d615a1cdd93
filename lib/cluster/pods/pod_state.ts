// Mirrors `controller/controller_utils.go, IsPodActive` and `api/v1/pod/util.go, IsPodAvailable`.
import type { V1Pod, V1PodCondition } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";

/** A deeply read-only pod. */
export type ReadPod = DeepReadonly<V1Pod>;

/** Reports whether a pod has terminated: its phase is `Succeeded` or `Failed`. */
export function isTerminal({ status }: ReadPod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Reports whether a pod counts as a replica: it has not terminated, and is not being deleted. */
export function isActive(pod: ReadPod): boolean {
  return !isTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Reports whether a pod is being deleted and has not terminated. */
export function isTerminating(pod: ReadPod): boolean {
  return !isTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;
}

/** Returns the condition of a pod that has the given type; `undefined` if there is none. */
export function podCondition(pod: ReadPod, type: string): DeepReadonly<V1PodCondition> | undefined {
  return pod.status?.conditions?.find((condition) => condition.type === type);
}

/** Reports whether the condition `Ready` of a pod is `True`. */
export function isReady(pod: ReadPod): boolean {
  return podCondition(pod, "Ready")?.status === "True";
}

/**
 * Returns the time since which a pod has been ready, in milliseconds since the epoch; `undefined`
 * if the pod is not ready, or its condition has no transition time.
 */
export function readySinceMs(pod: ReadPod): number | undefined {
  const ready = podCondition(pod, "Ready");
  if (ready?.status !== "True" || ready.lastTransitionTime === undefined) return undefined;
  return Date.parse(ready.lastTransitionTime);
}

/** Reports whether a pod has been ready for at least `minReadySeconds`. */
export function isAvailable(pod: ReadPod, minReadySeconds: number, nowMs: number): boolean {
  if (!isReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const sinceMs = readySinceMs(pod);
  return sinceMs !== undefined && sinceMs + minReadySeconds * 1000 <= nowMs;
}

/**
 * Returns the time until the next of several ready pods becomes available, in milliseconds;
 * `undefined` if all ready pods are available.
 */
export function nextAvailabilityMs(
  pods: readonly ReadPod[],
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  const waits = pods.map(readySinceMs)
    .filter((sinceMs) => sinceMs !== undefined)
    .map((sinceMs) => sinceMs + minReadySeconds * 1000 - nowMs)
    .filter((waitMs) => waitMs > 0);
  return waits.length === 0 ? undefined : Math.min(...waits);
}
