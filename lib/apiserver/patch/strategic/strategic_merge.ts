/**
 * Applies strategic merge patches to objects. Unlike a JSON merge patch, a strategic merge patch
 * merges some lists item by item, and has directives that delete, replace, retain and order fields
 * and list items (`$patch`, `$retainKeys`, `$setElementOrder/...`, `$deleteFromPrimitiveList/...`;
 * `strategicpatch/patch.go, mergeMap`).
 *
 * @module
 */
import { setField } from "@xca/apimachinery/internal/values";
import type { TypeSchema } from "../../machinery/type_schema.ts";
import { mergeLists } from "./strategic_lists.ts";
import { listField, structField } from "./patch_metadata.ts";
import {
  badArgument,
  badElementOrder,
  badPatchType,
  badPrimitiveList,
  badRetainKeys,
} from "./strategic_errors.ts";
import { checkElementOrder, orderByDirective } from "./strategic_order.ts";

/** The fields of an object or of a strategic merge patch. */
export type Fields = Record<string, unknown>;

/** The key of the `$patch` directive, which deletes or replaces an object or a list item. */
const DIRECTIVE = "$patch";
const RETAIN_KEYS = "$retainKeys";
const DELETE_FROM_LIST = "$deleteFromPrimitiveList";
const ELEMENT_ORDER = "$setElementOrder";

/**
 * Merges a strategic merge patch into an object; both are changed. Returns the object, or for a
 * `$patch` directive the object that replaces it: an empty one for `delete`, the patch for
 * `replace`.
 *
 * @throws {StrategicMergeError} If the patch is malformed, or does not apply to the object.
 */
export function applyStrategicMergePatch(
  object: Fields,
  patch: Fields,
  schema: TypeSchema,
): Fields {
  if (Object.hasOwn(patch, DIRECTIVE)) return followDirective(patch);
  retainKeys(object, patch);
  mergeOrderedLists(object, patch, schema);
  for (const [name, value] of Object.entries(patch)) {
    const deletes = name.startsWith(DELETE_FROM_LIST);
    const field = deletes ? fieldOfDirective(name, DELETE_FROM_LIST) : name;
    mergeField(object, field, value, schema, deletes);
  }
  return object;
}

function followDirective(patch: Fields): Fields {
  const directive = patch[DIRECTIVE];
  if (directive === "delete") return {};
  if (directive !== "replace") throw badPatchType(directive, patch);
  delete patch[DIRECTIVE];
  return patch;
}

/**
 * Removes the fields of an object that the strategic merge patch's `$retainKeys` does not list, and
 * this directive from the patch. Throws {@linkcode badRetainKeys} for a directive that is not a
 * list, or lacks a field that the patch sets.
 */
function retainKeys(object: Fields, patch: Fields): void {
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return;
  const keys = patch[RETAIN_KEYS];
  delete patch[RETAIN_KEYS];
  if (!Array.isArray(keys)) throw badRetainKeys();
  const retained = new Set<unknown>(keys);
  for (const [name, value] of Object.entries(patch)) {
    const directive = name.startsWith(DELETE_FROM_LIST) || name.startsWith(ELEMENT_ORDER);
    if (value !== null && !directive && !retained.has(name)) throw badRetainKeys();
  }
  for (const name of Object.keys(object)) if (!retained.has(name)) delete object[name];
}

/**
 * Merges the lists for which a strategic merge patch has a `$setElementOrder` into the object, in
 * place and in that order, and removes these lists and their directives from the patch. An object's
 * list that the patch lacks is only ordered.
 */
function mergeOrderedLists(object: Fields, patch: Fields, schema: TypeSchema): void {
  for (const [name, order] of Object.entries(patch)) {
    if (!name.startsWith(ELEMENT_ORDER)) continue;
    delete patch[name];
    if (!Array.isArray(order)) throw badArgument("[]interface {}", order);
    const field = fieldOfDirective(name, ELEMENT_ORDER);
    const original = listOf(object, field);
    const patched = listOf(patch, field);
    const metadata = listField(schema, field);
    checkElementOrder(patched ?? [], order, metadata.mergeKey);
    const merged = mergeOrderedList(original, patched, metadata);
    if (merged === undefined) continue;
    object[field] = orderByDirective(
      merged,
      order,
      original ?? [],
      patched ?? [],
      metadata.mergeKey,
    );
    delete patch[field];
  }
}

function mergeOrderedList(
  original: unknown[] | undefined,
  patched: unknown[] | undefined,
  metadata: ReturnType<typeof listField>,
): unknown[] | undefined {
  if (patched === undefined) return original;
  if (original === undefined) return withoutDirectives(patched) as unknown[];
  if (metadata.strategy !== "merge") return patched;
  return mergeLists(original, patched, metadata, applyStrategicMergePatch);
}

function listOf(fields: Fields, name: string): unknown[] | undefined {
  if (!Object.hasOwn(fields, name)) return undefined;
  const value = fields[name];
  if (!Array.isArray(value)) throw badArgument("[]interface {}", value);
  return value;
}

function fieldOfDirective(name: string, prefix: string): string {
  const slash = name.indexOf("/");
  if (slash < 0 || name.slice(0, slash) !== prefix) {
    throw prefix === DELETE_FROM_LIST ? badPrimitiveList() : badElementOrder();
  }
  return name.slice(slash + 1);
}

function mergeField(
  object: Fields,
  name: string,
  value: unknown,
  schema: TypeSchema,
  deletes: boolean,
): void {
  if (value === null) {
    delete object[name];
    return;
  }
  const original = Object.hasOwn(object, name) ? object[name] : undefined;
  if (kind(original) !== kind(value)) {
    if (!deletes) setOrDrop(object, name, withoutDirectives(withoutNulls(value)));
    return;
  }
  switch (kind(value)) {
    case "map": {
      const { strategy, schema: inner } = structField(schema, name);
      const merged = strategy === "replace"
        ? value
        : applyStrategicMergePatch(original as Fields, value as Fields, inner);
      setField(object, name, merged);
      return;
    }
    case "list": {
      const metadata = listField(schema, name);
      const merged = metadata.strategy === "merge" || deletes
        ? mergeLists(
          original as unknown[],
          value as unknown[],
          metadata,
          applyStrategicMergePatch,
          deletes,
        )
        : value;
      setField(object, name, merged);
      return;
    }
    default:
      setField(object, name, value);
  }
}

function setOrDrop(object: Fields, name: string, value: unknown): void {
  if (value === undefined) delete object[name];
  else setField(object, name, value);
}

function kind(value: unknown): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "object" ? "map" : typeof value;
}

/**
 * Returns a value of a strategic merge patch without the objects that have a `$patch` directive, at
 * every depth; `undefined` if the value itself is such an object. Changes the objects within the
 * value.
 */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined);
  }
  if (value === null || typeof value !== "object") return value;
  const fields = value as Fields;
  if (Object.hasOwn(fields, DIRECTIVE)) return undefined;
  for (const name of Object.keys(fields)) {
    setOrDrop(fields, name, withoutDirectives(fields[name]));
  }
  return fields;
}

/**
 * Removes the `null` fields, nested ones too, from a value of a strategic merge patch, in place,
 * and returns the value.
 */
function withoutNulls(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) value.forEach(withoutNulls);
  else {
    const fields = value as Fields;
    for (const name of Object.keys(fields)) {
      if (fields[name] === null) delete fields[name];
      else withoutNulls(fields[name]);
    }
  }
  return value;
}
