// Mirrors `schema/listtype/validation.go, ValidateListSetsAndMaps`.
import { duplicate, type FieldError, invalid } from "../../errors/field_error.ts";
import type { FieldPath } from "../../errors/field_path.ts";
import { canonicalJson, isMap, sortFields } from "../../values/json_values.ts";
import { itemsOf, type JsonSchema, propertyOf, rememberedSome, valuesOf } from "./json_schema.ts";

/** Checks that lists of type `set` and `map` in a custom object have no duplicate items. */
export function checkListTypes(
  path: FieldPath,
  schema: JsonSchema | undefined,
  value: unknown,
): FieldError[] {
  if (schema === undefined || !hasListTypes(schema)) return [];
  if (Array.isArray(value)) return checkList(path, schema, value);
  if (!isMap(value)) return [];
  const values = valuesOf(schema);
  const errors: FieldError[] = [];
  for (const key of Object.keys(value)) {
    if (values) errors.push(...checkListTypes(path.key(key), values, value[key]));
    const property = propertyOf(schema, key);
    if (property) errors.push(...checkListTypes(path.child(key), property, value[key]));
  }
  return errors;
}

/**
 * Reports whether a schema or one below it has list types; most schemas have none and need no
 * check.
 */
const hasListTypes = rememberedSome(({ "x-kubernetes-list-type": type }) =>
  type === "set" || type === "map"
);

function checkList(path: FieldPath, schema: JsonSchema, list: readonly unknown[]): FieldError[] {
  const errors: FieldError[] = [];
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      for (const index of repeated(list)) {
        errors.push(duplicate(path.index(index), sortFields(list[index])));
      }
      break;
    case "map":
      errors.push(...checkMapList(path, schema, list));
      break;
  }
  const items = itemsOf(schema);
  if (items && hasListTypes(items)) {
    for (const [index, item] of list.entries()) {
      errors.push(...checkListTypes(path.index(index), items, item));
    }
  }
  return errors;
}

function checkMapList(path: FieldPath, schema: JsonSchema, list: readonly unknown[]): FieldError[] {
  for (const [index, item] of list.entries()) {
    if (item !== null && !isMap(item)) {
      return [
        invalid(path.index(index), item, "must be an object for an array of list-type map"),
      ];
    }
  }
  const names = schema["x-kubernetes-list-map-keys"] ?? [];
  const keys = list.map((item) => {
    const key: Record<string, unknown> = {};
    for (const name of names) {
      if (isMap(item) && Object.hasOwn(item, name)) key[name] = item[name];
    }
    return key;
  });
  return repeated(keys).map((index) => duplicate(path.index(index), sortFields(keys[index])));
}

/** Returns the index of the second occurrence of each item of a list that occurs more than once. */
function repeated(list: readonly unknown[]): number[] {
  const times = new Map<string, number>();
  const found: number[] = [];
  for (const [index, item] of list.entries()) {
    const text = canonicalJson(item);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before === 1) found.push(index);
  }
  return found;
}
