// Mirrors `typed/tofieldset.go, toFieldSetWalker`.
import { EMPTY, type FieldSet, makeNode, setWith } from "../field_set/field_set.ts";
import { runAll } from "@xca/apimachinery/internal/base";
import { itemElement } from "./list_items.ts";
import type { ListType, MergeType } from "./merge_type.ts";
import { fieldElement } from "../field_set/path_element.ts";

/**
 * The part of a value in the field set of its parent: whether the value is a member for itself, as a
 * leaf, and the fields set below it. The parent also makes members of its list items, undeclared
 * fields, nulls and empty maps.
 */
interface Owned {
  readonly member: boolean;
  readonly children: FieldSet;
}

const LEAF: Owned = { member: true, children: EMPTY };
const NOTHING: Owned = { member: false, children: EMPTY };

/**
 * Returns the set of fields that an object sets: leaves, list items and empty objects. The object
 * must match its type (`validateTyped`), except for duplicate items.
 */
export function toFieldSet(object: unknown, type: MergeType): FieldSet {
  return runAll(toFieldSetInSteps(object, type));
}

/**
 * Returns the set of fields that an object sets as {@linkcode toFieldSet} does, in steps, between
 * which other requests may run.
 */
export function* toFieldSetInSteps(object: unknown, type: MergeType): Generator<void, FieldSet> {
  return (yield* ownedBy(object, type)).children;
}

/**
 * The number of fields or items that are collected between two pauses, which takes some tenths of a
 * millisecond.
 */
const PAUSE_AFTER = 100;

function* ownedBy(value: unknown, type: MergeType): Generator<void, Owned> {
  if (Array.isArray(value) && type.list) return yield* ownedList(value, type.list);
  if (value !== null && typeof value === "object" && type.map) {
    return yield* ownedMap(value as Record<string, unknown>, type);
  }
  if (value !== null) return LEAF;
  if (type.map) return type.map.atomic ? LEAF : NOTHING;
  return type.scalar || type.list?.atomic ? LEAF : NOTHING;
}

function* ownedMap(value: Record<string, unknown>, type: MergeType): Generator<void, Owned> {
  const map = type.map!;
  if (map.atomic) return LEAF;
  const children = new Map<string, FieldSet>();
  for (const name in value) {
    const inner = value[name];
    const field = map.field(name);
    if (inner === undefined || field === undefined) continue;
    const owned = yield* ownedBy(inner, field);
    const member = owned.member || !map.declares(name) || isNullOrEmptyMap(inner);
    const node = makeNode(member, owned.children);
    if (node !== undefined) children.set(fieldElement(name), node);
    if (children.size % PAUSE_AFTER === 0) yield;
  }
  return { member: false, children: setWith(children) };
}

function* ownedList(items: readonly unknown[], list: ListType): Generator<void, Owned> {
  if (list.atomic) return LEAF;
  const children = new Map<string, FieldSet>();
  for (const item of items) {
    const element = itemElement(list, item);
    const isDuplicate = children.has(element);
    const owned = isDuplicate ? LEAF : yield* ownedBy(item, list.element);
    children.set(element, makeNode(true, owned.children)!);
    if (children.size % PAUSE_AFTER === 0) yield;
  }
  return { member: false, children: setWith(children) };
}

function isNullOrEmptyMap(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== "object" || Array.isArray(value)) return false;
  return Object.keys(value).length === 0;
}
