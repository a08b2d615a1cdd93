import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { checkKeywords, isForeignPattern } from "../schema/check_keywords.ts";
import { mismatches } from "../schema/mismatches.ts";
import { joined } from "../schema/schema_error.ts";
import { convertUnion } from "./convert_union.ts";
import { type Document, isObject, type Keywords } from "./document.ts";
import { mergeAll } from "./merge.ts";
import { numberKeywords } from "./number_keywords.ts";
import { isAny, refuseKeywords } from "./refused_keywords.ts";
import { wellFormed } from "./well_formed.ts";
import { TEXT_FORMATS } from "../schema/text_formats.ts";

const ANY: V1JSONSchemaProps = { "x-kubernetes-preserve-unknown-fields": true };
const INT_OR_STRING: V1JSONSchemaProps = {
  anyOf: [{ type: "integer" }, { type: "string" }],
  "x-kubernetes-int-or-string": true,
};
/**
 * The names of the JSON Schema keywords that limit lengths and counts; their values are copied to
 * the structural schema unchanged.
 */
const COPIED = [
  "minLength",
  "maxLength",
  "minProperties",
  "maxProperties",
  "minItems",
  "maxItems",
] as const;

/**
 * Returns the structural schema of a schema of a JSON Schema document. Records a problem of the
 * document for each part that cannot be converted; the result is then incomplete. `path` is the
 * field path of the schema for these problems.
 */
export function convertSchema(
  document: Document,
  schema: unknown,
  path: string,
): V1JSONSchemaProps {
  return document.within(path, () => convert(document, schema, path)) ?? ANY;
}

function convert(document: Document, schema: unknown, path: string): V1JSONSchemaProps {
  if (isAny(schema)) return ANY;
  if (!isObject(schema)) {
    document.refuse(path, "a schema must be an object, and false accepts no value");
    return ANY;
  }
  const { $ref, ...beside } = schema;
  if ($ref !== undefined) {
    const convertNamed = (named: unknown): V1JSONSchemaProps =>
      convert(document, isObject(named) ? { ...named, ...beside } : named, path);
    return document.follow($ref, path, convertNamed) ?? ANY;
  }
  const merged = mergeAll(document, wellFormed(document, schema, path), path);
  refuseKeywords(document, merged, path);
  const union = convertUnion(document, merged, path, convertSchema);
  const json = union ?? convertPlain(document, merged, path);
  const complete = { ...annotations(merged), ...json, ...extensions(merged) };
  for (const problem of checkKeywords(complete)) document.refuse(path, problem.message);
  checkDefault(document, complete, path);
  return complete;
}

/**
 * Returns the keywords `description` and `default` of the converted schema. The description of a
 * deprecated schema ends with "Deprecated."; a default of null is dropped.
 */
function annotations({ description, deprecated, default: value }: Keywords): V1JSONSchemaProps {
  const texts = [description, deprecated === true && "Deprecated."];
  const text = texts.filter((part) => typeof part === "string" && part !== "").join("\n\n");
  return {
    ...(text !== "" && { description: text }),
    ...(value !== undefined && value !== null && { default: structuredClone(value) }),
  };
}

/** Returns the `x-kubernetes-` keywords that a JSON Schema contains, such as list types. */
function extensions(schema: Keywords): V1JSONSchemaProps {
  const own = Object.entries(schema).filter(([name]) => name.startsWith("x-kubernetes-"));
  return structuredClone(Object.fromEntries(own));
}

function checkDefault(document: Document, json: V1JSONSchemaProps, path: string): void {
  if (json.default === undefined) return;
  for (const { path: at, message } of mismatches(json, json.default)) {
    const what = at === "" ? message : `${at} ${message}`;
    document.refuse(path, `the default ${JSON.stringify(json.default)} does not match: ${what}`);
  }
}

/**
 * Returns the structural schema of a JSON Schema that is not a union, without `description` and
 * `default`. Records a problem, and returns a schema of any value, for a schema of several types
 * besides null, unless they are integer and string, and for a schema whose only type is null
 * (unless it has `nullable: true`).
 */
function convertPlain(document: Document, schema: Keywords, path: string): V1JSONSchemaProps {
  const { types, isNullable } = typesOf(schema);
  const nullable = isNullable && { nullable: true };
  if (types.length === 2 && types.includes("integer") && types.includes("string")) {
    return {
      ...INT_OR_STRING,
      ...nullable,
      ...copied(schema),
      ...numberKeywords(schema),
      ...textKeywords(schema, "string"),
      ...restrictions(schema, isNullable),
      anyOf: INT_OR_STRING.anyOf!,
    };
  }
  const [type] = types;
  if (types.length > 1) {
    document.refuse(
      path,
      `a value has one type, not ${types.join(" or ")}; choose one, or s.unknown`,
    );
    return ANY;
  }
  if (type === undefined) {
    if (isNullable && schema.nullable !== true) {
      document.refuse(path, "a value that is always null says nothing; leave it out");
    }
    return { ...ANY, ...nullable, ...restrictions(schema, isNullable) };
  }
  return {
    type,
    ...nullable,
    ...copied(schema),
    ...numberKeywords(schema),
    ...textKeywords(schema, type),
    ...(type === "object" && objectKeywords(document, schema, path)),
    ...(type === "array" && arrayKeywords(document, schema, path)),
    ...restrictions(schema, isNullable),
  };
}

/**
 * Returns the JSON types of a schema's values other than null, and whether the values may be null;
 * `integer` beside `number` is left out. The types follow from `type`; without it, from `const` or
 * `enum`; without these, from `properties`, `additionalProperties` or `items`; without all of them,
 * the list is empty, and every type is allowed.
 */
function typesOf(schema: Keywords): { readonly types: string[]; readonly isNullable: boolean } {
  const values = "const" in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : [];
  const named = Array.isArray(schema.type) ? schema.type : schema.type ? [schema.type] : [];
  const all = new Set<string>(named.length > 0 ? named : values.map(typeOf));
  if (all.has("number") && all.has("integer")) all.delete("integer");
  if (all.size === 0) {
    if (isObject(schema.properties) || isObject(schema.additionalProperties)) all.add("object");
    else if (schema.items !== undefined) all.add("array");
  }
  const isNullable = all.delete("null") || schema.nullable === true;
  return { types: [...all], isNullable };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function copied(schema: Keywords): V1JSONSchemaProps {
  return Object.fromEntries(
    COPIED.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]]),
  );
}

/**
 * Returns the keywords `enum`, `allOf`, `anyOf`, `oneOf` and `not` of the structural schema, from a
 * JSON Schema without a union that {@linkcode mergeAll} returned; `const` becomes an `enum`. The
 * `enum` of a nullable schema becomes a clause of `allOf`, since the API server rejects null for an
 * `enum` beside `nullable`.
 */
function restrictions(schema: Keywords, isNullable: boolean): V1JSONSchemaProps {
  const { anyOf, oneOf, not } = schema;
  const listed = "const" in schema ? [schema.const] : schema.enum as unknown[] | undefined;
  const values = listed && [...new Set(listed.filter((each) => each !== null))];
  const allOf = [
    ...isNullable && values !== undefined && values.length > 0 ? [{ enum: values }] : [],
    ...(schema.allOf ?? []) as readonly unknown[],
  ];
  return structuredClone({
    ...(!isNullable && values !== undefined && { enum: values }),
    ...(allOf.length > 0 && { allOf }),
    ...(anyOf !== undefined && { anyOf }),
    ...(oneOf !== undefined && { oneOf }),
    ...(not !== undefined && { not }),
  }) as V1JSONSchemaProps;
}

/**
 * Returns the keywords `pattern` and `format` of the structural schema. The format of a number is
 * kept only if it is one of the type, such as `int32` of an integer, and its pattern, which never
 * restricts a number, is kept with or without a format. For other types, a pattern with syntax that
 * RE2 lacks is dropped if the API server checks the format, and a format that the API server does
 * not check is dropped if there is a pattern.
 */
function textKeywords({ pattern, format }: Keywords, type: string): V1JSONSchemaProps {
  const kept = typeof pattern === "string" ? { pattern } : {};
  if (typeof format !== "string") return kept;
  if (type === "integer" || type === "number") {
    const formats = type === "integer" ? ["int32", "int64"] : ["float", "double"];
    return { ...(formats.includes(format) && { format }), ...kept };
  }
  const isChecked = TEXT_FORMATS.has(format);
  if (typeof pattern === "string") {
    return {
      ...(isChecked && { format }),
      ...(!(isChecked && isForeignPattern(pattern)) && { pattern }),
    };
  }
  return { format };
}

function objectKeywords(document: Document, schema: Keywords, path: string): V1JSONSchemaProps {
  const { properties, additionalProperties } = schema;
  const required = [...new Set((schema.required ?? []) as readonly string[])].sort();
  if (!isObject(properties)) {
    const values = additionalProperties;
    const names = required.length > 0 && { required };
    if (values === undefined || values === false || isAny(values)) return { ...ANY, ...names };
    return { additionalProperties: convertSchema(document, values, `${path}{}`), ...names };
  }
  const fields = Object.entries(properties).map(([name, each]) =>
    [name, convertSchema(document, each, joined(path, name))] as const
  );
  const isOpen = isAny(additionalProperties);
  const unknown = required.find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined && !isOpen) {
    const why = "the API server drops the field and would then miss it; add it to properties";
    document.refuse(path, `required names ${unknown}, which properties lacks: ${why}`);
  }
  // The API server fills in defaults before it checks for required fields.
  const filled = new Set(
    fields.filter(([, json]) => json.default !== undefined).map(([name]) => name),
  );
  const names = required.filter((name) => !filled.has(name));
  return {
    ...(fields.length > 0 && { properties: Object.fromEntries(fields) }),
    ...(names.length > 0 && { required: names }),
    ...(isOpen && ANY),
  };
}

function arrayKeywords(document: Document, schema: Keywords, path: string): V1JSONSchemaProps {
  const { items, uniqueItems } = schema;
  if (Array.isArray(items)) {
    document.refuse(
      path,
      "items cannot be a list: an array has one schema for all items; use an object with named fields",
    );
    return { items: ANY };
  }
  // In newer drafts, `items` beside `prefixItems` describes only the items after the listed ones.
  const json = convertSchema(document, schema.prefixItems ? {} : items ?? {}, `${path}[]`);
  const isSet = uniqueItems === true && schema["x-kubernetes-list-type"] === undefined;
  return { items: json, ...(isSet && { "x-kubernetes-list-type": "set" }) };
}
