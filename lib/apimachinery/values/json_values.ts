import { sortTexts } from "./go_order.ts";

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

/** Maximum number of nested levels of a value. A value with more certainly contains itself. */
const MOST_LEVELS = 20_000;

/**
 * Returns the number of the level below a given level of a value.
 *
 * @throws {RangeError} When the level is so deep that the value must contain itself; the error is
 * that of endless recursion.
 */
export function belowLevel(level: number): number {
  if (level < MOST_LEVELS) return level + 1;
  throw new RangeError("Maximum call stack size exceeded");
}

/**
 * Reports whether two JSON values are equal, regardless of the order of fields; an `undefined`
 * field equals an absent one.
 */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return false;
  // The values to compare are in a list, not on the call stack: they may be 10 000 levels deep.
  const open: unknown[] = [a, b, 0];
  while (open.length > 0) {
    const level = belowLevel(open.pop() as number);
    const right = open.pop();
    const left = open.pop();
    if (left === right) continue;
    if (!isObject(left) || !isObject(right)) return false;
    if (Array.isArray(left) || Array.isArray(right)) {
      if (!Array.isArray(left) || !Array.isArray(right)) return false;
      if (left.length !== right.length) return false;
      for (let index = left.length - 1; index >= 0; index--) {
        open.push(left[index], right[index], level);
      }
    } else if (!addFields(left, right, open, level)) return false;
  }
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/**
 * Adds to the list of values to compare those fields whose values in the two objects are not
 * identical; returns false when the objects certainly differ.
 */
function addFields(
  a: Record<string, unknown>,
  b: Record<string, unknown>,
  open: unknown[],
  level: number,
): boolean {
  for (const name in a) {
    const left = a[name];
    const right = ownField(b, name);
    if (left === right) continue;
    if (!isObject(left) || !isObject(right)) return false;
    open.push(left, right, level);
  }
  for (const name in b) {
    if (b[name] !== undefined && ownField(a, name) === undefined) return false;
  }
  return true;
}

/** Returns a deep copy of a JSON value, without `undefined` fields. */
export function cloneJson<T>(value: T): T {
  return clone(value, 0) as T;
}

/** The number of levels that recursion copies, which is the fastest way; few values have more. */
const FEW_LEVELS = 100;

function clone(value: unknown, level: number): unknown {
  if (value === null || typeof value !== "object") return value;
  if (level > FEW_LEVELS) return rebuild(value, (inner) => isObject(inner) ? inner : undefined);
  if (Array.isArray(value)) return value.map((item) => clone(item, level + 1));
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    const inner = (value as Record<string, unknown>)[name];
    if (inner !== undefined) setField(copy, name, clone(inner, level + 1));
  }
  return copy;
}

/**
 * A wrapper of the names and values of an object's members, in the order in which
 * {@linkcode rebuild} copies them; of repeated names the last one counts.
 */
export class Members {
  readonly all: readonly (readonly [string, unknown])[];

  constructor(all: readonly (readonly [string, unknown])[]) {
    this.all = all;
  }
}

/** The fields of an object, or the items of a list, that {@linkcode rebuild} copies. */
export type Inner =
  | readonly unknown[]
  | Members
  | Readonly<Record<string, unknown>>;

/**
 * Returns a changed copy of a tree. For each value, `innerOf` returns the list, the object or the
 * members to copy in its place; for a leaf it returns `undefined`, and the result of `leafOf` takes
 * its place, by default the leaf itself. `undefined` fields are left out. The open values are in a
 * list, not on the call stack: a tree may be 10 000 levels deep.
 */
export function rebuild(
  value: unknown,
  innerOf: (value: unknown) => Inner | undefined,
  leafOf: (value: unknown) => unknown = (leaf) => leaf,
): unknown {
  const open: (readonly [Inner, unknown, number])[] = [];
  let level = 0;
  const begin = (each: unknown): unknown => {
    const inner = innerOf(each);
    if (inner === undefined) return leafOf(each);
    const made = Array.isArray(inner) ? new Array<unknown>(inner.length) : {};
    open.push([inner, made, belowLevel(level)]);
    return made;
  };
  const root = begin(value);
  for (let next = open.pop(); next; next = open.pop()) {
    const [inner, made] = next;
    level = next[2];
    if (Array.isArray(inner)) {
      const list = made as unknown[];
      for (let index = 0; index < inner.length; index++) list[index] = begin(inner[index]);
    } else copyFields(inner, made as Record<string, unknown>, begin);
  }
  return root;
}

function copyFields(
  inner: Inner,
  made: Record<string, unknown>,
  begin: (value: unknown) => unknown,
): void {
  if (inner instanceof Members) {
    for (const [name, each] of inner.all) if (each !== undefined) setField(made, name, begin(each));
    return;
  }
  for (const name in inner) {
    const each = (inner as Record<string, unknown>)[name];
    if (each !== undefined) setField(made, name, begin(each));
  }
}

/**
 * Returns a deep copy of a JSON value whose objects have sorted fields, as error messages of
 * kube-apiserver show them; names that are integers come first, as in every JavaScript object.
 */
export function sortFields(value: unknown): unknown {
  return rebuild(value, sortedInner);
}

function sortedInner(value: unknown): Inner | undefined {
  if (!isMap(value)) return Array.isArray(value) ? value : undefined;
  return new Members(sortTexts(Object.keys(value)).map((name) => [name, value[name]]));
}

/**
 * Returns a canonical text of a JSON value: equal values have equal texts, whatever the order of
 * their fields.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortFields(value));
}

/**
 * Returns an own field of a JSON object; `undefined` for the name of an inherited member, such as
 * `toString`.
 */
export function ownField<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/**
 * Formats a JSON value as `JSON.stringify` does, whatever the number of its levels: some values of
 * thousands of levels exceed the call stack there.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return deepText(value);
  }
}

/** The progress of formatting a list or an object, of which some members are formatted already. */
interface OpenText {
  readonly names: readonly string[] | undefined;
  readonly values: readonly unknown[];
  next: number;
  separator: string;
}

function deepText(value: unknown): string {
  const parts: string[] = [];
  const open: OpenText[] = [];
  const add = (each: unknown): void => {
    if (!isObject(each)) return void parts.push(JSON.stringify(each ?? null));
    belowLevel(open.length);
    const names = Array.isArray(each)
      ? undefined
      : Object.keys(each).filter((name) => each[name] !== undefined);
    const values = names ? names.map((name) => each[name]) : each as unknown as unknown[];
    parts.push(names ? "{" : "[");
    open.push({ names, values, next: 0, separator: "" });
  };
  add(value);
  for (let last = open.at(-1); last; last = open.at(-1)) {
    if (last.next === last.values.length) {
      parts.push(last.names ? "}" : "]");
      open.pop();
      continue;
    }
    const index = last.next++;
    parts.push(last.separator);
    last.separator = ",";
    if (last.names) parts.push(`${JSON.stringify(last.names[index])}:`);
    add(last.values[index]);
  }
  return parts.join("");
}
