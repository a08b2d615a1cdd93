import { EMPTY, type FieldSet, makeNode, setWith } from "./field_set.ts";
import { itemElement } from "./list_items.ts";
import type { ListType, MergeType } from "./merge_type.ts";
import { fieldElement } from "./path_element.ts";

/** The node of a value in the set of its parent: whether it is a member, and its children. */
interface Owned {
  readonly member: boolean;
  readonly children: FieldSet;
}

const LEAF: Owned = { member: true, children: EMPTY };
const NOTHING: Owned = { member: false, children: EMPTY };

/**
 * Returns the fields that an applied object sets: leaves, list items and empty objects. The object
 * matches its type ({@linkcode validateTyped}), except for duplicate items.
 */
export function toFieldSet(object: unknown, type: MergeType): FieldSet {
  return ownedBy(object, type).children;
}

function ownedBy(value: unknown, type: MergeType): Owned {
  if (Array.isArray(value) && type.list) return ownedList(value, type.list);
  if (value !== null && typeof value === "object" && type.map) {
    return ownedMap(value as Record<string, unknown>, type);
  }
  if (value !== null) return LEAF;
  if (type.map) return type.map.atomic ? LEAF : NOTHING;
  return type.scalar || type.list?.atomic ? LEAF : NOTHING;
}

function ownedMap(value: Record<string, unknown>, type: MergeType): Owned {
  const map = type.map!;
  if (map.atomic) return LEAF;
  const children = new Map<string, FieldSet>();
  for (const name in value) {
    const inner = value[name];
    const field = map.field(name);
    if (inner === undefined || field === undefined) continue;
    const owned = ownedBy(inner, field);
    const member = owned.member || !map.declares(name) || isNullOrEmptyMap(inner);
    const node = makeNode(member, owned.children);
    if (node !== undefined) children.set(fieldElement(name), node);
  }
  return { member: false, children: setWith(children) };
}

function ownedList(items: readonly unknown[], list: ListType): Owned {
  if (list.atomic) return LEAF;
  const children = new Map<string, FieldSet>();
  for (const item of items) {
    const element = itemElement(list, item);
    const isDuplicate = children.has(element);
    const node = isDuplicate ? EMPTY : makeNode(true, ownedBy(item, list.element).children)!;
    children.set(element, node);
  }
  return { member: false, children: setWith(children) };
}

function isNullOrEmptyMap(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== "object" || Array.isArray(value)) return false;
  return Object.keys(value).length === 0;
}
