// Mirrors `schema/pruning/algorithm.go, PruneWithOptions`.
import { isMap } from "../../values/json_values.ts";
import { itemsOf, type JsonSchema, propertyOf, valuesOf } from "./json_schema.ts";
import { sortTexts } from "../../values/go_order.ts";

const TYPE_AND_METADATA: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Drops the fields of a custom object that its schema does not define, in place, except where the
 * schema preserves unknown fields. An object that is a resource (the root with `isResource`, an
 * embedded resource) keeps its `apiVersion`, `kind` and `metadata`.
 *
 * @returns The paths of the dropped fields, sorted, without `apiVersion`, `kind` and `metadata` of
 * the root.
 */
export function prune(
  value: unknown,
  schema: JsonSchema | undefined,
  isResource: boolean,
): string[] {
  const dropped: string[] = [];
  const root = isResource ? { ...schema, "x-kubernetes-embedded-resource": true } : schema;
  pruneValue(value, root, "", dropped);
  return sortTexts(dropped);
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function pruneValue(
  value: unknown,
  schema: JsonSchema | undefined,
  path: string,
  dropped: string[],
): void {
  if (schema?.["x-kubernetes-preserve-unknown-fields"]) {
    keepValue(value, schema, path, dropped);
  } else if (Array.isArray(value)) {
    const items = itemsOf(schema);
    for (const [index, item] of value.entries()) {
      pruneValue(item, items, `${path}[${index}]`, dropped);
    }
  } else if (isMap(value)) {
    pruneMap(value, schema, path, dropped);
  }
}

function pruneMap(
  value: Record<string, unknown>,
  schema: JsonSchema | undefined,
  path: string,
  dropped: string[],
): void {
  for (const key of Object.keys(value)) {
    if (schema?.["x-kubernetes-embedded-resource"] && TYPE_AND_METADATA.has(key)) continue;
    const property = propertyOf(schema, key);
    if (property !== undefined) {
      pruneValue(value[key], property, join(path, key), dropped);
    } else if (schema?.additionalProperties !== undefined) {
      pruneValue(value[key], valuesOf(schema), join(path, key), dropped);
    } else {
      if (!TYPE_AND_METADATA.has(key) || path !== "") dropped.push(join(path, key));
      delete value[key];
    }
  }
}

/** Prunes the declared fields below a value that preserves unknown ones. */
function keepValue(
  value: unknown,
  schema: JsonSchema | undefined,
  path: string,
  dropped: string[],
): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    for (const [index, item] of value.entries()) {
      keepValue(item, items, `${path}[${index}]`, dropped);
    }
    return;
  }
  if (!isMap(value)) return;
  for (const key of Object.keys(value)) {
    if (schema["x-kubernetes-embedded-resource"] && TYPE_AND_METADATA.has(key)) continue;
    const property = propertyOf(schema, key);
    if (property !== undefined) {
      pruneValue(value[key], property, join(path, key), dropped);
    } else if (schema.additionalProperties !== undefined) {
      pruneValue(value[key], valuesOf(schema), join(path, key), dropped);
    }
  }
}
