// Mirrors `controller/controller_utils.go, ActivePodsWithRanks`.
import { isActive, isReady, type ReadPod, readySinceMs } from "./pod_state.ts";
import { compareText } from "../ordering/by_creation.ts";

/**
 * The rank of each pod phase in the order in which a workload's surplus pods are deleted, the
 * lowest rank first.
 */
const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

/** The facts about a pod that determine its rank among the surplus pods to delete. */
interface Ranked {
  readonly pod: ReadPod;
  /** The number of active pods of the same workload on the pod's node. */
  readonly neighbours: number;
}

/**
 * Returns pods in the order in which a workload that is scaled down deletes them: pods that are
 * unassigned, pending or not ready come first, then pods with a lower deletion cost, more `related`
 * pods on their node, a shorter time of readiness, more restarts, or a lower age. `related` has the
 * pods of the same workload, across all its ReplicaSets.
 */
export function inDeletionOrder(
  pods: readonly ReadPod[],
  related: readonly ReadPod[],
  nowMs: number,
): ReadPod[] {
  const onNode = new Map<string, number>();
  for (const { spec } of related.filter(isActive)) {
    const node = spec?.nodeName ?? "";
    onNode.set(node, (onNode.get(node) ?? 0) + 1);
  }
  return pods
    .map((pod) => ({ pod, neighbours: onNode.get(pod.spec?.nodeName ?? "") ?? 0 }))
    .sort((a, b) => compare(a, b, nowMs))
    .map(({ pod }) => pod);
}

/**
 * Compares two pods for the deletion order; negative if the first pod is deleted before the second.
 */
function compare(a: Ranked, b: Ranked, nowMs: number): number {
  return Number(isAssigned(a.pod)) - Number(isAssigned(b.pod)) ||
    phaseOf(a.pod) - phaseOf(b.pod) ||
    Number(isReady(a.pod)) - Number(isReady(b.pod)) ||
    deletionCost(a.pod) - deletionCost(b.pod) ||
    b.neighbours - a.neighbours ||
    compareAge(a.pod, b.pod, readySinceMs, nowMs) ||
    restarts(b.pod, "containerStatuses") - restarts(a.pod, "containerStatuses") ||
    restarts(b.pod, "initContainerStatuses") - restarts(a.pod, "initContainerStatuses") ||
    compareAge(a.pod, b.pod, createdMs, nowMs);
}

function isAssigned({ spec }: ReadPod): boolean {
  return (spec?.nodeName ?? "") !== "";
}

function phaseOf({ status }: ReadPod): number {
  return PHASES[status?.phase ?? ""] ?? 0;
}

function deletionCost({ metadata }: ReadPod): number {
  const text = metadata.annotations?.[DELETION_COST] ?? "0";
  return /^-?(0|[1-9]\d*)$/.test(text) ? Number(text) : 0;
}

function createdMs({ metadata }: ReadPod): number | undefined {
  return metadata.creationTimestamp === undefined
    ? undefined
    : Date.parse(metadata.creationTimestamp);
}

/**
 * Compares the ages of two pods on a logarithmic scale, for a sort: a younger pod comes first, and
 * a pod without the time before all others. Pods of a similar age are ordered by their UIDs, that
 * is at random.
 */
function compareAge(
  a: ReadPod,
  b: ReadPod,
  timeOf: (pod: ReadPod) => number | undefined,
  nowMs: number,
): number {
  const [ofA, ofB] = [timeOf(a), timeOf(b)];
  if (ofA === ofB) return 0;
  if (ofA === undefined || ofB === undefined) return ofA === undefined ? -1 : 1;
  const rank = logarithm(nowMs - ofA) - logarithm(nowMs - ofB);
  return rank || compareText(a.metadata.uid ?? "", b.metadata.uid ?? "");
}

const NANOSECONDS = 1e6;

function logarithm(ageMs: number): number {
  return ageMs > 0 ? Math.trunc(Math.log2(ageMs * NANOSECONDS)) : -1;
}

/**
 * Returns the highest restart count among the containers in one of a pod's status lists, 0 for an
 * empty list; of the init containers only sidecars count.
 */
function restarts(pod: ReadPod, list: "containerStatuses" | "initContainerStatuses"): number {
  const sidecars = new Set(
    pod.spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === "Always")
      .map(({ name }) => name),
  );
  const counted = (pod.status?.[list] ?? [])
    .filter(({ name }) => list === "containerStatuses" || sidecars.has(name));
  return Math.max(0, ...counted.map(({ restartCount }) => restartCount ?? 0));
}
