/**
 * A record, beside the objects, of their fields that clients sent as an empty map or list.
 * kube-apiserver distinguishes an empty map or list from an absent one until it encodes the object,
 * and a few rules depend on it.
 *
 * @module
 */
import { cloneJson } from "@xca/apimachinery/internal/values";

const noted: WeakMap<object, ReadonlySet<string>> = new WeakMap();

/**
 * Records which top-level fields of an object were empty maps or lists in the decoded request body.
 */
export function noteEmptyMaps(object: object, decoded: unknown): void {
  const names = Object.entries(decoded ?? {}).filter(([, value]) => isEmpty(value));
  if (names.length > 0) noted.set(object, new Set(names.map(([name]) => name)));
}

/**
 * Records that a field of an object, or of a struct in an object, was sent as an empty map or list.
 */
export function noteEmpty(object: object, field: string): void {
  noted.set(object, new Set([...noted.get(object) ?? [], field]));
}

/**
 * Reports whether any field of an object or struct was sent as an empty map or list; fields of
 * structs in it do not count.
 */
export function hasEmptyMaps(object: object): boolean {
  return noted.has(object);
}

/** Reports whether a given field of an object or struct was sent as an empty map or list. */
export function hasEmptyMap(object: object, field: string): boolean {
  return noted.get(object)?.has(field) ?? false;
}

/**
 * Returns a field of an object or struct; an empty map if the field was sent as an empty map or
 * list and then omitted; `undefined` if the field was not sent.
 */
export function mapAsItCame<O extends object, K extends string & keyof O>(
  object: O | undefined,
  field: K,
): O[K] | undefined {
  if (object === undefined) return undefined;
  return object[field] ?? (hasEmptyMap(object, field) ? {} as O[K] : undefined);
}

/**
 * Returns a deep copy of an object, with the records of the empty maps and lists of the object and
 * of the structs in it; Go's `DeepCopy` preserves empty maps.
 */
export function cloneAsItCame<T extends object>(object: T): T {
  const copy = cloneJson(object);
  const pairs: (readonly [object, object])[] = [[object, copy]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [from, to] = pair;
    const names = noted.get(from);
    if (names) noted.set(to, names);
    for (const [name, value] of Object.entries(from)) {
      if (value === null || typeof value !== "object") continue;
      pairs.push([value, (to as Readonly<Record<string, object>>)[name]!]);
    }
  }
  return copy;
}

/** Reports whether a value is an empty map or list. */
function isEmpty(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  for (const _ in value) return false;
  return true;
}
