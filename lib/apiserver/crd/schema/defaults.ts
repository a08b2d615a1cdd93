import { isMap, setField } from "../../machinery/json_values.ts";
import {
  hasDefault,
  itemsOf,
  type JsonSchema,
  propertiesOf,
  propertyOf,
  valuesOf,
} from "./json_schema.ts";

/** The schema that holds for a field: its own, or that of all others. */
function schemaOfField(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  return propertyOf(schema, name) ?? valuesOf(schema);
}

function isForbiddenNull(value: unknown, schema: JsonSchema | undefined): boolean {
  return value === null && schema !== undefined && !schema.nullable;
}

/**
 * Drops nulls where the schema allows none and has no default to put there, in place. Those that
 * have a default are left for {@linkcode applyDefaults}.
 */
export function dropNulls(value: unknown, schema: JsonSchema | undefined): void {
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    for (const item of value) dropNulls(item, items);
  } else if (isMap(value)) {
    for (const key of Object.keys(value)) {
      const field = schemaOfField(schema, key);
      if (isForbiddenNull(value[key], field) && !hasDefault(field!)) delete value[key];
      else dropNulls(value[key], field);
    }
  }
}

/** Puts copies of the schema's defaults where a field is absent, or null and not nullable, in place. */
export function applyDefaults(value: unknown, schema: JsonSchema | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    for (const [index, item] of value.entries()) {
      if (isForbiddenNull(item, items)) value[index] = structuredClone(items!.default ?? null);
      applyDefaults(value[index], items);
    }
  } else if (isMap(value)) {
    for (const [key, property] of propertiesOf(schema)) {
      if (!hasDefault(property)) continue;
      if (!Object.hasOwn(value, key) || isForbiddenNull(value[key], property)) {
        setField(value, key, structuredClone(property.default));
      }
    }
    for (const key of Object.keys(value)) {
      const field = schemaOfField(schema, key);
      if (isForbiddenNull(value[key], field)) {
        setField(value, key, structuredClone(field!.default ?? null));
      }
      applyDefaults(value[key], field);
    }
  }
}
