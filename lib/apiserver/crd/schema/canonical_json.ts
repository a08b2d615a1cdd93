import { isMap } from "./json_schema.ts";

/** A value as text that is the same for equal values, whatever the order of their fields. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortedJson(value));
}

/** A copy whose fields are in the order of their names, as messages show values. */
export function sortedJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedJson);
  if (!isMap(value)) return value;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined).sort();
  return Object.fromEntries(keys.map((key) => [key, sortedJson(value[key])]));
}

/** Whether two JSON values are equal; the order of fields does not count. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length &&
      a.every((item, index) => equalJson(item, b[index]));
  }
  if (!isMap(a) || !isMap(b)) return false;
  const keys = definedKeys(a);
  return keys.length === definedKeys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key], b[key]));
}

function definedKeys(value: Record<string, unknown>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
