// Mirrors `controller/nodelifecycle/node_lifecycle_controller.go, nodeConditionToTaintKeyStatusMap`.
import type { V1Node, V1Taint } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, formatTime } from "@xca/apimachinery/meta";

type ReadNode = DeepReadonly<V1Node>;
type ReadTaint = DeepReadonly<V1Taint>;

const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";
const UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

/** The keys of node taints by the type and status of the node condition that causes them. */
const BY_CONDITION: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: NOT_READY, Unknown: UNREACHABLE },
  MemoryPressure: { True: "node.kubernetes.io/memory-pressure" },
  DiskPressure: { True: "node.kubernetes.io/disk-pressure" },
  NetworkUnavailable: { True: "node.kubernetes.io/network-unavailable" },
  PIDPressure: { True: "node.kubernetes.io/pid-pressure" },
};

/** The keys of the `NoSchedule` taints that the node lifecycle controller manages. */
const OWN_NO_SCHEDULE = new Set([
  UNSCHEDULABLE,
  ...Object.values(BY_CONDITION).flatMap((byStatus) => Object.values(byStatus)),
]);

/**
 * Reports whether the condition `Ready` of a node is `False` or `Unknown`, so that the node's pods
 * are to be evicted.
 */
export function isEvicting({ status }: ReadNode): boolean {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "False" || ready?.status === "Unknown";
}

/** Reports whether a node has a taint of the node lifecycle controller that evicts its pods. */
export function hasEvictingTaint({ spec }: ReadNode): boolean {
  return (spec?.taints ?? []).some((taint) => taint.effect === "NoExecute" && isOwn(taint));
}

/**
 * Returns the taints that a node should have by its conditions and `spec.unschedulable`, including
 * the taints of other writers; `undefined` if the node already has them. A present taint keeps its
 * time. `evicts` sets whether the node may have the `NoExecute` taint, which evicts its pods.
 */
export function taintsOf(node: ReadNode, now: Date, evicts: boolean): ReadTaint[] | undefined {
  const taints = node.spec?.taints ?? [];
  const wanted = wantedTaints(node).filter(({ effect }) => evicts || effect !== "NoExecute");
  const kept = taints.filter((taint) =>
    !isOwn(taint) || wanted.some((each) => isSame(each, taint))
  );
  const added = wanted.filter((each) => !taints.some((taint) => isSame(each, taint)))
    .map((taint) => ({ ...taint, timeAdded: formatTime(now) }));
  return kept.length === taints.length && added.length === 0 ? undefined : [...kept, ...added];
}

function wantedTaints({ spec, status }: ReadNode): V1Taint[] {
  const keys = (status?.conditions ?? []).flatMap(({ type, status }) =>
    BY_CONDITION[type]?.[status] ?? []
  );
  const wanted = [...keys, ...(spec?.unschedulable ? [UNSCHEDULABLE] : [])]
    .map((key) => ({ key, effect: "NoSchedule" }));
  const evicting = keys.filter((key) => key === NOT_READY || key === UNREACHABLE)
    .map((key) => ({ key, effect: "NoExecute" }));
  return [...wanted, ...evicting];
}

function isOwn({ key, effect }: ReadTaint): boolean {
  return effect === "NoSchedule"
    ? OWN_NO_SCHEDULE.has(key)
    : effect === "NoExecute" && (key === NOT_READY || key === UNREACHABLE);
}

function isSame(a: ReadTaint, b: ReadTaint): boolean {
  return a.key === b.key && a.effect === b.effect;
}
