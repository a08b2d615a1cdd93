// Mirrors `client-go/listers/policy/v1/poddisruptionbudget_expansion.go, GetPodPodDisruptionBudgets`.
import type { V1LabelSelector } from "@xca/apimachinery/kubernetes-types";
import {
  type DeepReadonly,
  type LabelSelector,
  labelSelectorOf,
  matchesLabels,
} from "@xca/apimachinery/meta";
import type { ReadBudget } from "./budget_status.ts";

/**
 * Returns the label selector of a PodDisruptionBudget; `undefined` for a budget without one, which
 * selects nothing. An empty selector selects every pod of the namespace.
 */
export function selectorOf({ spec }: ReadBudget): LabelSelector | undefined {
  return spec?.selector && labelSelectorOf(spec.selector);
}

/**
 * Reports whether a PodDisruptionBudget selects pods with the given labels. The caller compares the
 * namespaces.
 */
export function selects(budget: ReadBudget, labels: Readonly<Record<string, string>>): boolean {
  const selector = selectorOf(budget);
  return selector !== undefined && matchesLabels(selector, labels);
}

/**
 * Returns a label selector as the text that Go's `LabelSelector.String` prints, for the messages of
 * events; an absent selector like an empty one.
 */
export function goSelector(selector: DeepReadonly<V1LabelSelector> | undefined): string {
  const labels = Object.entries(selector?.matchLabels ?? {}).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, value]) => `${name}: ${value},`).join("");
  const expressions = (selector?.matchExpressions ?? []).map(({ key, operator, values = [] }) =>
    `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`
  ).join("");
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},` +
    `MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
}
