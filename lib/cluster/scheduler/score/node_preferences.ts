// Mirrors `scheduler/framework/plugins/nodeaffinity/node_affinity.go, NodeAffinity.Score`,
// `tainttoleration/taint_toleration.go, TaintToleration.Score`, and
// `helper/normalize_score.go, DefaultNormalizeScore`.
import type { ReadPod } from "../../pods/pod_state.ts";
import type { NodeInfo } from "../node_info.ts";
import { matchesTerm, untolerated } from "../node_selection.ts";

/**
 * Returns a score from 0 to 100 for each candidate node, by the weights of the preferred terms of
 * the pod's node affinity that the node matches: 100 for the highest sum of weights, unless all
 * sums are 0.
 */
export function preferredNodes(pod: ReadPod, candidates: readonly NodeInfo[]): readonly number[] {
  const { preferredDuringSchedulingIgnoredDuringExecution: terms = [] } =
    pod.spec?.affinity?.nodeAffinity ?? {};
  const sums = candidates.map((node) =>
    terms.filter(({ preference }) => matchesTerm(preference, node))
      .reduce((sum, { weight }) => sum + weight, 0)
  );
  const highest = Math.max(...sums);
  return sums.map((sum) => highest === 0 ? 0 : Math.trunc(100 * sum / highest));
}

/**
 * Returns a score from 0 to 100 for each candidate node, by the number of its `PreferNoSchedule`
 * taints that the pod does not tolerate: 100 for none, 0 for the highest number.
 */
export function preferredTaints(pod: ReadPod, candidates: readonly NodeInfo[]): readonly number[] {
  const counts = candidates.map(({ node }) =>
    (node.spec?.taints ?? [])
      .filter((taint) => untolerated(pod, [taint], ["PreferNoSchedule"]) !== undefined).length
  );
  const most = Math.max(...counts);
  return counts.map((count) => most === 0 ? 100 : 100 - Math.trunc(100 * count / most));
}
