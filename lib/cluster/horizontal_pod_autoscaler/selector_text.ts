// Mirrors `apis/meta/v1/types.go, LabelSelector`.
import type { DeepReadonly } from "@xca/apimachinery/meta";
import type { V1LabelSelector } from "@xca/apimachinery/kubernetes-types";

/**
 * Returns a label selector as the text that Go's `LabelSelector.String` prints, for the messages of
 * events and conditions; the text `nil` if there is no selector.
 */
export function goSelector(selector: DeepReadonly<V1LabelSelector> | undefined): string {
  if (!selector) return "nil";
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values = [] }) =>
    `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},` +
    `MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
