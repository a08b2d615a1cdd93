// Mirrors `schema/defaulting/algorithm.go, Default`.
import { belowLevel, cloneJson, isMap, setField } from "../../values/json_values.ts";
import {
  hasDefault,
  itemsOf,
  type JsonSchema,
  propertiesOf,
  propertyOf,
  rememberedSome,
  valuesOf,
} from "./json_schema.ts";

/** Reports whether a schema or one below it has a default value other than `null`. */
const hasDefaults = rememberedSome(hasDefault);

/**
 * Returns the schema of a field of an object: that of the field's name, or else that of additional
 * properties.
 */
function schemaOfField(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  return propertyOf(schema, name) ?? valuesOf(schema);
}

function isForbiddenNull(value: unknown, schema: JsonSchema | undefined): boolean {
  return value === null && schema !== undefined && !schema.nullable;
}

/**
 * Drops the fields of a value that are `null` although the schema neither allows `null` nor has a
 * default, in place and at every level. Nulls with a default are left for
 * {@linkcode applyDefaults}.
 *
 * @returns True if a field was dropped, otherwise false.
 */
export function dropNulls(value: unknown, schema: JsonSchema | undefined): boolean {
  let dropped = false;
  // The open values are in a list, not on the call stack: a value may be 10 000 levels deep.
  const open: [value: object, schema: JsonSchema | undefined, level: number][] = [];
  let level = 0;
  const add = (inner: unknown, below: JsonSchema | undefined): void => {
    if (typeof inner === "object" && inner !== null) open.push([inner, below, belowLevel(level)]);
  };
  add(value, schema);
  for (let next = open.pop(); next; next = open.pop()) {
    const [map, type] = next;
    level = next[2];
    if (Array.isArray(map)) {
      const items = itemsOf(type);
      for (const item of map) add(item, items);
      continue;
    }
    for (const [key, inner] of Object.entries(map)) {
      const field = schemaOfField(type, key);
      if (isForbiddenNull(inner, field) && !hasDefault(field!)) {
        delete (map as Record<string, unknown>)[key];
        dropped = true;
      } else add(inner, field);
    }
  }
  return dropped;
}

/**
 * Sets the absent fields of a value, and null fields and items that are not nullable, to copies of
 * the schema's defaults, in place and at every level.
 *
 * @returns True if a field or item was set to a default, otherwise false.
 */
export function applyDefaults(value: unknown, schema: JsonSchema | undefined): boolean {
  if (schema === undefined || !hasDefaults(schema)) return false;
  if (Array.isArray(value)) return fillItems(value, itemsOf(schema));
  return isMap(value) && fillFields(value, schema);
}

function fillItems(list: unknown[], items: JsonSchema | undefined): boolean {
  let filled = false;
  for (const [index, item] of list.entries()) {
    if (isForbiddenNull(item, items)) {
      list[index] = cloneJson(items!.default ?? null);
      filled ||= list[index] !== null;
    }
    filled = applyDefaults(list[index], items) || filled;
  }
  return filled;
}

function fillFields(map: Record<string, unknown>, schema: JsonSchema): boolean {
  let filled = false;
  for (const [key, property] of propertiesOf(schema)) {
    if (!hasDefault(property)) continue;
    if (!Object.hasOwn(map, key) || isForbiddenNull(map[key], property)) {
      setField(map, key, cloneJson(property.default));
      filled = true;
    }
  }
  for (const key of Object.keys(map)) {
    const field = schemaOfField(schema, key);
    if (isForbiddenNull(map[key], field)) {
      setField(map, key, cloneJson(field!.default ?? null));
      filled ||= map[key] !== null;
    }
    filled = applyDefaults(map[key], field) || filled;
  }
  return filled;
}
