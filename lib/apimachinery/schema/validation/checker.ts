// Mirrors `validation/validate/schema.go, NewSchemaValidator`.
import type { Json } from "../../values/api_object.ts";
import { itemsOf, type JsonSchema, propertiesOf, valuesOf } from "../structural/json_schema.ts";
import { supportedFormat } from "./formats.ts";

/**
 * A schema in a form that is prepared for the validation of values: the checkers of its parts, and
 * its keywords with their defaults.
 */
export interface Checker {
  readonly types: readonly string[];
  readonly format: string;
  readonly nullable: boolean;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | undefined;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly pattern: string;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[];
  readonly allowed: readonly Json[];
  readonly items: Checker | undefined;
  readonly properties: ReadonlyMap<string, Checker>;
  readonly values: Checker | undefined;
  readonly isClosed: boolean;
  readonly allOf: readonly Checker[];
  readonly anyOf: readonly Checker[];
  readonly oneOf: readonly Checker[];
  readonly not: Checker | undefined;
}

/**
 * The use of a schema in validation: for objects, or for the default values in a
 * CustomResourceDefinition. Default values are checked without `x-kubernetes-int-or-string`, and
 * also by formats that are ignored for objects.
 */
export type CheckedPart = "objects" | "defaults";

const prepared: Readonly<Record<CheckedPart, WeakMap<JsonSchema, Checker>>> = {
  objects: new WeakMap(),
  defaults: new WeakMap(),
};

/** Returns the {@linkcode Checker} of a schema, which is built once for each schema and use. */
export function checkerOf(schema: JsonSchema, part: CheckedPart = "objects"): Checker {
  const known = prepared[part].get(schema);
  if (known) return known;
  const made = prepare(schema, part);
  prepared[part].set(schema, made);
  return made;
}

function typesOf(schema: JsonSchema, part: CheckedPart): readonly string[] {
  if (part === "objects" && schema["x-kubernetes-int-or-string"]) return ["integer", "string"];
  return schema.type ? [schema.type] : [];
}

function prepare(schema: JsonSchema, part: CheckedPart): Checker {
  const types = typesOf(schema, part);
  const below = (each: JsonSchema): Checker => checkerOf(each, part);
  const items = itemsOf(schema);
  const values = valuesOf(schema);
  const { allOf = [], anyOf = [], oneOf = [], not, format = "" } = schema;
  return {
    types,
    format: part === "defaults" || supportedFormat(format, types) ? format : "",
    nullable: schema.nullable === true,
    maximum: schema.maximum,
    exclusiveMaximum: schema.exclusiveMaximum === true,
    minimum: schema.minimum,
    exclusiveMinimum: schema.exclusiveMinimum === true,
    multipleOf: schema.multipleOf,
    maxLength: schema.maxLength,
    minLength: schema.minLength,
    pattern: schema.pattern ?? "",
    maxItems: schema.maxItems,
    minItems: schema.minItems,
    maxProperties: schema.maxProperties,
    minProperties: schema.minProperties,
    required: schema.required ?? [],
    allowed: schema.enum ?? [],
    items: items && below(items),
    properties: new Map(propertiesOf(schema).map(([name, each]) => [name, below(each)])),
    values: values && below(values),
    isClosed: schema.additionalProperties === false,
    allOf: allOf.map(below),
    anyOf: anyOf.map(below),
    oneOf: oneOf.map(below),
    not: not && below(not),
  };
}
