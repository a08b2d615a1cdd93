// Mirrors `scheduler/framework/plugins/noderesources/least_allocated.go, leastResourceScorer`, and
// `balanced_allocation.go, balancedResourceScorer`.
import type { ReadPod } from "../../pods/pod_state.ts";
import type { NodeInfo } from "../node_info.ts";
import { requestsOf, scoredRequestsOf } from "../requests.ts";

/** The resources that nodes are scored by. */
const RESOURCES = ["cpu", "memory"] as const;

/**
 * Returns a score from 0 to 100 for each candidate node, by the share of its CPU and memory that
 * remains free with the pod on it.
 */
export function leastAllocated(pod: ReadPod, candidates: readonly NodeInfo[]): readonly number[] {
  const own = scoredRequestsOf(pod);
  return candidates.map(({ allocatable, scored }) => {
    const free = RESOURCES.filter((name) => allocatable.get(name)).map((name) => {
      const capacity = allocatable.get(name)!;
      const requested = (scored.get(name) ?? 0) + own.get(name)!;
      return requested > capacity ? 0 : Math.trunc((capacity - requested) * 100 / capacity);
    });
    return free.length === 0 ? 0 : Math.trunc(free.reduce((a, b) => a + b) / free.length);
  });
}

/**
 * Returns a score from 50 to 100 for each candidate node, by how much the pod brings the used
 * shares of the node's CPU and memory closer together: 75 without a change. The score is 0 on all
 * nodes for a pod that requests neither.
 */
export function balancedAllocation(
  pod: ReadPod,
  candidates: readonly NodeInfo[],
): readonly number[] {
  const own = requestsOf(pod);
  if (RESOURCES.every((name) => !own.get(name))) return candidates.map(() => 0);
  return candidates.map(({ allocatable, requested }) => {
    const names = RESOURCES.filter((name) => allocatable.get(name));
    const used = (name: string, more: number): number =>
      Math.min(1, ((requested.get(name) ?? 0) + more) / allocatable.get(name)!);
    const withPod = balance(names.map((name) => used(name, own.get(name) ?? 0)));
    const without = balance(names.map((name) => used(name, 0)));
    return 50 + Math.trunc((50 + withPod - without) / 2);
  });
}

/**
 * Returns 100 for equal shares of CPU and memory, or if the node has only one of the two, down to
 * 50 for the most different ones.
 */
function balance([cpu, memory]: readonly number[]): number {
  if (cpu === undefined || memory === undefined) return 100;
  return Math.trunc((1 - Math.abs(cpu - memory) / 2) * 100);
}
