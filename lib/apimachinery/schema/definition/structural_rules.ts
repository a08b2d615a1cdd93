// Mirrors `apiserver/schema/validation.go, ValidateStructural`.
import {
  type FieldError,
  fieldErrorText,
  forbiddenField,
  invalid,
  required,
} from "../../errors/field_error.ts";
import type { FieldPath } from "../../errors/field_path.ts";
import { RegExpSyntaxError } from "../../validation/regexp_syntax_error.ts";
import type { SchemaCode } from "../schema_code.ts";
import { isMap, jsonEqual } from "../../values/json_values.ts";
import {
  hasDefault,
  itemsOf,
  type JsonSchema,
  propertiesOf,
  propertyOf,
  valuesOf,
} from "../structural/json_schema.ts";
import { compareTexts } from "../../values/go_order.ts";

type Level = "root" | "item" | "field";

const INT_OR_STRING = [{ type: "integer" }, { type: "string" }];

/**
 * Returns the reason why a schema or one below it cannot be structural, such as a keyword that
 * custom resources do not support; `undefined` if there is none.
 */
export function unsupported(schema: JsonSchema | undefined): string | undefined {
  if (schema === undefined) return undefined;
  const field = [
    ["id", schema.id],
    ["schema", schema.$schema],
    ["$ref", schema.$ref],
    ["patternProperties", entries(schema.patternProperties)],
    ["dependencies", entries(schema.dependencies)],
    ["additionalItems", schema.additionalItems === undefined ? "" : "set"],
    ["definitions", entries(schema.definitions)],
  ].find(([, value]) => value !== undefined && value !== "")?.[0];
  if (field !== undefined) return `OpenAPIV3Schema '${field}' is not supported`;
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items)) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  const children = [
    schema.not,
    ...schema.allOf ?? [],
    ...schema.anyOf ?? [],
    ...schema.oneOf ?? [],
    itemsOf(schema),
    ...propertiesOf(schema).map(([, child]) => child),
    valuesOf(schema),
  ];
  for (const child of children) {
    const problem = unsupported(child);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function entries(map: object | undefined): string {
  return map === undefined ? "" : Object.keys(map).join();
}

/**
 * Returns the field errors about the rules of structural schemas that a schema breaks, sorted by
 * text as in kube-apiserver.
 */
export function structuralErrors(
  code: SchemaCode,
  path: FieldPath,
  schema: JsonSchema,
): FieldError[] {
  return [...checkInvariants(code, schema, "root", path), ...checkCompleteness(schema, path)]
    .map((error) => ({ error, text: fieldErrorText(error) }))
    .sort((a, b) => compareTexts(a.text, b.text))
    .map(({ error }) => error);
}

function checkInvariants(
  code: SchemaCode,
  schema: JsonSchema | undefined,
  level: Level,
  path: FieldPath,
): FieldError[] {
  if (schema === undefined) return [];
  const errors: FieldError[] = [];
  const items = itemsOf(schema);
  if (schema.type === "array" && items === undefined) {
    errors.push(required(path.child("items"), "must be specified"));
  }
  errors.push(...checkInvariants(code, items, "item", path.child("items")));
  for (const [name, property] of propertiesOf(schema)) {
    errors.push(...checkInvariants(code, property, "field", path.child("properties").key(name)));
  }
  if (schema.additionalProperties !== undefined) {
    const below = path.child("additionalProperties");
    if (level === "root") errors.push(forbiddenField(below, "must not be used at the root"));
    errors.push(...checkInvariants(code, valuesOf(schema), "field", below));
  }
  errors.push(...checkIntOrString(schema, path));
  errors.push(...checkNested(code, schema, isIntOrStringPattern(schema), path));
  errors.push(...checkType(schema, level, path));
  errors.push(...checkTypeMeta(schema, level, path));
  if (
    schema["x-kubernetes-embedded-resource"] && !schema["x-kubernetes-preserve-unknown-fields"] &&
    propertiesOf(schema).length === 0
  ) {
    errors.push(required(
      path.child("properties"),
      "must not be empty if x-kubernetes-embedded-resource is true without " +
        "x-kubernetes-preserve-unknown-fields",
    ));
  }
  return errors;
}

function checkIntOrString(schema: JsonSchema, path: FieldPath): FieldError[] {
  if (!schema["x-kubernetes-int-or-string"]) return [];
  const why = "must be false if x-kubernetes-int-or-string is true";
  return ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"]
    .filter((name) => schema[name as keyof JsonSchema])
    .map((name) => invalid(path.child(name), true, why));
}

/**
 * Returns the keyword in which an int-or-string schema has its types: `anyOf`, or `allOf`, whose
 * first clause has them; `undefined` for other schemas.
 */
function isIntOrStringPattern({ anyOf, allOf }: JsonSchema): "anyOf" | "allOf" | undefined {
  if (jsonEqual(anyOf, INT_OR_STRING)) return "anyOf";
  return jsonEqual(allOf?.[0]?.anyOf, INT_OR_STRING) ? "allOf" : undefined;
}

function checkType(schema: JsonSchema, level: Level, path: FieldPath): FieldError[] {
  const { type = "" } = schema;
  const errors: FieldError[] = [];
  const at = path.child("type");
  if (schema["x-kubernetes-embedded-resource"] && type !== "object") {
    const why = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? required(at, why) : invalid(at, type, why));
  } else if (
    type === "" && !schema["x-kubernetes-int-or-string"] &&
    !schema["x-kubernetes-preserve-unknown-fields"]
  ) {
    const where = {
      root: "at the root",
      item: "for specified array items",
      field: "for specified object fields",
    }[level];
    errors.push(required(at, `must not be empty ${where}`));
  }
  if (schema["x-kubernetes-embedded-resource"] && schema.additionalProperties !== undefined) {
    const why = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(forbiddenField(path.child("additionalProperties"), why));
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(invalid(at, type, "must be object at the root"));
  }
  return errors;
}

function checkTypeMeta(schema: JsonSchema, level: Level, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const isResource = level === "root" || schema["x-kubernetes-embedded-resource"] === true;
  const at = (name: string): FieldPath => path.child("properties").key(name);
  for (const name of ["kind", "apiVersion"]) {
    const property = propertyOf(schema, name);
    if (property && isResource && property.type !== "string") {
      errors.push(invalid(at(name).child("type"), property.type ?? "", "must be string"));
    }
  }
  const metadata = propertyOf(schema, "metadata");
  if (!metadata) return errors;
  if (isResource && metadata.type !== "object") {
    errors.push(invalid(at("metadata").child("type"), metadata.type ?? "", "must be object"));
  }
  if (level === "root" && !restrictsOnlyNames(metadata)) {
    errors.push(forbiddenField(
      at("metadata"),
      "must not specify anything other than name and generateName, but metadata is implicitly specified",
    ));
  }
  return errors;
}

function restrictsOnlyNames({ type: _, default: __, ...metadata }: JsonSchema): boolean {
  const names = Object.keys(metadata.properties ?? {});
  const areNames = names.every((name) => name === "name" || name === "generateName");
  return areNames &&
    Object.entries(metadata).every(([field, value]) => field === "properties" || isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || value === false || value === null ||
    (Array.isArray(value) && value.length === 0);
}

/**
 * Returns the field errors of the value validations of a schema: its `pattern`, and the clauses of
 * `allOf`, `anyOf`, `oneOf` and `not`. `skip` names the keyword whose clauses may have types; with
 * `allowsRules`, the clauses of `allOf` may have CEL rules.
 */
function checkNested(
  code: SchemaCode,
  schema: JsonSchema,
  skip: "anyOf" | "allOf" | undefined,
  path: FieldPath,
  allowsRules = false,
): FieldError[] {
  const errors: FieldError[] = [];
  const check = (name: "anyOf" | "allOf" | "oneOf", rules: boolean): void => {
    for (const [index, clause] of (schema[name] ?? []).entries()) {
      const skipBelow = name === "allOf" && skip === "allOf" && index === 0 ? "anyOf" : undefined;
      errors.push(...checkClause(code, clause, skipBelow, path.child(name).index(index), rules));
    }
  };
  if (skip !== "anyOf") check("anyOf", false);
  check("allOf", allowsRules);
  check("oneOf", false);
  if (schema.not) {
    errors.push(...checkClause(code, schema.not, undefined, path.child("not"), false));
  }
  if (schema.pattern) errors.push(...checkPattern(code, schema.pattern, path.child("pattern")));
  return errors;
}

function checkPattern(code: SchemaCode, pattern: string, path: FieldPath): FieldError[] {
  try {
    code.goRegExp(pattern);
    return [];
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    const why = `must be a valid regular expression, but isn't: ${error.message}`;
    return [invalid(path, pattern, why)];
  }
}

const EMPTY = "must be empty to be structural";
const UNDEFINED = "must be undefined to be structural";
const FALSE = "must be false to be structural";

/**
 * A list of schema keywords that are forbidden within `allOf`, `anyOf`, `oneOf` and `not`, with the
 * texts of their errors. {@linkcode checkClause} itself forbids further keywords, such as `type`.
 */
const FORBIDDEN: readonly (readonly [keyof JsonSchema, string])[] = [
  ["title", EMPTY],
  ["description", EMPTY],
  ["nullable", FALSE],
  ["x-kubernetes-preserve-unknown-fields", FALSE],
  ["x-kubernetes-embedded-resource", FALSE],
  ["x-kubernetes-int-or-string", FALSE],
  ["x-kubernetes-list-map-keys", EMPTY],
  ["x-kubernetes-list-type", UNDEFINED],
  ["x-kubernetes-map-type", UNDEFINED],
];

function checkClause(
  code: SchemaCode,
  clause: JsonSchema,
  skip: "anyOf" | undefined,
  path: FieldPath,
  allowsRules: boolean,
): FieldError[] {
  const errors = checkNested(code, clause, skip, path, allowsRules);
  const items = itemsOf(clause);
  if (items) errors.push(...checkClause(code, items, undefined, path.child("items"), allowsRules));
  for (const [name, property] of propertiesOf(clause)) {
    const below = path.child("properties").key(name);
    errors.push(...checkClause(code, property, undefined, below, allowsRules));
  }
  if (clause.type) errors.push(forbiddenField(path.child("type"), EMPTY));
  if (clause.additionalProperties === true || isMap(clause.additionalProperties)) {
    errors.push(forbiddenField(path.child("additionalProperties"), UNDEFINED));
  }
  if (hasDefault(clause)) errors.push(forbiddenField(path.child("default"), UNDEFINED));
  for (const [field, why] of FORBIDDEN) {
    if (!isEmpty(clause[field])) errors.push(forbiddenField(path.child(field), why));
  }
  if (clause["x-kubernetes-validations"]?.length && !allowsRules) {
    errors.push(forbiddenField(path.child("x-kubernetes-validations"), EMPTY));
  }
  if (propertyOf(clause, "metadata")) {
    const below = path.child("properties").key("metadata");
    errors.push(forbiddenField(below, "must not be specified in a nested context"));
  }
  return errors;
}

/**
 * Returns the field errors of fields that a schema validates within `allOf`, `anyOf`, `oneOf` or
 * `not` and does not define outside of these keywords.
 */
function checkCompleteness(schema: JsonSchema, path: FieldPath): FieldError[] {
  return completeClauses(schema, schema, path, path);
}

function completeClauses(
  clause: JsonSchema,
  schema: JsonSchema,
  path: FieldPath,
  clausePath: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (clause.not) errors.push(...complete(clause.not, schema, path, clausePath.child("not")));
  for (const name of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [index, each] of (clause[name] ?? []).entries()) {
      errors.push(...complete(each, schema, path, clausePath.child(name).index(index)));
    }
  }
  return errors;
}

function complete(
  clause: JsonSchema,
  schema: JsonSchema | undefined,
  path: FieldPath,
  clausePath: FieldPath,
): FieldError[] {
  if (schema === undefined) return [required(path, `because it is defined in ${clausePath}`)];
  const errors = completeClauses(clause, schema, path, clausePath);
  const items = itemsOf(clause);
  if (items) {
    const at = clausePath.child("items");
    errors.push(...complete(items, itemsOf(schema), path.child("items"), at));
  }
  for (const [name, property] of propertiesOf(clause)) {
    const below = path.child("properties").key(name);
    const at = clausePath.child("properties").key(name);
    errors.push(...complete(property, propertyOf(schema, name), below, at));
  }
  return errors;
}
