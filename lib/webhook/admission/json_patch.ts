/** An operation of a JSON patch, which webhooks respond with (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/** An object or array that was parsed from JSON. */
type Container = Record<string, unknown> | unknown[];

/**
 * Returns the JSON patch that turns `before` into `after`, in time and size linear in the two.
 * Lists are compared item by item, between their equal first and last items.
 *
 * - A field of `after` that is `undefined` counts as absent, as in JSON.
 * - `before` must come from `JSON.parse`; `after` is a value of user code.
 *
 * @throws {TypeError} When `after` has a value that JSON does not have, such as a function or
 * `NaN`.
 * @throws {RangeError} When `after` contains itself, or is nested too deeply.
 */
export function jsonPatchBetween(before: unknown, after: unknown): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  compare(before, after, "", operations);
  return operations;
}

function compare(before: unknown, after: unknown, path: string, into: JsonPatchOperation[]): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, path, into);
  if (isMap(before) && isMap(after)) return compareMaps(before, after, path, into);
  into.push({ op: "replace", path, value: asJson(after, path) });
}

function compareMaps(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  path: string,
  into: JsonPatchOperation[],
): void {
  for (const key of Object.keys(before)) {
    const below = `${path}/${escaped(key)}`;
    if (!Object.hasOwn(after, key) || after[key] === undefined) {
      into.push({ op: "remove", path: below });
    } else compare(before[key], after[key], below, into);
  }
  for (const key of Object.keys(after)) {
    if (Object.hasOwn(before, key) || after[key] === undefined) continue;
    const below = `${path}/${escaped(key)}`;
    into.push({ op: "add", path: below, value: asJson(after[key], below) });
  }
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  into: JsonPatchOperation[],
): void {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && isEqual(before[head], after[head])) head++;
  let tail = 0;
  while (tail < shorter - head && isEqual(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  const oldEnd = before.length - tail;
  const newEnd = after.length - tail;
  const common = Math.min(oldEnd, newEnd);
  for (let at = head; at < common; at++) compare(before[at], after[at], `${path}/${at}`, into);
  // From the end, so that each index still means the item of `before`.
  for (let at = oldEnd - 1; at >= common; at--) into.push({ op: "remove", path: `${path}/${at}` });
  for (let at = common; at < newEnd; at++) {
    into.push({ op: "add", path: `${path}/${at}`, value: asJson(after[at], `${path}/${at}`) });
  }
}

/** Reports whether two values are equal as JSON. */
function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length &&
      left.every((each, at) => isEqual(each, right[at]));
  }
  if (!isMap(left) || !isMap(right)) return false;
  const keys = presentKeys(left);
  return keys.length === presentKeys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key], right[key]));
}

function presentKeys(map: Record<string, unknown>): string[] {
  return Object.keys(map).filter((key) => map[key] !== undefined);
}

/**
 * Returns a copy of a value of user code as JSON, without `undefined` fields. `path` is the JSON
 * pointer of the value in its object, for messages.
 *
 * @throws {TypeError} When the value is or contains one that JSON does not have: `NaN`, a function,
 * an instance of a class such as `Date`, or `undefined` in a list; the message has its path.
 * @throws {RangeError} When the value contains itself, or is nested too deeply.
 */
export function asJson(value: unknown, path: string): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (Number.isFinite(value)) return value;
      break;
    case "object":
      if (value === null) return null;
      if (Array.isArray(value)) {
        // Not `map`, which skips the missing items of a list.
        return Array.from(value, (each, at) => asJson(each, `${path}/${at}`));
      }
      if (isMap(value)) return mapAsJson(value, path);
  }
  const what = typeof value === "object" ? `an object of ${classOf(value!)}` : typeof value;
  const shown = typeof value === "number" ? String(value) : what;
  throw new TypeError(`${path || "the object"} is ${shown}, which JSON does not have`);
}

function mapAsJson(value: Record<string, unknown>, path: string): Record<string, unknown> {
  const keys = presentKeys(value);
  // `__proto__` must become a field, which an assignment does not make.
  return Object.fromEntries(
    keys.map((key) => [key, asJson(value[key], `${path}/${escaped(key)}`)]),
  );
}

/** Reports whether a value is a plain object. */
function isMap(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function classOf(value: object): string {
  const { constructor } = value as { readonly constructor?: { readonly name?: unknown } };
  return typeof constructor?.name === "string" ? `class ${constructor.name}` : "a class";
}

/** Escapes a key for a JSON pointer (RFC 6901, 3). */
function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/**
 * Returns a deep copy of a parsed JSON value.
 *
 * @throws {RangeError} When the value is nested too deeply.
 */
export function copyJson<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson) as T;
  const copy: Container = {};
  for (const key of Object.keys(value)) {
    const each = copyJson((value as Record<string, unknown>)[key]);
    if (key !== "__proto__") copy[key] = each;
    else Object.defineProperty(copy, key, { ...OWN_FIELD, value: each });
  }
  return copy as T;
}

/** The property attributes with which a field is added to an object of parsed JSON. */
const OWN_FIELD = { enumerable: true, configurable: true, writable: true };
