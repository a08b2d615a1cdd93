// Mirrors `schema/defaulting/algorithm.go, Default`.
import { isMap, setField } from "../../values/json_values.ts";
import {
  hasDefault,
  itemsOf,
  type JsonSchema,
  propertiesOf,
  propertyOf,
  rememberedSome,
  valuesOf,
} from "./json_schema.ts";

/** Reports whether a schema or one below it has a default value. */
const hasDefaults = rememberedSome(hasDefault);

/** Returns the schema of a field of an object: its own, or that of additional properties. */
function schemaOfField(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  return propertyOf(schema, name) ?? valuesOf(schema);
}

function isForbiddenNull(value: unknown, schema: JsonSchema | undefined): boolean {
  return value === null && schema !== undefined && !schema.nullable;
}

/**
 * Drops the fields of a value that are `null` although the schema neither allows this nor has a
 * default, in place. Nulls with a default are left for {@linkcode applyDefaults}.
 *
 * @returns Whether any were dropped.
 */
export function dropNulls(value: unknown, schema: JsonSchema | undefined): boolean {
  let dropped = false;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    for (const item of value) dropped = dropNulls(item, items) || dropped;
  } else if (isMap(value)) {
    for (const key of Object.keys(value)) {
      const field = schemaOfField(schema, key);
      if (isForbiddenNull(value[key], field) && !hasDefault(field!)) {
        delete value[key];
        dropped = true;
      } else dropped = dropNulls(value[key], field) || dropped;
    }
  }
  return dropped;
}

/**
 * Sets the absent fields of a value, and null fields that are not nullable, to copies of the
 * schema's defaults, in place.
 *
 * @returns Whether any were set.
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
      list[index] = structuredClone(items!.default ?? null);
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
      setField(map, key, structuredClone(property.default));
      filled = true;
    }
  }
  for (const key of Object.keys(map)) {
    const field = schemaOfField(schema, key);
    if (isForbiddenNull(map[key], field)) {
      setField(map, key, structuredClone(field!.default ?? null));
      filled ||= map[key] !== null;
    }
    filled = applyDefaults(map[key], field) || filled;
  }
  return filled;
}
