import { isMap, jsonEqual } from "@xca/apimachinery/internal/values";

/**
 * Returns the smallest JSON Merge Patch (RFC 7386) that has the same effect on `current` as
 * `wanted`; `undefined` when `wanted` changes nothing. A `current` that is not a map counts as
 * empty.
 *
 * Fields that `wanted` lacks, or has as `undefined`, are not changed, and `null` removes a field.
 * Lists are replaced as a whole.
 */
export function mergeDifference(
  current: unknown,
  wanted: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const known = isMap(current) ? current : {};
  const difference: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(wanted)) {
    if (value === undefined) continue;
    const before = Object.hasOwn(known, name) ? known[name] : undefined;
    if (value === null) {
      if (before !== undefined) difference[name] = null;
    } else if (isMap(value)) {
      const inner = mergeDifference(before, value);
      // An empty map is a change where there is none yet.
      if (inner ?? !isMap(before)) difference[name] = inner ?? {};
    } else if (!jsonEqual(before, value)) difference[name] = value;
  }
  return Object.keys(difference).length > 0 ? difference : undefined;
}

/**
 * Reports whether a merge patch contains a list at any depth of its maps; the list replaces that of
 * the object.
 */
export function replacesList(patch: unknown): boolean {
  if (Array.isArray(patch)) return true;
  return isMap(patch) && Object.values(patch).some(replacesList);
}
