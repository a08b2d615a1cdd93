/**
 * Returns values in the order in which error messages show them: maps sorted by key, structs in the
 * order of their fields.
 *
 * @module
 */
import type { LabelSelectorFields } from "@xca/apimachinery/internal/validation";

/** Returns a map sorted by key, as Go's error messages show it. */
export function shownMap<T>(
  map: Readonly<Record<string, T>> | undefined,
): Record<string, T> | undefined {
  return map && Object.fromEntries(Object.entries(map).sort(([a], [b]) => a < b ? -1 : 1));
}

/** Returns a label selector in the order of its fields, as Go's error messages show it. */
export function shownSelector(
  selector: LabelSelectorFields | undefined,
): LabelSelectorFields | undefined {
  if (!selector) return undefined;
  const { matchLabels, matchExpressions } = selector;
  return {
    ...matchLabels && { matchLabels: shownMap(matchLabels)! },
    ...matchExpressions && {
      matchExpressions: matchExpressions.map(({ key = "", operator = "", values }) => ({
        key,
        operator,
        ...values && { values },
      })),
    },
  };
}
