// Mirrors `scheduler/framework/plugins/noderesources/least_allocated.go, leastResourceScorer` and the
// other score plugins of kube-scheduler's default profile.
import { labelSelectorOf, matchesLabels } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import type { NodeInfo } from "./node_info.ts";
import { matchesTerm, untolerated } from "./node_selection.ts";
import { type NamespaceLabels, selects } from "./pod_affinity.ts";
import { scoredRequestsOf } from "./requests.ts";

/** The weights of node scores in kube-scheduler's default profile. */
const WEIGHTS = { taints: 3, nodeAffinity: 2, spread: 2, podAffinity: 2, least: 1, balance: 1 };

/**
 * Returns the node with the highest score among those that a pod fits: preferred by its affinities,
 * with few pods of the same kind, and with the most free resources. `index`, a number below the
 * count of the best nodes, selects one of them.
 */
export function bestNode(
  pod: ReadPod,
  nodes: readonly NodeInfo[],
  namespaceLabels: NamespaceLabels,
  index: (count: number) => number,
): NodeInfo {
  if (nodes.length === 1) return nodes[0]!;
  const scores = nodes.map(() => 0);
  const add = (weight: number, of: readonly number[]): void => {
    for (const [at, score] of of.entries()) scores[at]! += weight * score;
  };
  add(WEIGHTS.taints, inverted(nodes.map((node) => untoleratedPreferences(pod, node))));
  add(WEIGHTS.nodeAffinity, normalized(nodes.map((node) => preferredNode(pod, node))));
  add(WEIGHTS.podAffinity, normalized(preferredPods(pod, nodes, namespaceLabels)));
  add(WEIGHTS.spread, inverted(nodes.map((node) => siblings(pod, node))));
  add(WEIGHTS.least, nodes.map((node) => leastAllocated(pod, node)));
  add(WEIGHTS.balance, nodes.map((node) => balanced(pod, node)));
  const best = Math.max(...scores);
  const winners = nodes.filter((_, at) => scores[at] === best);
  return winners[index(winners.length)]!;
}

/** Scales the scores of nodes so that the highest becomes 100. */
function normalized(scores: readonly number[]): number[] {
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  if (high === low) return scores.map(() => 0);
  return scores.map((score) =>
    Math.trunc(100 * (score - Math.min(low, 0)) / (high - Math.min(low, 0)))
  );
}

/**
 * Scales counts of nodes to scores: the highest count becomes 0, and a count of zero becomes 100.
 */
function inverted(counts: readonly number[]): number[] {
  const most = Math.max(...counts);
  return counts.map((count) => most === 0 ? 100 : Math.trunc(100 * (most - count) / most));
}

function untoleratedPreferences(pod: ReadPod, { node }: NodeInfo): number {
  return (node.spec?.taints ?? [])
    .filter((taint) => untolerated(pod, [taint], ["PreferNoSchedule"]) !== undefined).length;
}

function preferredNode({ spec }: ReadPod, node: NodeInfo): number {
  const preferred = spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
  return (preferred ?? []).filter(({ preference }) => matchesTerm(preference, node))
    .reduce((sum, { weight }) => sum + weight, 0);
}

function preferredPods(
  pod: ReadPod,
  nodes: readonly NodeInfo[],
  namespaceLabels: NamespaceLabels,
): number[] {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const terms = [
    ...(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
      .map(({ weight, podAffinityTerm }) => ({ weight, term: podAffinityTerm })),
    ...(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
      .map(({ weight, podAffinityTerm }) => ({ weight: -weight, term: podAffinityTerm })),
  ];
  const totals = new Map<string, number>();
  for (const { weight, term } of terms) {
    for (const node of nodes) {
      const value = node.labels[term.topologyKey];
      if (value === undefined) continue;
      for (const other of node.pods) {
        if (!selects(term, pod, other, namespaceLabels)) continue;
        const key = `${term.topologyKey}=${value}`;
        totals.set(key, (totals.get(key) ?? 0) + weight);
      }
    }
  }
  const keys = new Set(terms.map(({ term }) => term.topologyKey));
  return nodes.map((node) =>
    [...keys].reduce((sum, key) => sum + (totals.get(`${key}=${node.labels[key]}`) ?? 0), 0)
  );
}

/**
 * Returns the number of pods on a node that have all labels of the given pod, such as other
 * replicas of its workload; 0 for a pod without a controller.
 */
function siblings({ metadata }: ReadPod, node: NodeInfo): number {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return 0;
  const selector = labelSelectorOf({ matchLabels: metadata.labels });
  return [...node.pods].filter((other) =>
    other.metadata.namespace === metadata.namespace &&
    matchesLabels(selector, other.metadata.labels ?? {})
  ).length;
}

function leastAllocated(pod: ReadPod, node: NodeInfo): number {
  const free = fractions(pod, node).map((used) => used > 1 ? 0 : 100 * (1 - used));
  return free.length === 0 ? 0 : Math.trunc(free.reduce((a, b) => a + b) / free.length);
}

function balanced(pod: ReadPod, node: NodeInfo): number {
  const [cpu = 0, memory = 0] = fractions(pod, node).map((used) => Math.min(used, 1));
  return Math.trunc(100 * (1 - Math.abs(cpu - memory) / 2));
}

/** Returns the fractions of a node's CPU and memory that are requested with the pod on it. */
function fractions(pod: ReadPod, node: NodeInfo): number[] {
  return Array.from(scoredRequestsOf(pod)).flatMap(([name, own]) => {
    const allocatable = node.allocatable.get(name) ?? 0;
    return allocatable === 0 ? [] : [((node.scored.get(name) ?? 0) + own) / allocatable];
  });
}
