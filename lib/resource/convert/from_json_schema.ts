import type { Schema } from "../schema/schema.ts";
import { SchemaError } from "../schema/schema_error.ts";
import { SchemaNode } from "../schema/schema_node.ts";
import { convertSchema } from "./convert_schema.ts";
import { Document, isObject } from "./document.ts";

/**
 * Converts a JSON schema (draft 4 to 2020-12, or of OpenAPI 3) to the schema of a custom resource.
 *
 * References within the document are inlined. A value or `null` becomes nullable, `const` an enum,
 * objects with a discriminator a union. The API server drops fields that the schema does not name,
 * where JSON Schema accepts them; `additionalProperties: true` keeps them. An object schema without
 * `properties` becomes a map if `additionalProperties` is a schema of the values; otherwise all
 * fields are kept. Keywords `x-kubernetes-...` are kept.
 *
 * @typeParam Value The type of the value.
 * @throws {SchemaError} When a CustomResourceDefinition cannot express the schema: the error lists
 * each problem with its path, and that of an unsupported keyword with an alternative.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { fromJsonSchema } from "@xca/operator/resource";
 *
 * const port = fromJsonSchema<number | null>({ type: ["integer", "null"], exclusiveMinimum: 0 });
 * assert.deepEqual(port.json, {
 *   type: "integer",
 *   nullable: true,
 *   minimum: 0,
 *   exclusiveMinimum: true,
 * });
 * assert.throws(
 *   () => fromJsonSchema({ type: "array", prefixItems: [{ type: "string" }] }),
 *   /use an object with named fields/,
 * );
 * ```
 */
export function fromJsonSchema<Value = unknown>(
  schema: Readonly<Record<string, unknown>>,
): Schema<Value> {
  const document = new Document(isObject(schema) ? schema : {});
  const json = convertSchema(document, schema, "");
  if (document.problems.length > 0) throw new SchemaError(document.problems);
  return new SchemaNode({
    json,
    presence: json.default === undefined ? undefined : "defaulted",
  });
}
