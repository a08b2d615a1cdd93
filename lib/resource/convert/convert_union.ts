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
 * Returns the structural schema of a JSON Schema whose `anyOf` or `oneOf` is a union. Supports
 * unions of a schema and null, of constants, of integer and string, and of objects with a
 * discriminator; clauses of the other keyword that only restrict values stay, within `allOf`.
 * Records a problem for any other union, and for two at once, and returns a schema of any value.
 * Returns `undefined` for a schema without `anyOf` and `oneOf`, or whose clauses only restrict
 * values.
 */
export function convertUnion(
  document: Document,
  schema: Keywords,
  path: string,
  convert: Convert,
): V1JSONSchemaProps | undefined {
  const { anyOf, oneOf, ...rest } = schema;
  const unions = [anyOf, oneOf].filter(isUnion);
  const [clauses, second] = unions;
  if (clauses === undefined) return undefined;
  if (second !== undefined) {
    document.refuse(
      path,
      "anyOf and oneOf beside each other both describe the forms of a value; use one of them",
    );
    return { "x-kubernetes-preserve-unknown-fields": true };
  }
  const branches = clauses.map((clause) => resolved(document, clause, path));
  const values = branches.filter((branch) => branch.type !== "null");
  const isNullable = values.length < branches.length;
  const { description: _1, default: _2, deprecated: _3, ...plain } = rest;
  const other = clauses === anyOf ? oneOf && { oneOf } : anyOf && { anyOf };
  const common = other ? withRestrictions(plain, [other]) : plain;
  const json = oneValue(document, values, common, path, convert);
  if (json !== undefined) return isNullable ? nullable(json) : json;
  document.refuse(
    path,
    "a value cannot have one of several forms, unless they are objects with a field whose one value " +
      "tells them apart (a discriminated union); use such a field, or s.unknown",
  );
  return { "x-kubernetes-preserve-unknown-fields": true };
}

/** Reports whether the value of `anyOf` or `oneOf` describes values, instead of restricting them. */
function isUnion(clauses: unknown): clauses is readonly unknown[] {
  return Array.isArray(clauses) && !clauses.every(isRestriction);
}

/** Returns a copy of a schema with further clauses in its `allOf`. */
function withRestrictions(schema: Keywords, clauses: readonly unknown[]): Keywords {
  return { ...schema, allOf: [...(schema.allOf ?? []) as readonly unknown[], ...clauses] };
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
  if (values.length === 1) return convert(document, withMember(common, first!), path);
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
    return convert(document, withMember(common, both), path);
  }
  const json = discriminated(
    document,
    values.map((each) => withFields(common, each)),
    path,
    convert,
  );
  const { allOf } = common as { readonly allOf?: readonly V1JSONSchemaProps[] };
  return json && allOf
    ? { ...json, allOf: [...json.allOf ?? [], ...structuredClone(allOf)] }
    : json;
}

/**
 * Returns a member of a union with the keywords beside the union: the member's own keywords win,
 * and the clauses of `allOf` are joined.
 */
function withMember(common: Keywords, member: Keywords): Keywords {
  const both = { ...common, ...member };
  return common.allOf && member.allOf
    ? withRestrictions(both, common.allOf as readonly unknown[])
    : both;
}

/**
 * Returns a member of a union with the fields beside the union, of which the member's own win; the
 * unchanged member if one of the two has no `properties`.
 */
function withFields({ properties, required }: Keywords, member: Keywords): Keywords {
  if (!isObject(properties) || !isObject(member.properties)) return member;
  const names = [required, member.required].flatMap((each) => Array.isArray(each) ? each : []);
  return {
    ...member,
    properties: { ...properties, ...member.properties },
    required: [...new Set(names)],
  };
}

function nullable(json: V1JSONSchemaProps): V1JSONSchemaProps {
  const { enum: values, ...rest } = json;
  const allOf = values && [...rest.allOf ?? [], { enum: values }];
  return { ...rest, ...(allOf && { allOf }), nullable: true };
}

/**
 * Returns the structural schema of a union of object schemas that differ in the constant text of
 * one field, with the problems of the union recorded; returns `undefined` for a union without such
 * a field.
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
