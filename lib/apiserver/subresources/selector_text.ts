import type { LabelSelectorFields } from "@xca/apimachinery/internal/validation";

/**
 * Formats a selector as text, `app=a,tier in (x,y)`, sorted by key (`metav1.FormatLabelSelector`).
 */
export function selectorText(selector: LabelSelectorFields | undefined): string {
  const parts: [key: string, text: string][] = Object.entries(selector?.matchLabels ?? {})
    .map(([key, value]) => [key, `${key}=${value}`]);
  for (const { key = "", operator, values = [] } of selector?.matchExpressions ?? []) {
    const list = `(${[...values].sort().join(",")})`;
    if (operator === "In") parts.push([key, `${key} in ${list}`]);
    else if (operator === "NotIn") parts.push([key, `${key} notin ${list}`]);
    else parts.push([key, operator === "Exists" ? key : `!${key}`]);
  }
  return parts.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0).map(([, text]) => text).join(",");
}
