/** Whether two JSON values are equal; absent fields and `undefined` ones are the same. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length &&
      a.every((item, index) => jsonEqual(item, b[index]));
  }
  return objectsEqual(a as Record<string, unknown>, b as Record<string, unknown>);
}

function objectsEqual(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  for (const name in a) if (!jsonEqual(a[name], b[name])) return false;
  for (const name in b) if (b[name] !== undefined && a[name] === undefined) return false;
  return true;
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

/** Sets a field whatever its name: `__proto__` is one like another. */
export function setField(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else target[name] = value;
}

/** A copy whose objects have their fields sorted by name. */
export function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (value === null || typeof value !== "object") return value;
  const sorted: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    setField(sorted, name, sortFields((value as Record<string, unknown>)[name]));
  }
  return sorted;
}
