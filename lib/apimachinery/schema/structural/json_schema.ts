// Mirrors `apiserver/schema/structural.go, Structural`.
import type { ValidationRule } from "../../cel/cel_schema.ts";
import type { Json } from "../../values/api_object.ts";
import { isMap } from "../../values/json_values.ts";
import { sortedEntries } from "../../values/go_order.ts";

/** The schema of a value, as in a CustomResourceDefinition (`JSONSchemaProps`). */
export interface JsonSchema {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly title?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: Json;
  readonly example?: Json;
  readonly externalDocs?: Json;
  readonly nullable?: boolean;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly multipleOf?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly enum?: readonly Json[];
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly additionalItems?: JsonSchema | boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly dependencies?: Readonly<Record<string, JsonSchema | readonly string[]>>;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
}

/**
 * Returns the schema of a named field in the `properties` of an object schema; `undefined` if it
 * has none.
 */
export function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const properties = schema?.properties;
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Returns the names in the `properties` of an object schema with their schemas, sorted by name. */
export function propertiesOf(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  return sortedEntries(schema.properties ?? {});
}

/** Returns the schema of a list's items; `undefined` if it has none, or one for each position. */
export function itemsOf(schema: JsonSchema | undefined): JsonSchema | undefined {
  const items = schema?.items;
  return items !== undefined && !Array.isArray(items) ? items as JsonSchema : undefined;
}

/**
 * Returns the schemas of a list's items by position, which no custom resource may have; an empty
 * list if there are none.
 */
export function tupleOf(schema: JsonSchema): readonly JsonSchema[] {
  return Array.isArray(schema.items) ? schema.items : [];
}

/**
 * Returns the schema of the fields of an object schema that `properties` does not name
 * (`additionalProperties`); `undefined` if it is absent or a boolean.
 */
export function valuesOf(schema: JsonSchema | undefined): JsonSchema | undefined {
  return isMap(schema?.additionalProperties)
    ? schema.additionalProperties as JsonSchema
    : undefined;
}

/** Reports whether a schema has a default value other than `null`. */
export function hasDefault(schema: JsonSchema): boolean {
  return schema.default !== undefined && schema.default !== null;
}

/**
 * Reports whether a predicate is true for a schema or one anywhere below it; false for `undefined`.
 */
export function someSchema(
  schema: JsonSchema | undefined,
  matches: (schema: JsonSchema) => boolean,
): boolean {
  if (schema === undefined) return false;
  return matches(schema) || childrenOf(schema).some((child) => someSchema(child, matches));
}

/** Returns the schemas directly below a schema, in the order in which kube-apiserver walks them. */
function childrenOf(schema: JsonSchema): JsonSchema[] {
  const { additionalItems } = schema;
  const single = [itemsOf(schema)];
  const children = [
    ...single,
    ...tupleOf(schema),
    ...schema.allOf ?? [],
    ...schema.anyOf ?? [],
    ...schema.oneOf ?? [],
    schema.not,
    ...propertiesOf(schema).map(([, child]) => child),
    valuesOf(schema),
    ...Object.values(schema.patternProperties ?? {}),
    isMap(additionalItems) ? additionalItems as JsonSchema : undefined,
    ...Object.values(schema.definitions ?? {}),
    ...Object.values(schema.dependencies ?? {}).filter((each) => isMap(each)) as JsonSchema[],
  ];
  return children.filter((child) => child !== undefined);
}

/**
 * Returns a function that reports whether a predicate is true for a schema or one anywhere below
 * it, and remembers the result for each schema, since many objects are checked against the same few
 * schemas.
 */
export function rememberedSome(
  predicate: (schema: JsonSchema) => boolean,
): (schema: JsonSchema) => boolean {
  const known = new WeakMap<JsonSchema, boolean>();
  return (schema) => {
    let found = known.get(schema);
    if (found === undefined) known.set(schema, found = someSchema(schema, predicate));
    return found;
  };
}
