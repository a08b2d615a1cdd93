// Mirrors `scheduler/framework/preemption/util.go, FilterVictimsWithPDBViolation`.
import type { V1PodDisruptionBudget } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, labelSelectorOf, matchesLabels } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";

/** A deeply read-only PodDisruptionBudget. */
export type ReadBudget = DeepReadonly<V1PodDisruptionBudget>;

/**
 * Returns those of the given pods whose deletion would violate a PodDisruptionBudget if all were
 * deleted in their order.
 */
export function budgetViolations(
  pods: readonly ReadPod[],
  budgets: readonly ReadBudget[],
): ReadonlySet<ReadPod> {
  const allowed = new Map(budgets.map((each) => [each, each.status?.disruptionsAllowed ?? 0]));
  return new Set(pods.filter((pod) => {
    for (const budget of budgets) {
      if (!covers(budget, pod)) continue;
      const left = allowed.get(budget)! - 1;
      allowed.set(budget, left);
      if (left < 0) return true;
    }
    return false;
  }));
}

/**
 * Reports whether a PodDisruptionBudget selects a pod and does not count it as disrupted yet. An
 * empty selector selects no pod, and a pod without labels is selected by no budget.
 */
function covers({ metadata, spec, status }: ReadBudget, pod: ReadPod): boolean {
  const { namespace, name = "", labels = {} } = pod.metadata;
  if (metadata.namespace !== namespace || Object.keys(labels).length === 0) return false;
  const selector = labelSelectorOf(spec?.selector ?? {});
  if (selector.requirements.length === 0 || !matchesLabels(selector, labels)) return false;
  return status?.disruptedPods?.[name] === undefined;
}
