// Mirrors `controller/job/job_controller.go, activePodsForRemoval`.
import type { V1Job } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import { inDeletionOrder } from "../pods/deletion_order.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import { indexOf, isIndexed } from "./completion_indexes.ts";

/**
 * Returns the active pods of a Job to delete: at least the given number of them. Of an indexed Job
 * these are first all pods without an index, with an index out of range, or with the index of
 * another pod; the others follow in the order in which a workload that is scaled down deletes pods.
 */
export function excessPods(
  job: DeepReadonly<V1Job>,
  active: readonly ReadPod[],
  atLeast: number,
  nowMs: number,
): ReadPod[] {
  const ordered = inDeletionOrder(active, [], nowMs);
  if (!isIndexed(job)) return ordered.slice(0, atLeast);
  const seen = new Set<number>();
  const kept = new Set(
    ordered.toReversed().filter((pod) => {
      const index = indexOf(pod);
      const isWanted = index !== undefined && index < (job.spec?.completions ?? 0);
      if (!isWanted || seen.has(index)) return false;
      seen.add(index);
      return true;
    }),
  );
  const excess = ordered.filter((pod) => !kept.has(pod));
  const more = Math.max(0, atLeast - excess.length);
  return [...excess, ...ordered.filter((pod) => kept.has(pod)).slice(0, more)];
}
