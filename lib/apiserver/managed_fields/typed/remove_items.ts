// Mirrors `typed/remove.go, removingWalker`.
import { setField } from "@xca/apimachinery/internal/values";
import {
  below,
  type FieldSet,
  isEmpty,
  isMember,
  makeNode,
  sorted,
} from "../field_set/field_set.ts";
import { itemElement, ListItemError } from "./list_items.ts";
import type { ListType, MapType, MergeType } from "./merge_type.ts";
import { fieldElement } from "../field_set/path_element.ts";

/**
 * Returns a value without the fields and items that a field set names; unchanged parts are shared.
 * A list or object that is atomic, or has no items or fields left, becomes `null`, as in
 * kube-apiserver.
 */
export function removeItems(value: unknown, items: FieldSet, type: MergeType): unknown {
  if (Array.isArray(value) && type.list) return removeFromList(value, items, type.list);
  if (value !== null && typeof value === "object" && type.map) {
    return removeFromMap(value as Record<string, unknown>, items, type.map);
  }
  return value;
}

function removeFromList(list: readonly unknown[], items: FieldSet, type: ListType): unknown {
  if (type.atomic || list.length === 0) return null;
  const rest: unknown[] = [];
  for (const item of list) {
    const element = tryElement(type, item);
    const node = element === undefined ? undefined : items[element];
    if (node === undefined) rest.push(item);
    else if (!isMember(node)) rest.push(removeItems(item, node, type.element));
  }
  return rest.length > 0 ? rest : null;
}

function tryElement(type: ListType, item: unknown): string | undefined {
  try {
    return itemElement(type, item);
  } catch (error) {
    if (error instanceof ListItemError) return undefined;
    throw error;
  }
}

function removeFromMap(
  map: Readonly<Record<string, unknown>>,
  items: FieldSet,
  type: MapType,
): unknown {
  if (type.atomic || Object.keys(map).length === 0) return null;
  const rest: Record<string, unknown> = {};
  let empty = true;
  for (const name of Object.keys(map)) {
    const element = fieldElement(name);
    const node = items[element];
    if (node !== undefined && isMember(node)) continue;
    const inner = below(items, element);
    const value = isEmpty(inner)
      ? map[name]
      : removeItems(map[name], inner, type.field(name) ?? {});
    setField(rest, name, value);
    empty = false;
  }
  return empty ? null : rest;
}

/**
 * Returns a field set to which each declared field with children is added as a member, so that sets
 * which differ only in this respect compare as in kube-apiserver.
 */
export function withNamedFields(set: FieldSet, type: MergeType): FieldSet {
  const result: Record<string, FieldSet> = {};
  for (const element in set) {
    if (element === ".") continue;
    const node = set[element]!;
    const member = isMember(node) || (element[0] === "f" &&
      (type.map?.declares(element.slice(2)) ?? false));
    const children = below(set, element);
    const inner = isEmpty(children)
      ? children
      : withNamedFields(children, childType(type, element));
    result[element] = makeNode(member, inner)!;
  }
  return sorted(result);
}

function childType(type: MergeType, element: string): MergeType {
  if (element[0] === "f") return type.map?.field(element.slice(2)) ?? {};
  return element[0] === "k" ? type.list?.element ?? {} : {};
}
