/** Reports whether a JSON value is an object: neither a list, nor a scalar, nor null. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a field of a JSON object, whatever its name, `__proto__` included. */
export function setField(map: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") map[name] = value;
  else {
    const open = { configurable: true, enumerable: true, writable: true };
    Object.defineProperty(map, name, { value, ...open });
  }
}

/**
 * Reports whether two JSON values are equal, regardless of the order of fields; an `undefined`
 * field equals an absent one.
 */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length &&
      a.every((item, index) => jsonEqual(item, b[index]));
  }
  return fieldsEqual(a as Record<string, unknown>, b as Record<string, unknown>);
}

function fieldsEqual(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  for (const name in a) if (!jsonEqual(a[name], ownField(b, name))) return false;
  for (const name in b) {
    if (b[name] !== undefined && ownField(a, name) === undefined) return false;
  }
  return true;
}

/** Returns a deep copy of a JSON value. */
export function cloneJson<T>(value: T): T {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(cloneJson) as T;
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    const inner = (value as Record<string, unknown>)[name];
    if (inner !== undefined) setField(copy, name, cloneJson(inner));
  }
  return copy as T;
}

/**
 * Returns a copy of a JSON value whose objects have sorted fields, as error messages of
 * kube-apiserver show them.
 */
export function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (!isMap(value)) return value;
  const sorted: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    const inner = value[name];
    if (inner !== undefined) setField(sorted, name, sortFields(inner));
  }
  return sorted;
}

/**
 * Returns a canonical text of a JSON value: equal values have equal texts, whatever the order of
 * their fields.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortFields(value));
}

/** Returns an own field of a JSON object; one with the name of an inherited member is absent. */
export function ownField<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
