import { type FieldError, type FieldPath, invalid } from "@xca/apimachinery/internal/errors";

/** What is said of a field that may not change. */
export const IMMUTABLE = "field is immutable";

/**
 * Whether two values mean the same: an absent field and an empty list are equal, as they are to the
 * real server; the order of fields does not matter. An empty object is a value of its own, since what
 * it stands for (a struct that is there, a map without entries) only the caller knows.
 */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length &&
      a.every((item, index) => sameValue(item, b[index]));
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const fields = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...fields].every((field) => sameValue(left[field], right[field]));
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null ||
    (Array.isArray(value) && value.length === 0);
}

/** Checks that a field has not changed. */
export function validateImmutable(value: unknown, old: unknown, path: FieldPath): FieldError[] {
  return sameValue(value, old) ? [] : [invalid(path, value, IMMUTABLE)];
}
