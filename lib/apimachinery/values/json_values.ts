/** Whether a JSON value is an object: neither a list, nor a scalar, nor null. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a field whatever its name: `__proto__` is one like another. */
export function setField(map: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") map[name] = value;
  else {
    const open = { configurable: true, enumerable: true, writable: true };
    Object.defineProperty(map, name, { value, ...open });
  }
}

/**
 * Whether two JSON values are equal: the order of fields does not count, and absent fields and
 * `undefined` ones are the same.
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

/** A field that is called as something that every object inherits is absent all the same. */
function ownField(map: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** A copy that shares nothing. */
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

/** A copy whose objects have their fields sorted by name, as the real server's messages show them. */
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

/** A value as text that is the same for equal values, whatever the order of their fields. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortFields(value));
}
