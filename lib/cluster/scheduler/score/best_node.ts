// Mirrors `scheduler/schedule_one.go, prioritizeNodes` and `selectHost`, with the weights of
// `scheduler/apis/config/v1/default_plugins.go, getDefaultPlugins`.
import type { ReadPod } from "../../pods/pod_state.ts";
import type { NodeInfo } from "../node_info.ts";
import { imageLocality } from "./image_locality.ts";
import { preferredNodes, preferredTaints } from "./node_preferences.ts";
import { preferredPods } from "./pod_preferences.ts";
import { balancedAllocation, leastAllocated } from "./resources.ts";
import type { ScoreFacts, ScorePlugin } from "./score_plugin.ts";
import { softSpread } from "./soft_spread.ts";

/** The score plugins of kube-scheduler's default profile and their weights. */
const PLUGINS: readonly (readonly [plugin: ScorePlugin, weight: number])[] = [
  [preferredTaints, 3],
  [preferredNodes, 2],
  [leastAllocated, 1],
  [softSpread, 2],
  [preferredPods, 2],
  [balancedAllocation, 1],
  [imageLocality, 1],
];

/**
 * Returns the node with the highest score among the candidates of a pod. The function `index`
 * selects one of several such nodes: it returns an index, from 0 to below their count.
 */
export function bestNode(
  pod: ReadPod,
  candidates: readonly NodeInfo[],
  facts: ScoreFacts,
  index: (count: number) => number,
): NodeInfo {
  if (candidates.length === 1) return candidates[0]!;
  const scores = scoresOf(pod, candidates, facts);
  const best = Math.max(...scores);
  const winners = candidates.filter((_, at) => scores[at] === best);
  return winners[index(winners.length)]!;
}

/** Returns the sums of the weighted scores of all plugins, one per candidate node. */
export function scoresOf(
  pod: ReadPod,
  candidates: readonly NodeInfo[],
  facts: ScoreFacts,
): number[] {
  const scores = candidates.map(() => 0);
  for (const [plugin, weight] of PLUGINS) {
    for (const [at, score] of plugin(pod, candidates, facts).entries()) {
      scores[at]! += weight * score;
    }
  }
  return scores;
}
