// Mirrors `json-patch.v4/merge.go, MergePatch`.
import { isMap, setField } from "@xca/apimachinery/internal/values";

type Fields = Record<string, unknown>;

/**
 * Applies a JSON merge patch (RFC 7386) to an object in place, and returns the object: `null`
 * removes a field, objects merge, and all other values replace. The object may share values of the
 * patch afterwards.
 */
export function applyMergePatch(object: Fields, patch: Fields): Fields {
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (value === null || value === undefined) delete object[name];
    else setField(object, name, mergeValue(own(object, name), value));
  }
  return object;
}

function mergeValue(current: unknown, value: unknown): unknown {
  if (!isMap(current)) return withoutNulls(value);
  return isMap(value) ? applyMergePatch(current, value) : value;
}

/**
 * Returns a copy of a value that a merge patch adds as a whole, without its `null` fields; nulls in
 * lists are values.
 */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => item === null ? null : withoutNulls(item));
  if (!isMap(value)) return value;
  const result: Fields = {};
  for (const name of Object.keys(value)) {
    if (value[name] !== null) setField(result, name, withoutNulls(value[name]));
  }
  return result;
}

function own(object: Fields, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
