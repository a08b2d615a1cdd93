// Mirrors `scheduler/framework/preemption/preemption.go, Evaluator` and
// `scheduler/framework/plugins/defaultpreemption/default_preemption.go, SelectVictimsOnNode`.
import type { ReadPod } from "../pods/pod_state.ts";
import { budgetViolations, type ReadBudget } from "./budget_violations.ts";
import type { NodeInfo } from "./node_info.ts";

/** The absolute value of the lowest possible pod priority. */
const LEAST_PRIORITY = 2 ** 31;

/** The pods to delete from a node so that a pod of higher priority fits. */
export interface Preemption {
  readonly node: NodeInfo;
  /**
   * The pods that the preemption deletes, the most important first: by priority, then the older.
   */
  readonly victims: readonly ReadPod[];
  /** The number of pods to delete whose deletion violates a PodDisruptionBudget. */
  readonly violations: number;
}

/** Returns the priority of a pod, by default 0. */
export function priorityOf({ spec }: ReadPod): number {
  return spec?.priority ?? 0;
}

/**
 * Returns the best preemption, on one node, of pods of lower priority after which a pod fits;
 * `undefined` if there is none, or the pod never preempts others. Nodes are compared by the number
 * of victims that violate a PodDisruptionBudget, the priority of the most important victim, the sum
 * of the priorities, and the number of victims, where the lowest is best, and last by the start
 * time of the most important victim, where the latest is best. `fits` applies to the state of the
 * nodes at the time of its call.
 */
export function preemptionFor(
  pod: ReadPod,
  nodes: readonly NodeInfo[],
  fits: (node: NodeInfo) => boolean,
  budgets: readonly ReadBudget[] = [],
): Preemption | undefined {
  if (pod.spec?.preemptionPolicy === "Never") return undefined;
  const found = nodes.flatMap((node) => {
    const preemption = preemptionOn(pod, node, fits, budgets);
    return preemption === undefined ? [] : [preemption];
  });
  return found.sort(compare)[0];
}

/**
 * Reports whether a pod of lower priority on the pod's nominated node is still terminating, so that
 * the pod must not preempt others yet (`PodEligibleToPreemptOthers`).
 */
export function awaitsVictims(pod: ReadPod, nodes: readonly NodeInfo[]): boolean {
  const nominated = nodes.find(({ name }) => name === pod.status?.nominatedNodeName);
  return [...nominated?.pods ?? []].some((each) =>
    each.metadata.deletionTimestamp !== undefined && priorityOf(each) < priorityOf(pod)
  );
}

/**
 * Returns the preemption on one node; `undefined` if the node has no pods of lower priority, or the
 * pod does not fit even without them. All of these are removed, and added back while the pod still
 * fits: first those whose deletion violates a PodDisruptionBudget, the most important first. In the
 * end the node has all its pods again.
 */
function preemptionOn(
  pod: ReadPod,
  node: NodeInfo,
  fits: (node: NodeInfo) => boolean,
  budgets: readonly ReadBudget[],
): Preemption | undefined {
  const priority = priorityOf(pod);
  const lower = [...node.pods].filter((each) => priorityOf(each) < priority).sort(byImportance);
  if (lower.length === 0) return undefined;
  const violating = budgetViolations(lower, budgets);
  const ordered = [...violating, ...lower.filter((each) => !violating.has(each))];
  for (const each of lower) node.remove(each);
  const victims: ReadPod[] = [];
  const possible = fits(node);
  for (const each of ordered) {
    node.add(each);
    if (!possible || fits(node)) continue;
    node.remove(each);
    victims.push(each);
  }
  for (const each of victims) node.add(each);
  if (!possible) return undefined;
  const violations = victims.filter((each) => violating.has(each)).length;
  return { node, victims: victims.sort(byImportance), violations };
}

/** Compares pods for a sort: higher priority first, then the pod that started earlier. */
function byImportance(a: ReadPod, b: ReadPod): number {
  return priorityOf(b) - priorityOf(a) || startOf(a).localeCompare(startOf(b));
}

function startOf({ status, metadata }: ReadPod): string {
  return status?.startTime ?? metadata.creationTimestamp ?? "";
}

function compare(a: Preemption, b: Preemption): number {
  const highest = ({ victims }: Preemption): number => Math.max(...victims.map(priorityOf));
  // Each victim counts, also one of a negative priority.
  const sum = ({ victims }: Preemption): number =>
    victims.reduce((total, pod) => total + priorityOf(pod) + LEAST_PRIORITY, 0);
  return a.violations - b.violations || highest(a) - highest(b) || sum(a) - sum(b) ||
    a.victims.length - b.victims.length ||
    startOf(b.victims[0]!).localeCompare(startOf(a.victims[0]!));
}
