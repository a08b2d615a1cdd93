import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { joined, type SchemaProblem } from "./schema_error.ts";

/**
 * Returns the problems of a default that does not match its schema: wrong types, exceeded bounds
 * and lengths, values missing in an enum, and missing or unknown fields. Does not check
 * `multipleOf`, `allOf`, `anyOf`, `oneOf`, `not` and list types, nor patterns, formats and CEL
 * rules, which need code that `checkSchema` loads on demand.
 */
export function mismatches(schema: V1JSONSchemaProps, value: unknown, path = ""): SchemaProblem[] {
  const found = (message: string): SchemaProblem => ({ path, message });
  if (value === null && schema.nullable) return [];
  const type = typeOf(value);
  if (!matchesType(schema, type)) return [found(`must be of type ${wanted(schema)}, is ${type}`)];
  const problems: SchemaProblem[] = [];
  if (schema.enum && !schema.enum.some((each) => jsonEqual(each, value))) {
    problems.push(
      found(`must be one of ${schema.enum.map((each) => JSON.stringify(each)).join(", ")}`),
    );
  }
  if (typeof value === "number") problems.push(...outOfBounds(schema, value).map(found));
  if (typeof value === "string") {
    problems.push(...outOfLengths(schema, "Length", [...value].length, "characters").map(found));
  }
  if (Array.isArray(value)) {
    problems.push(...outOfLengths(schema, "Items", value.length, "items").map(found));
    const items = schema.items as V1JSONSchemaProps | undefined;
    if (items) {
      problems.push(...value.flatMap((each, i) => mismatches(items, each, `${path}[${i}]`)));
    }
  } else if (typeof value === "object" && value !== null) {
    problems.push(...fieldMismatches(schema, value as Record<string, unknown>, path));
  }
  return problems;
}

function fieldMismatches(
  schema: V1JSONSchemaProps,
  value: Record<string, unknown>,
  path: string,
): SchemaProblem[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = Object.keys(value);
  const problems = outOfLengths(schema, "Properties", names.length, "fields")
    .map((message): SchemaProblem => ({ path, message }));
  for (const name of required) {
    if (Object.hasOwn(value, name)) continue;
    if (Object.hasOwn(properties, name) && properties[name]!.default !== undefined) continue;
    problems.push({ path: joined(path, name), message: "is required" });
  }
  for (const name of names) {
    const below = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (typeof below === "object") {
      problems.push(...mismatches(below, value[name], joined(path, name)));
    } else if (below !== true && !schema["x-kubernetes-preserve-unknown-fields"]) {
      problems.push({ path: joined(path, name), message: "is not a field of the schema" });
    }
  }
  return problems;
}

/** Returns the JSON Schema type of a JSON value. */
function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function matchesType(schema: V1JSONSchemaProps, type: string): boolean {
  if (schema["x-kubernetes-int-or-string"]) return type === "integer" || type === "string";
  if (schema.type === undefined || schema.type === type) return true;
  return schema.type === "number" && type === "integer";
}

function wanted(schema: V1JSONSchemaProps): string {
  return schema["x-kubernetes-int-or-string"] ? "integer or string" : schema.type!;
}

function outOfBounds(schema: V1JSONSchemaProps, value: number): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const problems: string[] = [];
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    problems.push(`must be ${exclusiveMinimum ? "more than" : "at least"} ${minimum}`);
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    problems.push(`must be ${exclusiveMaximum ? "less than" : "at most"} ${maximum}`);
  }
  return problems;
}

function outOfLengths(
  schema: V1JSONSchemaProps,
  what: "Length" | "Items" | "Properties",
  length: number,
  unit: string,
): string[] {
  const { [`min${what}` as const]: min, [`max${what}` as const]: max } = schema;
  if (min !== undefined && length < min) return [`must have at least ${min} ${unit}`];
  return max !== undefined && length > max ? [`must have at most ${max} ${unit}`] : [];
}
