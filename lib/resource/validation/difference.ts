import { isMap, jsonEqual } from "@xca/apimachinery/internal/values";

/** The first field in which two objects differ, and a text with both values. */
export interface Difference {
  readonly field: string;
  readonly reason: string;
}

/**
 * Returns the first difference between two JSON values at `path`, in the innermost field or item
 * that differs; lists of different lengths differ as a whole. Returns undefined when the values are
 * equal.
 */
export function difference(before: unknown, after: unknown, path = ""): Difference | undefined {
  if (jsonEqual(before, after)) return undefined;
  if (isMap(before) && isMap(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    for (const name of names) {
      const below = path === "" ? name : `${path}.${name}`;
      const found = difference(before[name], after[name], below);
      if (found) return found;
    }
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) {
      const found = difference(item, after[index], `${path}[${index}]`);
      if (found) return found;
    }
  }
  return { field: path, reason: `${shown(before)} becomes ${shown(after)}` };
}

function shown(value: unknown): string {
  return value === undefined ? "absent" : JSON.stringify(value);
}
