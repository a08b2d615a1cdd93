// Mirrors `controller/podgc/gc_controller.go, byEvictionAndCreationTimestamp`.
import type { ReadPod } from "../pods/pod_state.ts";
import { byCreation } from "../ordering/by_creation.ts";

/**
 * Returns the pods to delete so that `kept` of the given terminated pods remain: evicted pods
 * first, then the oldest pods; an empty list if there are at most `kept`.
 */
export function surplusPods(pods: readonly ReadPod[], kept: number): readonly ReadPod[] {
  return pods.toSorted(compare).slice(0, Math.max(0, pods.length - kept));
}

function compare(a: ReadPod, b: ReadPod): number {
  return Number(isEvicted(b)) - Number(isEvicted(a)) ||
    byCreation(a, b);
}

function isEvicted({ status }: ReadPod): boolean {
  return status?.phase === "Failed" && status.reason === "Evicted";
}
