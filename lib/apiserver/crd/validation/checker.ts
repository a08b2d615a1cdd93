import type { Json } from "../../machinery/api_object.ts";
import { itemsOf, type JsonSchema, propertiesOf, valuesOf } from "../schema/json_schema.ts";
import { supportedFormat } from "./formats.ts";

/** A schema prepared for checking values, with only what checking needs. */
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

const prepared = new WeakMap<JsonSchema, Checker>();

/** The checker of a schema, made once. */
export function checkerOf(schema: JsonSchema): Checker {
  const known = prepared.get(schema);
  if (known) return known;
  const made = prepare(schema);
  prepared.set(schema, made);
  return made;
}

function prepare(schema: JsonSchema): Checker {
  const types = schema["x-kubernetes-int-or-string"]
    ? ["integer", "string"]
    : schema.type
    ? [schema.type]
    : [];
  const items = itemsOf(schema);
  const values = valuesOf(schema);
  const { allOf = [], anyOf = [], oneOf = [], not, format = "" } = schema;
  return {
    types,
    format: supportedFormat(format, types) ? format : "",
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
    items: items && checkerOf(items),
    properties: new Map(propertiesOf(schema).map(([name, each]) => [name, checkerOf(each)])),
    values: values && checkerOf(values),
    isClosed: schema.additionalProperties === false,
    allOf: allOf.map(checkerOf),
    anyOf: anyOf.map(checkerOf),
    oneOf: oneOf.map(checkerOf),
    not: not && checkerOf(not),
  };
}
