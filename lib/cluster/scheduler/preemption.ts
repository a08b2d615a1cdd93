// Mirrors `scheduler/framework/preemption/preemption.go, Evaluator` and
// `scheduler/framework/plugins/defaultpreemption/default_preemption.go, SelectVictimsOnNode`.
import type { ReadPod } from "../pods/pod_state.ts";
import { budgetViolations, type ReadBudget } from "./budget_violations.ts";
import type { NodeInfo } from "./node_info.ts";

/** The distance of the least priority from zero. */
const LEAST_PRIORITY = 2 ** 31;

/** The pods of a node that must end so that another fits. */
export interface Preemption {
  readonly node: NodeInfo;
  /** The pods that must end, the most important first. */
  readonly victims: readonly ReadPod[];
  /** The number of victims whose end violates a disruption budget. */
  readonly violations: number;
}

/** Returns the priority of a pod. */
export function priorityOf({ spec }: ReadPod): number {
  return spec?.priority ?? 0;
}

/**
 * Returns the node on which a pod fits once pods of lower priority are gone, and as few of them as
 * possible: the node with the fewest victims that violate a disruption budget, then the node whose
 * most important victim is least important, then with the least sum of priorities, then with the
 * fewest victims, then with the youngest. `fits` answers for the nodes as they are at the call.
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

/** Reports whether pods that the pod has preempted are still ending (`PodEligibleToPreemptOthers`). */
export function awaitsVictims(pod: ReadPod, nodes: readonly NodeInfo[]): boolean {
  const nominated = nodes.find(({ name }) => name === pod.status?.nominatedNodeName);
  return [...nominated?.pods ?? []].some((each) =>
    each.metadata.deletionTimestamp !== undefined && priorityOf(each) < priorityOf(pod)
  );
}

/**
 * Returns the victims on one node. Pods stay as far as the pod fits beside them: those first whose end
 * violates a budget, of these the most important first.
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

/** Compares pods: the more important, then the older one comes first. */
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
