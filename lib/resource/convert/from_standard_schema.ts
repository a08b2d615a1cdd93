import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import type { Schema } from "../schema/schema.ts";
import { SchemaError } from "../schema/schema_error.ts";
import { SchemaNode } from "../schema/schema_node.ts";
import { fromJsonSchema } from "./from_json_schema.ts";

/**
 * A schema of another library that implements Standard JSON Schema
 * (https://standardschema.dev/json-schema), such as zod, valibot or arktype.
 *
 * @typeParam Input The type of values before the library parses them.
 * @typeParam Output The type of values that the library has parsed.
 */
export interface StandardJsonSchemaLike<Input = unknown, Output = Input> {
  /** The properties of a schema that the Standard Schema specification defines. */
  readonly "~standard": {
    /** The name of the library that created the schema, such as `zod`. */
    readonly vendor: string;
    /** The TypeScript types of the schema's values, for type inference only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** The functions of a schema library that return the schema as JSON Schema. */
    readonly jsonSchema: {
      /** Returns the JSON Schema of the values that the schema library parses. */
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
      /** Returns the JSON Schema of the values that result from parsing. */
      readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/**
 * Converts a schema of zod, valibot or another library with Standard JSON Schema to the schema of a
 * custom resource, with its static types: the type of values before parsing becomes the input type,
 * and that of parsed values, which have defaults filled in, the stored type.
 *
 * The API server stores objects as users write them. So a schema that transforms values is refused;
 * the two forms may differ in defaults only. Refinements by functions are not in JSON Schema, and
 * therefore not checked: write these as CEL rules.
 *
 * @throws {SchemaError} When the schema transforms values, or a CustomResourceDefinition cannot
 * express it: the error lists each problem with its path and an alternative.
 * @throws {TypeError} When the value does not implement Standard JSON Schema.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { fromStandardSchema, s, type StandardJsonSchemaLike } from "@xca/operator/resource";
 *
 * // A schema of zod (z.string().max(63)) has this shape.
 * const json = (): Record<string, unknown> => ({ type: "string", maxLength: 63 });
 * const name: StandardJsonSchemaLike<string> = {
 *   "~standard": { vendor: "zod", jsonSchema: { input: json, output: json } },
 * };
 * const spec = s.object({ name: fromStandardSchema(name) });
 * assert.equal(spec.json.properties?.name?.maxLength, 63);
 * ```
 */
export function fromStandardSchema<I, O>(schema: StandardJsonSchemaLike<I, O>): Schema<O, I> {
  const standard = schema?.["~standard"];
  if (typeof standard?.jsonSchema?.input !== "function") {
    throw new TypeError(
      "Cannot convert a schema without ~standard.jsonSchema: zod has it from 4.2 on; valibot's is " +
        "made by toStandardJsonSchema of @valibot/to-json-schema",
    );
  }
  const input = fromJsonSchema(jsonSchemaOf(schema, "input"));
  const output = withoutClosing(jsonSchemaOf(schema, "output"));
  const place = difference(input.json, fromJsonSchema(output).json, "");
  if (place !== undefined) {
    const message = "the schema transforms the value here, and the API server stores what users " +
      "write; leave the transformation to the code that reads it";
    throw new SchemaError([{ path: place, message }]);
  }
  return new SchemaNode<O, I>({
    json: input.json,
    presence: input.json.default === undefined ? undefined : "defaulted",
  });
}

function jsonSchemaOf(
  { "~standard": { vendor, jsonSchema } }: StandardJsonSchemaLike,
  form: "input" | "output",
): Record<string, unknown> {
  try {
    return jsonSchema[form]({ target: "draft-2020-12" });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message =
      `${vendor} has no JSON schema of its ${form} form: ${why}; use types of JSON, ` +
      "and leave transformations to the code that reads the object";
    throw new SchemaError([{ path: "", message }]);
  }
}

/**
 * Returns a copy of a JSON Schema without `additionalProperties: false` at any depth, which schema
 * libraries add to the schema of parsed values.
 */
function withoutClosing(schema: Record<string, unknown>): Record<string, unknown> {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name, each]) => name !== "additionalProperties" || each !== false)
        .map(([name, each]) => [name, copy(each)]),
    );
  };
  return copy(schema) as Record<string, unknown>;
}

/**
 * Returns the path of the first field at which the input and the stored form of a schema differ,
 * apart from `required` and `default`: the empty path for the whole value, `undefined` for equal
 * forms.
 */
function difference(
  input: V1JSONSchemaProps,
  output: V1JSONSchemaProps,
  path: string,
): string | undefined {
  const { properties: a = {}, items: i, additionalProperties: v, required: _1, default: _2, ...x } =
    input;
  const { properties: b = {}, items: j, additionalProperties: w, required: _3, default: _4, ...y } =
    output;
  if (JSON.stringify(x) !== JSON.stringify(y)) return path;
  const pairs: [unknown, unknown, string][] = [[i, j, `${path}[]`], [v, w, `${path}{}`]];
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    pairs.push([a[name], b[name], path === "" ? name : `${path}.${name}`]);
  }
  for (const [before, after, at] of pairs) {
    if (typeof before !== typeof after) return at;
    if (typeof before !== "object" || typeof after !== "object") continue;
    const found = difference(before as V1JSONSchemaProps, after as V1JSONSchemaProps, at);
    if (found !== undefined) return found;
  }
  return undefined;
}
