import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import type { SchemaProblem } from "./schema_error.ts";
import { TEXT_FORMATS } from "./text_formats.ts";

/**
 * The pairs of schema keywords, such as `minimum` and `maximum`, of which the first must not exceed
 * the second.
 */
const RANGES = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const;

/**
 * Returns the problems of the keywords of one schema, such as ranges without values, invalid
 * regular expressions, or map keys that items may lack. Nested schemas are not checked.
 */
export function checkKeywords(schema: V1JSONSchemaProps): SchemaProblem[] {
  const messages = [
    ...checkNames(schema),
    ...checkFormat(schema),
    ...checkRanges(schema),
    ...checkPattern(schema.pattern),
    ...checkEnum(schema.enum),
    ...checkArray(schema),
  ];
  return messages.map((message) => ({ path: "", message }));
}

/**
 * The names of the keywords that a schema of this library may have, apart from `x-kubernetes-`
 * keywords.
 */
const KEYWORDS = new Set([
  ...["type", "format", "description", "default", "nullable", "enum", "pattern", "multipleOf"],
  ...["minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["minItems", "maxItems", "items", "minProperties", "maxProperties", "properties", "required"],
  ...["additionalProperties", "allOf", "anyOf", "oneOf", "not"],
]);

function checkNames(schema: V1JSONSchemaProps): string[] {
  return Object.keys(schema)
    .filter((name) => !KEYWORDS.has(name) && !name.startsWith("x-kubernetes-"))
    .map((name) => `there is no option ${name}`);
}

function checkFormat({ type, format }: V1JSONSchemaProps): string[] {
  if (format === undefined) return [];
  const formats = type === "integer"
    ? ["int32", "int64"]
    : type === "number"
    ? ["float", "double"]
    : [...TEXT_FORMATS];
  if (formats.includes(format)) return [];
  const advice = type === "string" ? "use a pattern, or" : "it checks";
  return [`the API server does not check the format ${format}; ${advice} ${formats.join(", ")}`];
}

function checkRanges(schema: V1JSONSchemaProps): string[] {
  const problems: string[] = [];
  for (const [low, high] of RANGES) {
    const [min, max] = [schema[low], schema[high]];
    for (const [name, value] of [[low, min], [high, max]] as const) {
      if (value === undefined) continue;
      const isCount = name !== "minimum" && name !== "maximum";
      if (!Number.isFinite(value)) {
        problems.push(`${name} must be a number, is ${shown(value)}`);
      } else if (isCount && (value < 0 || !Number.isInteger(value))) {
        problems.push(`${name} must be a whole number from 0 on, is ${value}`);
      }
    }
    if (min !== undefined && max !== undefined && min > max) {
      problems.push(`${low} ${min} is more than ${high} ${max}: no value has both`);
    }
  }
  const { multipleOf } = schema;
  if (multipleOf !== undefined && !(multipleOf > 0)) {
    problems.push(`multipleOf must be more than 0, is ${multipleOf}`);
  }
  return problems;
}

function shown(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return JSON.stringify(value) ?? typeof value;
}

/**
 * A regular expression for syntax of Go's regular expressions that JavaScript may lack: flags such
 * as `(?i)`, groups named as in `(?P<name>`, names of groups that begin with a digit, escapes such
 * as `\A` and `\pL`, and classes such as `[[:alpha:]]`. Both languages have `(?<name>`.
 */
const GO_ONLY = /\(\?[a-zA-Z-]|\(\?<\d|\\[AzQEpPC]|\[\[:/;
/**
 * A regular expression for the syntax of JavaScript's regular expressions that Go lacks: lookahead,
 * lookbehind, and back references by number or name.
 */
const JAVASCRIPT_ONLY = /\(\?<?[=!]|\\[1-9]|\\k</;

/**
 * Reports whether a pattern contains syntax of JavaScript that RE2 lacks: lookaround or back
 * references.
 */
export function isForeignPattern(pattern: string): boolean {
  return JAVASCRIPT_ONLY.test(pattern.replaceAll("\\\\", ""));
}

/**
 * Returns the problems of a pattern that can be found without an RE2 parser: syntax that RE2 lacks,
 * and, unless the pattern may have syntax that only Go knows, invalid syntax. `checkSchema` loads
 * an RE2 parser and finds the others.
 */
function checkPattern(pattern: string | undefined): string[] {
  if (pattern === undefined) return [];
  if (isForeignPattern(pattern)) {
    return [
      `pattern ${pattern} has lookaround or a back reference, which RE2 lacks; use a CEL rule`,
    ];
  }
  if (GO_ONLY.test(pattern)) return [];
  try {
    new RegExp(pattern);
    return [];
  } catch (error) {
    return [`pattern is not a regular expression: ${(error as Error).message}`];
  }
}

function checkEnum(values: readonly unknown[] | undefined): string[] {
  if (values === undefined) return [];
  const scalars = new Set<unknown>();
  const twice = values.find((each, index) =>
    typeof each === "object"
      ? values.slice(0, index).some((other) => jsonEqual(other, each))
      : scalars.size === scalars.add(each).size
  );
  return twice === undefined ? [] : [`the enum lists ${JSON.stringify(twice)} twice`];
}

function checkArray(schema: V1JSONSchemaProps): string[] {
  const type = schema["x-kubernetes-list-type"];
  const items = schema.items as V1JSONSchemaProps | undefined;
  if (type === "set") return checkSet(items);
  if (type !== undefined && !["atomic", "set", "map"].includes(type)) {
    return [`listType must be atomic, set or map, is ${shown(type)}`];
  }
  if (type !== "map") return [];
  const keys: unknown = schema["x-kubernetes-list-map-keys"] ?? [];
  if (!Array.isArray(keys)) return ["mapKeys must be an array of names of fields"];
  if (keys.length === 0) return ["a list of type map must name the mapKeys of its items"];
  if (items?.type !== "object") return ["the items of a list of type map must be objects"];
  return keys.flatMap((key) => checkMapKey(items, key));
}

function checkSet(items: V1JSONSchemaProps | undefined): string[] {
  const isAtomic = items?.type === "object"
    ? items["x-kubernetes-map-type"] === "atomic"
    : items?.type !== "array" || (items["x-kubernetes-list-type"] ?? "atomic") === "atomic";
  if (items?.nullable) return ["the items of a list of type set must not be nullable"];
  return isAtomic
    ? []
    : ["the items of a list of type set must be scalars or atomic; give objects atomic: true"];
}

function checkMapKey(items: V1JSONSchemaProps, key: string): string[] {
  const { properties = {} } = items;
  const field = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (field === undefined) return [`mapKeys names ${key}, which the items do not have`];
  if (field.type === "object" || field.type === "array") {
    return [`mapKeys names ${key}, which must be a text, a number or a boolean`];
  }
  if (field.nullable) return [`mapKeys names ${key}, which must not be nullable`];
  return items.required?.includes(key) || field.default !== undefined
    ? []
    : [`mapKeys names ${key}, which is optional; make it required or give it a default`];
}
