/**
 * The differences between two objects of one type, as sets of field paths.
 *
 * Mirrors `typed/compare.go, compareWalker`.
 *
 * @module
 */
import { type NestedSteps, runAll, runNested } from "@xca/apimachinery/internal/base";
import { isMap, jsonEqual } from "@xca/apimachinery/internal/values";
import { EMPTY, type FieldSet, isEmpty, memberWith, sorted } from "../field_set/field_set.ts";
import { fieldElement } from "../field_set/path_element.ts";
import { itemElement, ListItemError } from "./list_items.ts";
import type { ListType, MapType, MergeType } from "./merge_type.ts";
import { TypedError } from "./typed_error.ts";

/**
 * The number of fields or items that are compared between two pauses, which takes some tenths of a
 * millisecond.
 */
const PAUSE_AFTER = 100;

/** The differences between an old and a new object, as three disjoint sets of field paths. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/**
 * The differences between two values, or `undefined` for equal values. A node represents the
 * members at and below it.
 */
type Difference = { removed?: FieldSet; modified?: FieldSet; added?: FieldSet } | undefined;

/**
 * Returns the differences between the fields of two objects, found in a single walk.
 *
 * @throws {TypedError} If an item of an associative list or a set cannot be identified, or a field
 * is not declared in the schema.
 */
export function compareObjects(
  old: Readonly<Record<string, unknown>>,
  next: Readonly<Record<string, unknown>>,
  type: MergeType,
): Comparison {
  return runAll(compareInSteps(old, next, type));
}

/**
 * Compares the fields of two objects as {@linkcode compareObjects} does, in steps, between which
 * other requests may run.
 */
export function* compareInSteps(
  old: Readonly<Record<string, unknown>>,
  next: Readonly<Record<string, unknown>>,
  type: MergeType,
): Generator<void, Comparison> {
  try {
    const found = yield* runNested(compareValues(old, next, type));
    return {
      removed: found?.removed ?? EMPTY,
      modified: found?.modified ?? EMPTY,
      added: found?.added ?? EMPTY,
    };
  } catch (error) {
    if (error instanceof ListItemError) {
      throw new TypedError([{ path: "", message: error.message }]);
    }
    throw error;
  }
}

const MODIFIED: Difference = { modified: EMPTY };

function* compareValues(
  old: unknown,
  next: unknown,
  type: MergeType,
): NestedSteps<Difference> {
  if (Array.isArray(old) || Array.isArray(next)) {
    if (!isListOrNull(old) || !isListOrNull(next)) return yield compareKinds(old, next, type);
    return yield compareLists(old ?? [], next ?? [], type.list, old !== null && next !== null);
  }
  if (isMap(old) || isMap(next)) {
    if (!isObjectOrNull(old) || !isObjectOrNull(next)) return yield compareKinds(old, next, type);
    return yield compareMaps(old ?? {}, next ?? {}, type.map, old !== null && next !== null);
  }
  return old === next ? undefined : MODIFIED;
}

/**
 * Returns the difference between an old and a new value of different JSON types: everything below
 * the old one is removed, everything below the new one added.
 */
function* compareKinds(
  old: unknown,
  next: unknown,
  type: MergeType,
): NestedSteps<Difference> {
  const removed = yield presentSet(old, type);
  const added = yield presentSet(next, type);
  const either = isLeaf(removed) || isLeaf(added);
  return {
    ...(!isLeaf(removed) && { removed: childrenOf(removed) }),
    ...(!isLeaf(added) && { added: childrenOf(added) }),
    ...(either && { modified: EMPTY }),
  };
}

function isLeaf(node: FieldSet): boolean {
  return isEmpty(node);
}

function childrenOf(node: FieldSet): FieldSet {
  const { ".": _, ...children } = node;
  return children;
}

function* compareLists(
  old: readonly unknown[],
  next: readonly unknown[],
  type: ListType | undefined,
  bothPresent: boolean,
): NestedSteps<Difference> {
  if (type === undefined || type.atomic || (old.length === 0 && next.length === 0)) {
    return bothPresent && jsonEqual(old, next) ? undefined : MODIFIED;
  }
  const oldItems = groupItems(old, type);
  yield;
  const nextItems = groupItems(next, type);
  yield;
  const difference = new Collected();
  let count = 0;
  for (const [element, items] of oldItems) {
    const now = nextItems.get(element) ?? [];
    difference.add(element, yield compareItems(items, now, type.element));
    if (++count % PAUSE_AFTER === 0) yield;
  }
  for (const [element, items] of nextItems) {
    if (oldItems.has(element)) continue;
    difference.add(element, yield compareItems([], items, type.element));
    if (++count % PAUSE_AFTER === 0) yield;
  }
  return difference.result();
}

/** Returns the items of a list, grouped by their path element; duplicate items are in one group. */
function groupItems(list: readonly unknown[], type: ListType): Map<string, unknown[]> {
  const groups = new Map<string, unknown[]>();
  for (const item of list) {
    const element = itemElement(type, item);
    const group = groups.get(element);
    if (group === undefined) groups.set(element, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Returns the difference between the old and the new list items of one path element, of which each
 * list may have several or none; `undefined` for equal items. Duplicate items are owned as a whole,
 * without their fields.
 */
function* compareItems(
  old: readonly unknown[],
  next: readonly unknown[],
  type: MergeType,
): NestedSteps<Difference> {
  if (old.length <= 1 && next.length <= 1) {
    if (next.length === 0) return { removed: yield presentSet(old[0], type) };
    if (old.length === 0) return { added: yield presentSet(next[0], type) };
    return yield compareValues(old[0], next[0], type);
  }
  if (old.length >= 2 && next.length >= 2) return jsonEqual(old, next) ? undefined : MODIFIED;
  if (old.length >= 2) {
    return { removed: EMPTY, ...(next.length > 0 && { added: yield presentSet(next[0], type) }) };
  }
  return { added: EMPTY, ...(old.length > 0 && { removed: yield presentSet(old[0], type) }) };
}

function* compareMaps(
  old: Readonly<Record<string, unknown>>,
  next: Readonly<Record<string, unknown>>,
  type: MapType | undefined,
  bothPresent: boolean,
): NestedSteps<Difference> {
  if (type === undefined || type.atomic) {
    return bothPresent && jsonEqual(old, next) ? undefined : MODIFIED;
  }
  const difference = new Collected();
  let empty = true;
  let count = 0;
  for (const name in old) {
    const was = old[name];
    if (was === undefined) continue;
    empty = false;
    const is = next[name];
    if (was === is) continue;
    const field = type.field(name) ?? undeclared(name);
    difference.addField(
      name,
      is === undefined
        ? { removed: yield presentSet(was, field) }
        : yield compareValues(was, is, field),
    );
    if (++count % PAUSE_AFTER === 0) yield;
  }
  for (const name in next) {
    const is = next[name];
    if (is === undefined || old[name] !== undefined) continue;
    empty = false;
    const field = type.field(name) ?? undeclared(name);
    difference.addField(name, { added: isScalar(is) ? EMPTY : yield presentSet(is, field) });
    if (++count % PAUSE_AFTER === 0) yield;
  }
  // Null and empty differ, but only if nothing else does.
  if (empty) return bothPresent ? undefined : MODIFIED;
  return difference.result();
}

function undeclared(name: string): never {
  throw new TypedError([{ path: `.${name}`, message: "field not declared in schema" }]);
}

/**
 * Returns the field set of a value that exists on one side of a comparison only: all its fields are
 * members.
 */
function* presentSet(value: unknown, type: MergeType): NestedSteps<FieldSet> {
  if (Array.isArray(value)) {
    const { list } = type;
    return list === undefined || list.atomic ? EMPTY : yield presentItems(value, list);
  }
  if (!isMap(value)) return EMPTY;
  const { map } = type;
  if (map === undefined || map.atomic) return EMPTY;
  const children = new Map<string, FieldSet>();
  for (const name in value) {
    const inner = value[name];
    if (inner === undefined) continue;
    const field = map.field(name) ?? undeclared(name);
    children.set(fieldElement(name), isScalar(inner) ? EMPTY : yield presentSet(inner, field));
    if (children.size % PAUSE_AFTER === 0) yield;
  }
  return memberWith(children);
}

function* presentItems(items: readonly unknown[], type: ListType): NestedSteps<FieldSet> {
  const children = new Map<string, FieldSet>();
  for (const item of items) {
    const element = itemElement(type, item);
    const isLeaf = isScalar(item) || children.has(element);
    children.set(element, isLeaf ? EMPTY : yield presentSet(item, type.element));
    if (children.size % PAUSE_AFTER === 0) yield;
  }
  return memberWith(children);
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** A collector of the differences between two objects or lists, by field or item. */
class Collected {
  #removed: Record<string, FieldSet> | undefined;
  #modified: Record<string, FieldSet> | undefined;
  #added: Record<string, FieldSet> | undefined;

  add(element: string, difference: Difference): void {
    if (difference === undefined) return;
    const { removed, modified, added } = difference;
    if (removed !== undefined) (this.#removed ??= {})[element] = removed;
    if (modified !== undefined) (this.#modified ??= {})[element] = modified;
    if (added !== undefined) (this.#added ??= {})[element] = added;
  }

  addField(name: string, difference: Difference): void {
    if (difference !== undefined) this.add(fieldElement(name), difference);
  }

  result(): Difference {
    if (!this.#removed && !this.#modified && !this.#added) return undefined;
    return {
      ...(this.#removed && { removed: sorted(this.#removed) }),
      ...(this.#modified && { modified: sorted(this.#modified) }),
      ...(this.#added && { added: sorted(this.#added) }),
    };
  }
}

function isListOrNull(value: unknown): value is unknown[] | null {
  return value === null || Array.isArray(value);
}

function isObjectOrNull(value: unknown): value is Record<string, unknown> | null {
  return value === null || isMap(value);
}
