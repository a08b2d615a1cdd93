import type { ApiObject } from "../machinery/api_object.ts";

/** Whether a write would change nothing, whatever the order of fields. */
export function sameObject(a: ApiObject, b: ApiObject): boolean {
  return sameValue(a, b);
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length &&
      a.every((item, index) => sameValue(item, b[index]));
  }
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key in left) if (!sameValue(left[key], right[key])) return false;
  for (const key in right) if (right[key] !== undefined && !(key in left)) return false;
  return true;
}
