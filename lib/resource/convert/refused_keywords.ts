import { type Document, isObject, type Keywords } from "./document.ts";

/**
 * The names of the JSON Schema keywords that the conversion drops without a problem, since they do
 * not restrict values.
 */
const ANNOTATIONS = new Set([
  "$schema",
  "$id",
  "id",
  "$anchor",
  "$comment",
  "$defs",
  "definitions",
  "title",
  "examples",
  "example",
  "readOnly",
  "writeOnly",
  "externalDocs",
  "discriminator",
  "contentMediaType",
  "contentEncoding",
  "~standard",
]);

/** The names of the JSON Schema keywords that the conversion to structural schemas supports. */
const KNOWN = new Set([
  "$ref",
  "type",
  "description",
  "deprecated",
  "default",
  "const",
  "enum",
  "nullable",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "properties",
  "required",
  "additionalProperties",
  "minProperties",
  "maxProperties",
  "items",
  "minItems",
  "maxItems",
  "uniqueItems",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "propertyNames",
]);

const RULE = "write it as a CEL rule of the object (option rules of s.object)";

/**
 * A record of the advice for the error message about each JSON Schema keyword that structural
 * schemas do not support, by the name of the keyword.
 */
const REFUSED: Readonly<Record<string, string>> = {
  patternProperties: "name the fields, or use one schema for all values (additionalProperties)",
  prefixItems: "an array has one schema for all items: use an object with named fields",
  additionalItems: "an array has one schema for all items: use an object with named fields",
  if: RULE,
  then: RULE,
  else: RULE,
  dependencies: RULE,
  dependentRequired: RULE,
  dependentSchemas: RULE,
  contains: "write it as a CEL rule of the array, such as self.exists(item, ...)",
  minContains: "write it as a CEL rule of the array",
  maxContains: "write it as a CEL rule of the array",
  unevaluatedProperties: "the API server drops unknown fields: leave it out",
  unevaluatedItems: "an array has one schema for all items",
  $dynamicRef: "inline the schema, or use $ref",
  $recursiveRef: "inline the schema, or use $ref",
  contentSchema: "the API server does not look into texts: leave it out",
};

/**
 * Records a problem for each keyword of a JSON Schema that structural schemas do not support or
 * that JSON Schema does not have (except extensions, `x-...`), and for unsupported values of
 * keywords, such as `additionalProperties: false`.
 */
export function refuseKeywords(document: Document, schema: Keywords, path: string): void {
  for (const keyword of Object.keys(schema)) {
    if (KNOWN.has(keyword) || ANNOTATIONS.has(keyword) || keyword.startsWith("x-")) continue;
    const advice = Object.hasOwn(REFUSED, keyword)
      ? REFUSED[keyword]
      : "it is not a keyword of JSON Schema: leave it out";
    document.refuse(path, `${keyword} cannot be in a CustomResourceDefinition; ${advice}`);
  }
  const { additionalProperties, properties, propertyNames } = schema;
  if (additionalProperties === false) {
    document.refuse(
      path,
      "additionalProperties cannot be false: the API server drops unknown fields instead of " +
        "rejecting them; leave it out (z.object instead of z.strictObject)",
    );
  }
  if (isObject(properties) && isObject(additionalProperties) && !isAny(additionalProperties)) {
    document.refuse(
      path,
      "an object cannot have both properties and a schema for others (additionalProperties); " +
        "move the others into a field of their own",
    );
  }
  if (propertyNames !== undefined && !isOnlyText(propertyNames)) {
    document.refuse(path, "propertyNames cannot be checked; name the fields, or use a CEL rule");
  }
}

/** Reports whether a JSON Schema is `true` or `{}`, which accept every value. */
export function isAny(schema: unknown): boolean {
  return schema === true || isObject(schema) && Object.keys(schema).length === 0;
}

function isOnlyText(schema: unknown): boolean {
  return isAny(schema) ||
    isObject(schema) && Object.keys(schema).length === 1 && schema.type === "string";
}
