// Mirrors `scheduler/framework/plugins/podtopologyspread/filtering.go, PodTopologySpread`.
import type { V1TopologySpreadConstraint } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, labelSelectorOf, matchesLabels } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import type { NodeInfo } from "./node_info.ts";
import { matchesNodeAffinity, untolerated } from "./node_selection.ts";

type Constraint = DeepReadonly<V1TopologySpreadConstraint>;

const NOT_MATCHED = "node(s) didn't match pod topology spread constraints";

/**
 * The distribution of the pods that a pod's topology spread constraints with `DoNotSchedule`
 * select, counted once per scheduling attempt.
 */
export class TopologySpread {
  readonly #spreads: readonly {
    readonly constraint: Constraint;
    readonly counts: Map<string, number>;
    readonly matchesItself: boolean;
  }[];

  constructor(pod: ReadPod, nodes: readonly NodeInfo[]) {
    const constraints = (pod.spec?.topologySpreadConstraints ?? [])
      .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === "DoNotSchedule");
    this.#spreads = constraints.map((constraint) => ({
      constraint,
      counts: countsOf(pod, constraint, constraints, nodes),
      matchesItself: selectionOf(constraint, pod)(pod),
    }));
  }

  /**
   * Returns the reason why a topology spread constraint rejects a node, in kube-scheduler's
   * wording; `undefined` if none does.
   */
  problem(node: NodeInfo): string | undefined {
    for (const { constraint, counts, matchesItself } of this.#spreads) {
      const value = node.labels[constraint.topologyKey];
      if (value === undefined) return `${NOT_MATCHED} (missing required label)`;
      const tooFew = counts.size < (constraint.minDomains ?? 1);
      const fewest = tooFew ? 0 : Math.min(...counts.values());
      const skew = (counts.get(value) ?? 0) + Number(matchesItself) - fewest;
      if (skew > constraint.maxSkew) return NOT_MATCHED;
    }
    return undefined;
  }
}

/**
 * Returns the numbers of selected pods by the value of the topology key, over the nodes that have
 * the topology keys of all constraints and that the constraint includes.
 */
function countsOf(
  pod: ReadPod,
  constraint: Constraint,
  constraints: readonly Constraint[],
  nodes: readonly NodeInfo[],
): Map<string, number> {
  const counts = new Map<string, number>();
  const count = selectedPods(constraint, pod);
  for (const node of nodes) {
    if (constraints.some(({ topologyKey }) => node.labels[topologyKey] === undefined)) continue;
    if (!includesNode(constraint, pod, node)) continue;
    const value = node.labels[constraint.topologyKey]!;
    counts.set(value, (counts.get(value) ?? 0) + count(node));
  }
  return counts;
}

/** Reports whether the inclusion policies of a constraint count the pods of a node. */
export function includesNode(constraint: Constraint, pod: ReadPod, node: NodeInfo): boolean {
  const { nodeAffinityPolicy = "Honor", nodeTaintsPolicy = "Ignore" } = constraint;
  if (nodeAffinityPolicy === "Honor" && !matchesNodeAffinity(pod, node)) return false;
  return nodeTaintsPolicy !== "Honor" ||
    untolerated(pod, node.node.spec?.taints, ["NoSchedule", "NoExecute"]) === undefined;
}

/**
 * Returns a function that counts the pods of a node that a pod's constraint selects. Pods that are
 * being deleted do not count, and none do for an empty selector.
 */
export function selectedPods(constraint: Constraint, pod: ReadPod): (node: NodeInfo) => number {
  const { matchLabels = {}, matchExpressions = [] } = constraint.labelSelector ?? {};
  if (Object.keys(matchLabels).length + matchExpressions.length === 0) return () => 0;
  const selects = selectionOf(constraint, pod);
  return ({ pods }) => {
    let count = 0;
    for (const other of pods) {
      if (other.metadata.deletionTimestamp === undefined && selects(other)) count++;
    }
    return count;
  };
}

/**
 * Returns a function that reports whether a pod's constraint selects another pod, which must be in
 * the same namespace; a constraint without a label selector selects none.
 */
function selectionOf(constraint: Constraint, pod: ReadPod): (other: ReadPod) => boolean {
  if (!constraint.labelSelector) return () => false;
  const { namespace, labels: own = {} } = pod.metadata;
  const selector = labelSelectorOf(constraint.labelSelector);
  const keys = (constraint.matchLabelKeys ?? []).filter((key) => own[key] !== undefined);
  return ({ metadata: { namespace: of, labels = {} } }) =>
    of === namespace && matchesLabels(selector, labels) &&
    keys.every((key) => own[key] === labels[key]);
}
