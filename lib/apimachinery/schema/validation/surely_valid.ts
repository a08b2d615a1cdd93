import type { SchemaCode } from "../schema_code.ts";
import { itemsOf, type JsonSchema, valuesOf } from "../structural/json_schema.ts";
import { hasFormat, supportedFormat } from "./formats.ts";
import { quickPattern } from "./quick_pattern.ts";

/**
 * A function that reports whether a value certainly matches a schema. After `false`, the value may
 * match or not.
 */
export type Test = (value: unknown) => boolean;

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const MAX_INT32 = 2 ** 31;
/**
 * The maximum length of lists of type `set` or `map` whose items are compared with each other;
 * longer lists are left to the full check.
 */
const MAX_COMPARED = 32;

const known = new WeakMap<JsonSchema, Test>();

/**
 * Returns a function that reports whether a value certainly matches a structural schema:
 * `checkValue` and `checkListTypes` would then find no violation. After `false`, these two must
 * check the value. The function checks neither CEL rules nor the metadata of embedded resources.
 */
export function surelyValid(code: SchemaCode, schema: JsonSchema): Test {
  let test = known.get(schema);
  if (test === undefined) known.set(schema, test = prepare(code, schema));
  return test;
}

function prepare(code: SchemaCode, schema: JsonSchema): Test {
  const { nullable = false, oneOf, not } = schema;
  if (oneOf !== undefined || not !== undefined) return () => false;
  const test = all([typeTest(code, schema), ...clauseTests(code, schema), enumTest(schema)]);
  const acceptsNull = nullable && schema.enum === undefined;
  return (value) => value === null ? acceptsNull : test(value);
}

/** Returns a test of values that passes if all given tests pass. */
function all(tests: readonly (Test | undefined)[]): Test {
  const [first, second, ...others] = tests.filter((test) => test !== undefined);
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (others.length === 0) return (value) => first(value) && second(value);
  const rest = all([second, ...others]);
  return (value) => first(value) && rest(value);
}

function clauseTests(code: SchemaCode, schema: JsonSchema): (Test | undefined)[] {
  const { allOf = [], anyOf } = schema;
  const tests: (Test | undefined)[] = allOf.map((clause) => surelyValid(code, clause));
  // The `anyOf` of an int-or-string states its types, which typeTest checks.
  if (anyOf !== undefined && !schema["x-kubernetes-int-or-string"]) {
    const clauses = anyOf.map((clause) => surelyValid(code, clause));
    tests.push((value) => clauses.some((clause) => clause(value)));
  }
  return tests;
}

function enumTest({ enum: allowed }: JsonSchema): Test | undefined {
  if (allowed === undefined) return undefined;
  const values = new Set<unknown>(allowed);
  return (value) => values.has(value);
}

function typeTest(code: SchemaCode, schema: JsonSchema): Test {
  if (schema["x-kubernetes-int-or-string"]) {
    const [text, integer] = [textTest(code, schema, []), numberTest(schema, true)];
    return (value) => typeof value === "string" ? text(value) : integer(value);
  }
  switch (schema.type) {
    case "string":
      return textTest(code, schema, ["string"]);
    case "integer":
      return numberTest(schema, true);
    case "number":
      return numberTest(schema, false);
    case "boolean":
      return (value) => typeof value === "boolean";
    case "array":
      return listTest(code, schema);
    case "object":
      return objectTest(code, schema);
    default:
      return untypedTest(code, schema);
  }
}

/**
 * Returns the test of a schema without a type, which applies to any value, or is a clause of
 * another schema.
 */
function untypedTest(code: SchemaCode, schema: JsonSchema): Test {
  const text = textTest(code, schema, []);
  const number = numberTest(schema, false);
  const list = listTest(code, schema);
  const object = objectTest(code, schema);
  return (value) => {
    switch (typeof value) {
      case "string":
        return text(value);
      case "number":
        return number(value);
      case "object":
        return Array.isArray(value) ? list(value) : object(value);
      default:
        return value !== undefined;
    }
  };
}

function textTest(code: SchemaCode, schema: JsonSchema, types: readonly string[]): Test {
  const { minLength = 0, maxLength = Infinity, pattern = "", format = "" } = schema;
  const matches = pattern === "" ? undefined : patternTest(code, pattern);
  const hasIt = format !== "" && supportedFormat(format, types)
    ? formatTest(code, format)
    : undefined;
  return (value) => {
    if (typeof value !== "string" || value.length > maxLength) return false;
    // A character outside of the basic plane has two UTF-16 units.
    if (value.length < minLength * 2 && !isLong(value, minLength)) return false;
    if (matches !== undefined && !matches(value)) return false;
    return hasIt === undefined || hasIt(value);
  };
}

/**
 * A pattern of times in Kubernetes' format on days that the month has in every year, which are
 * certainly valid.
 */
const USUAL_TIME =
  /^\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

function formatTest(code: SchemaCode, format: string): (text: string) => boolean {
  const test = (text: string): boolean => hasFormat(code, format, text) === true;
  return format === "date-time" ? (text) => USUAL_TIME.test(text) || test(text) : test;
}

function isLong(text: string, minLength: number): boolean {
  return text.length >= minLength && [...text].length >= minLength;
}

function patternTest(code: SchemaCode, pattern: string): Test {
  const test = quickPattern(pattern, code.goRegExp(pattern));
  return (value) => test(value as string);
}

function numberTest(schema: JsonSchema, isInteger: boolean): Test {
  const { minimum = -Infinity, maximum = Infinity, multipleOf, format } = schema;
  const { exclusiveMinimum = false, exclusiveMaximum = false } = schema;
  const limit = format === "int32" ? MAX_INT32 : MAX_SAFE;
  if (format === "float" || ![minimum, maximum].every(isPlainBound)) return () => false;
  return (value) => {
    if (typeof value !== "number") return false;
    if (isInteger && !Number.isInteger(value) || value >= limit || value < -limit) return false;
    if (exclusiveMinimum ? value <= minimum : value < minimum) return false;
    if (exclusiveMaximum ? value >= maximum : value > maximum) return false;
    return multipleOf === undefined ||
      Number.isInteger(multipleOf) && Number.isInteger(value) && value % multipleOf === 0;
  };
}

/**
 * Reports whether a bound of a schema is absent or an integer, so that numbers can be compared with
 * it directly.
 */
function isPlainBound(bound: number): boolean {
  return Number.isInteger(bound) && Math.abs(bound) <= MAX_SAFE || Math.abs(bound) === Infinity;
}

function listTest(code: SchemaCode, schema: JsonSchema): Test {
  const { minItems = 0, maxItems = Infinity } = schema;
  const items = itemsOf(schema);
  const test = items && surelyValid(code, items);
  const isDistinct = distinctTest(schema);
  return (value) => {
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) return false;
    if (test !== undefined) { for (const item of value) if (!test(item)) return false; }
    return isDistinct === undefined || isDistinct(value);
  };
}

/**
 * Returns a test that lists of type `set` or `map` pass if they certainly have no duplicate items;
 * `undefined` for other lists. No list passes the test of a schema with `uniqueItems`.
 */
function distinctTest(schema: JsonSchema): ((list: readonly unknown[]) => boolean) | undefined {
  const type = schema["x-kubernetes-list-type"] ?? "atomic";
  if (schema.uniqueItems) return () => false;
  if (type === "atomic") return undefined;
  const keys = type === "map" ? schema["x-kubernetes-list-map-keys"] ?? [] : undefined;
  return (list) => {
    if (list.length > MAX_COMPARED) return false;
    for (let index = 1; index < list.length; index++) {
      for (let before = 0; before < index; before++) {
        if (!differ(list[index], list[before], keys)) return false;
      }
    }
    return true;
  };
}

/**
 * Reports whether two list items certainly differ: unequal scalars in a set, or objects of which a
 * scalar key field differs in a list of type `map`.
 */
function differ(a: unknown, b: unknown, keys: readonly string[] | undefined): boolean {
  if (keys === undefined) return a !== b && isScalar(a) && isScalar(b);
  const [one, other] = [a, b] as Record<string, unknown>[];
  for (const key of keys) {
    const [x, y] = [one![key], other![key]];
    if (x !== y && isScalar(x) && isScalar(y)) return true;
  }
  return false;
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function objectTest(code: SchemaCode, schema: JsonSchema): Test {
  const { required = [], minProperties = 0, maxProperties = Infinity, properties = {} } = schema;
  const values = valuesOf(schema);
  const others = values && surelyValid(code, values);
  const isClosed = schema.additionalProperties === false;
  const needed = new Set(required);
  const fields = new Map(
    Object.entries(properties).map(([name, each]) => {
      return [name, { test: surelyValid(code, each), isRequired: needed.has(name) }];
    }),
  );
  const requiredFields = [...fields.values()].filter(({ isRequired }) => isRequired).length;
  const otherRequired = [...needed].filter((name) => !fields.has(name));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const map = value as Record<string, unknown>;
    let [count, found] = [0, 0];
    for (const name in map) {
      count++;
      const field = fields.get(name);
      if (field !== undefined) {
        if (!field.test(map[name])) return false;
        if (field.isRequired) found++;
      } else if (others !== undefined ? !others(map[name]) : isClosed) return false;
    }
    for (const name of otherRequired) if (!Object.hasOwn(map, name)) return false;
    return found === requiredFields && count >= minProperties && count <= maxProperties;
  };
}
