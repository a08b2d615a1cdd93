// Mirrors `scheduler/framework/plugins/podtopologyspread/scoring.go, PodTopologySpread.Score`.
import type { V1TopologySpreadConstraint } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import type { ReadPod } from "../../pods/pod_state.ts";
import type { NodeInfo } from "../node_info.ts";
import { includesNode, selectedPods } from "../topology_spread.ts";
import type { ScoreFacts } from "./score_plugin.ts";

type Constraint = DeepReadonly<V1TopologySpreadConstraint>;

const HOST_NAME = "kubernetes.io/hostname";

/**
 * The topology spread constraints of pods without constraints of their own
 * (`systemDefaultConstraints`).
 */
const SYSTEM_DEFAULTS = [
  { topologyKey: HOST_NAME, maxSkew: 3, whenUnsatisfiable: "ScheduleAnyway" },
  { topologyKey: "topology.kubernetes.io/zone", maxSkew: 5, whenUnsatisfiable: "ScheduleAnyway" },
] as const;

/**
 * Returns a score from 0 to 100 for each candidate node: the higher, the fewer pods in the
 * topologies of the node are selected by the pod's topology spread constraints with
 * `ScheduleAnyway`. A pod without constraints has the system's default constraints if a default
 * selector exists for it. The score is 0 for a node that lacks a topology key of the pod's own
 * constraints, and for all nodes when no constraint applies.
 */
export function softSpread(
  pod: ReadPod,
  candidates: readonly NodeInfo[],
  facts: ScoreFacts,
): readonly number[] {
  const own = pod.spec?.topologySpreadConstraints ?? [];
  const constraints = own.length > 0
    ? own.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === "ScheduleAnyway")
    : defaultConstraints(pod, facts);
  if (constraints.length === 0) return candidates.map(() => 0);
  // The system's default constraints count nodes without a zone too, by their host names.
  const isCounted = ({ labels }: NodeInfo): boolean =>
    own.length === 0 || constraints.every(({ topologyKey }) => labels[topologyKey] !== undefined);
  const scored = candidates.filter(isCounted);
  const penalties = constraints.map((constraint) =>
    penaltyOf(pod, constraint, scored, facts.nodes.filter(isCounted))
  );
  const sums = new Map(
    scored.map((node) => [
      node,
      Math.round(penalties.reduce((sum, penalty) => sum + penalty(node), 0)),
    ]),
  );
  const [low, high] = [Math.min(...sums.values()), Math.max(...sums.values())];
  return candidates.map((node) => {
    const sum = sums.get(node);
    if (sum === undefined) return 0;
    return high === 0 ? 100 : Math.trunc(100 * (high + low - sum) / high);
  });
}

function defaultConstraints(pod: ReadPod, { defaultSelector }: ScoreFacts): readonly Constraint[] {
  const labelSelector = defaultSelector(pod);
  return labelSelector ? SYSTEM_DEFAULTS.map((each) => ({ ...each, labelSelector })) : [];
}

/**
 * Returns a function from a node to its penalty by one constraint: the selected pods in the node's
 * topology, weighted by the logarithm of the number of topologies; 0 for a node without the
 * topology key. The more topologies there are, the fewer pods are in each.
 */
function penaltyOf(
  pod: ReadPod,
  constraint: Constraint,
  candidates: readonly NodeInfo[],
  nodes: readonly NodeInfo[],
): (node: NodeInfo) => number {
  const { topologyKey, maxSkew } = constraint;
  const isHost = topologyKey === HOST_NAME;
  const selected = selectedPods(constraint, pod);
  const counts = new Map<string | undefined, number>();
  if (!isHost) {
    for (const { labels } of candidates) counts.set(labels[topologyKey], 0);
    for (const node of nodes) {
      const value = node.labels[topologyKey];
      const count = counts.get(value);
      if (count === undefined || !includesNode(constraint, pod, node)) continue;
      counts.set(value, count + selected(node));
    }
  }
  const weight = Math.log((isHost ? candidates.length : counts.size) + 2);
  return (node) => {
    const value = node.labels[topologyKey];
    if (value === undefined) return 0;
    const count = isHost ? selected(node) : counts.get(value)!;
    return count * weight + (maxSkew - 1);
  };
}
