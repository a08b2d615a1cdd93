/**
 * Returns values in the order in which error messages show them: maps sorted by key, structs in the
 * order of their fields.
 *
 * @module
 */
import { sortedEntries } from "@xca/apimachinery/internal/values";
import type { LabelSelectorFields } from "@xca/apimachinery/internal/validation";

/** Returns a map whose entries are sorted by key, as Go's error messages show maps. */
export function shownMap<T>(
  map: Readonly<Record<string, T>> | undefined,
): Record<string, T> | undefined {
  return map && Object.fromEntries(sortedEntries(map));
}

/** Returns a label selector with its fields in the order in which Go's error messages show them. */
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
