/**
 * To the real server a map without entries is not the same as no map, though both are written and
 * stored as none. Few rules can tell; for those, what was sent is remembered beside the object.
 *
 * @module
 */
const noted: WeakMap<object, ReadonlySet<string>> = new WeakMap();

/** Remembers of `object` which of its fields came as a map without entries; `decoded` has them. */
export function noteEmptyMaps(object: object, decoded: unknown): void {
  const names = Object.entries(decoded ?? {}).filter(([, value]) => isEmpty(value));
  if (names.length > 0) noted.set(object, new Set(names.map(([name]) => name)));
}

/** Remembers one field of an object, or of a part of one. */
export function noteEmpty(object: object, field: string): void {
  noted.set(object, new Set([...noted.get(object) ?? [], field]));
}

/** Whether any field was remembered of the object. */
export function hasEmptyMaps(object: object): boolean {
  return noted.has(object);
}

/** Whether this field of the object came as a map without entries. */
export function hasEmptyMap(object: object, field: string): boolean {
  return noted.get(object)?.has(field) ?? false;
}

/** A field as it came: a map without entries where it is left out of the object for that. */
export function mapAsItCame<O extends object, K extends string & keyof O>(
  object: O | undefined,
  field: K,
): O[K] | undefined {
  if (object === undefined) return undefined;
  return object[field] ?? (hasEmptyMap(object, field) ? {} as O[K] : undefined);
}

/** A map, or a list as far as lists tell. */
function isEmpty(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  for (const _ in value) return false;
  return true;
}
