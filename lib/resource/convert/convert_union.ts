import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { nodeOf, SchemaNode } from "../schema/schema_node.ts";
import type { AnySchema } from "../schema/schema.ts";
import { union } from "../schema/builders/union.ts";
import { joined } from "../schema/schema_error.ts";
import { type Document, isObject, type Keywords } from "./document.ts";
import { isRestriction, mergeAll } from "./merge.ts";

/** A function that converts the JSON Schema at a path of a document to a structural schema. */
type Convert = (document: Document, schema: unknown, path: string) => V1JSONSchemaProps;

/**
 * Converts a JSON Schema whose `anyOf` or `oneOf` is a union to a structural schema. Supports
 * unions of a schema and null, of constants, of integer and string, and of objects with a
 * discriminator. Records a problem for any other union, and returns a schema of any value. Returns
 * `undefined` for a schema without `anyOf` and `oneOf`, or whose clauses only restrict values.
 */
export function convertUnion(
  document: Document,
  schema: Keywords,
  path: string,
  convert: Convert,
): V1JSONSchemaProps | undefined {
  const { anyOf, oneOf, ...rest } = schema;
  const clauses = (anyOf ?? oneOf) as unknown;
  if (!Array.isArray(clauses) || clauses.every(isRestriction)) return undefined;
  const branches = clauses.map((clause) => resolved(document, clause, path));
  const values = branches.filter((branch) => branch.type !== "null");
  const isNullable = values.length < branches.length;
  const { description: _1, default: _2, deprecated: _3, ...common } = rest;
  const json = oneValue(document, values, common, path, convert);
  if (json !== undefined) return isNullable ? nullable(json) : json;
  document.refuse(
    path,
    "a value cannot have one of several forms, unless they are objects with a field whose one value " +
      "tells them apart (a discriminated union); use such a field, or s.unknown",
  );
  return { "x-kubernetes-preserve-unknown-fields": true };
}

function resolved(document: Document, clause: unknown, path: string): Keywords {
  if (!isObject(clause)) return {};
  const { $ref, ...beside } = clause;
  if ($ref === undefined) return mergeAll(document, clause, path);
  const resolve = (named: unknown): Keywords =>
    resolved(document, isObject(named) ? { ...named, ...beside } : named, path);
  return document.follow($ref, path, resolve) ?? {};
}

function oneValue(
  document: Document,
  values: readonly Keywords[],
  common: Keywords,
  path: string,
  convert: Convert,
): V1JSONSchemaProps | undefined {
  const [first] = values;
  if (values.length === 1) return convert(document, { ...common, ...first }, path);
  const listed = values.map(({ const: value, enum: all }) =>
    value !== undefined ? [value] : Array.isArray(all) ? all : undefined
  );
  if (listed.length > 0 && listed.every((each) => each !== undefined)) {
    return convert(document, { ...common, enum: listed.flat() }, path);
  }
  const types = values.map(({ type, ...more }) => isRestriction(more) ? type : undefined);
  if (types.length === 2 && types.includes("integer") && types.includes("string")) {
    // Bounds apply to integers alone, and lengths and patterns to texts.
    const both = Object.assign({}, ...values, { type: ["integer", "string"] });
    return convert(document, { ...common, ...both }, path);
  }
  return discriminated(document, values, path, convert);
}

function nullable(json: V1JSONSchemaProps): V1JSONSchemaProps {
  const { enum: values, ...rest } = json;
  return { ...rest, ...(values && { allOf: [{ enum: values }] }), nullable: true };
}

/**
 * Converts a union of object schemas that differ in the constant text of one field; returns
 * `undefined` for a union without such a field.
 */
function discriminated(
  document: Document,
  branches: readonly Keywords[],
  path: string,
  convert: Convert,
): V1JSONSchemaProps | undefined {
  const discriminator = discriminatorOf(branches);
  if (discriminator === undefined) return undefined;
  const members: Record<string, Record<string, AnySchema>> = {};
  for (const { properties, required } of branches) {
    const { [discriminator]: tag, ...fields } = properties as Keywords;
    const names = Array.isArray(required) ? required : [];
    members[tagOf(tag)!] = Object.fromEntries(
      Object.entries(fields).map(([name, each]) => {
        const json = convert(document, each, joined(path, name));
        const presence = names.includes(name) ? undefined : "optional";
        return [
          name,
          new SchemaNode({
            json,
            presence: json.default === undefined ? presence : "defaulted",
          }),
        ];
      }),
    );
  }
  const node = nodeOf(union(discriminator, members));
  for (const problem of node.problems) {
    document.refuse(joined(path, problem.path), problem.message);
  }
  return node.unchecked;
}

/**
 * Returns the name of the field that has a different constant text in each branch of a union;
 * `undefined` without such a field.
 */
function discriminatorOf(branches: readonly Keywords[]): string | undefined {
  const [first] = branches;
  if (!isObject(first?.properties)) return undefined;
  return Object.keys(first.properties).find((name) => {
    const tags = branches.map(({ properties }) =>
      isObject(properties) ? tagOf(properties[name]) : undefined
    );
    return tags.every((tag) => tag !== undefined) && new Set(tags).size === tags.length;
  });
}

/**
 * Returns the text that is the only value in the `const` or `enum` of a schema; `undefined` for
 * other schemas.
 */
function tagOf(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  const [value, ...others] = "const" in schema
    ? [schema.const]
    : Array.isArray(schema.enum)
    ? schema.enum
    : [];
  return typeof value === "string" && others.length === 0 ? value : undefined;
}
