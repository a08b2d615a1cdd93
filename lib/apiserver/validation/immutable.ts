// Mirrors `api/validation/objectmeta.go, ValidateImmutableField`.
import {
  declared,
  type FieldError,
  type FieldPath,
  invalid,
} from "@xca/apimachinery/internal/errors";

/** The message of the error about a changed immutable field. */
export const IMMUTABLE = "field is immutable";

/**
 * Reports whether two field values are semantically equal: an absent field equals `null` and an
 * empty list, and the order of fields does not matter. An empty object differs from an absent one,
 * since only the caller knows whether it is a struct or a map.
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

/**
 * Returns a validation error if an update has changed a field; otherwise an empty list
 * (`api/validation/objectmeta.go`, `ValidateImmutableField`).
 */
export function validateImmutable(value: unknown, old: unknown, path: FieldPath): FieldError[] {
  return sameValue(value, old) ? [] : [invalid(path, value, IMMUTABLE)];
}

/**
 * Returns a validation error if an update has changed a field; otherwise an empty list. The error
 * does not show the value, like the error of a declarative rule (`api/validate/immutable.go`,
 * `Immutable`).
 */
export function declareImmutable(value: unknown, old: unknown, path: FieldPath): FieldError[] {
  return sameValue(value, old) ? [] : declared(invalid(path, undefined, IMMUTABLE));
}
