// Mirrors `scheduler/framework/plugins/interpodaffinity/scoring.go, InterPodAffinity.Score`.
import type { V1PodAffinityTerm } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import type { ReadPod } from "../../pods/pod_state.ts";
import type { NodeInfo } from "../node_info.ts";
import { selects } from "../pod_affinity.ts";
import type { ScoreFacts } from "./score_plugin.ts";

/** The weight of a required affinity term of an existing pod that selects the incoming pod. */
const REQUIRED_WEIGHT = 1;

interface WeightedTerm {
  readonly term: DeepReadonly<V1PodAffinityTerm>;
  /** The weight of the affinity term; negative for anti-affinity. */
  readonly weight: number;
}

/**
 * Returns a score from 0 to 100 for each candidate node, by the preferred affinities and
 * anti-affinities between the incoming pod and the pods of all nodes, in both directions, and by
 * the required affinities of these pods to the incoming pod; 0 for all nodes if none is better than
 * another.
 */
export function preferredPods(
  pod: ReadPod,
  candidates: readonly NodeInfo[],
  { nodes, namespaceLabels }: ScoreFacts,
): readonly number[] {
  const own = preferredTerms(pod);
  const sums = new TopologySums();
  for (const node of nodes) {
    for (const other of own.length > 0 ? node.pods : node.podsWithAffinity) {
      for (const { term, weight } of own) {
        if (selects(term, pod, other, namespaceLabels)) sums.add(node, term.topologyKey, weight);
      }
      for (const { term, weight } of [...requiredTerms(other), ...preferredTerms(other)]) {
        if (selects(term, other, pod, namespaceLabels)) sums.add(node, term.topologyKey, weight);
      }
    }
  }
  const scores = candidates.map((node) => sums.of(node));
  const low = Math.min(...scores);
  const range = Math.max(...scores) - low;
  return scores.map((score) => range === 0 ? 0 : Math.trunc(100 * ((score - low) / range)));
}

/** The sums of weights per topology key and value, such as a zone. */
class TopologySums {
  readonly #byKey = new Map<string, Map<string, number>>();

  add({ labels }: NodeInfo, topologyKey: string, weight: number): void {
    const value = labels[topologyKey];
    if (value === undefined) return;
    const sums = this.#byKey.get(topologyKey) ?? new Map<string, number>();
    this.#byKey.set(topologyKey, sums.set(value, (sums.get(value) ?? 0) + weight));
  }

  of({ labels }: NodeInfo): number {
    let total = 0;
    for (const [key, sums] of this.#byKey) total += sums.get(labels[key] ?? "") ?? 0;
    return total;
  }
}

function preferredTerms({ spec }: ReadPod): readonly WeightedTerm[] {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return [
    ...(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
      .map(({ weight, podAffinityTerm }) => ({ weight, term: podAffinityTerm })),
    ...(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
      .map(({ weight, podAffinityTerm }) => ({ weight: -weight, term: podAffinityTerm })),
  ];
}

function requiredTerms({ spec }: ReadPod): readonly WeightedTerm[] {
  return (spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
    .map((term) => ({ term, weight: REQUIRED_WEIGHT }));
}
