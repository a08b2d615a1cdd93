/**
 * Validates values against schemas with the messages, the order and the quirks of the library that
 * kube-apiserver uses for custom resources (kube-openapi, pkg/validation).
 *
 * Mirrors `validation/validate/schema.go, SchemaValidator`.
 *
 * @module
 */
import { runAll } from "../../base/time/loop_share.ts";
import { goQuote } from "../../values/go_text.ts";
import { RegExpSyntaxError } from "../../validation/regexp_syntax_error.ts";
import { isMap, jsonEqual } from "../../values/json_values.ts";
import type { SchemaCode } from "../schema_code.ts";
import type { Checker } from "./checker.ts";
import type { Correlation } from "./correlation.ts";
import { hasFormat } from "./formats.ts";
import { checkNumber, isNearlyInteger } from "./numbers.ts";
import { Result, type Violation } from "./violation.ts";

/**
 * Checks a value against a schema, and returns the violations and the number of passed checks. With
 * a correlation, the violations by a value that the update left unchanged, and by all values in it,
 * are left out, except where `allOf`, `anyOf`, `oneOf` or `not` of a changed value checks them.
 */
export function checkValue(
  code: SchemaCode,
  checker: Checker,
  value: unknown,
  path = "",
  correlation?: Correlation,
): Result {
  return runAll(checkValueInSteps(code, checker, value, path, correlation));
}

/** The number of items or fields after which their validation yields to other work. */
const PAUSE_AFTER = 200;

/**
 * Finds violations like {@linkcode checkValue}, as a generator that yields from time to time so
 * that other work may run.
 */
export function* checkValueInSteps(
  code: SchemaCode,
  checker: Checker,
  value: unknown,
  path: string,
  correlation: Correlation | undefined,
): Generator<void, Result> {
  const result = yield* checkNode(code, checker, value, path, correlation);
  if (result.isValid || !correlation?.isUnchanged()) return result;
  const forgiven = new Result();
  forgiven.matches = result.matches;
  return forgiven;
}

function* checkNode(
  code: SchemaCode,
  checker: Checker,
  value: unknown,
  path: string,
  correlation: Correlation | undefined,
): Generator<void, Result> {
  const result = new Result();
  if (value === null || value === undefined) {
    result.merge(checkNull(checker, path));
    result.merge(checkEnum(checker, null, path));
    return result;
  }
  const step = (part: Result | undefined): void => {
    result.merge(part);
    result.matches++;
  };
  if (checker.types.length > 0 || checker.format !== "") step(checkType(checker, value, path));
  step(yield* checkJunctors(code, checker, value, path));
  if (typeof value === "string") {
    step(checkString(code, checker, value, path));
    if (hasFormat(code, checker.format, "") !== undefined) {
      step(checkFormat(code, checker, value, path));
    }
  }
  if (typeof value === "number") step(checkNumber(checker, value, path));
  if (Array.isArray(value)) step(yield* checkList(code, checker, value, path, correlation));
  step(checkEnum(checker, value, path));
  if (isMap(value)) step(yield* checkMap(code, checker, value, path, correlation));
  result.matches++;
  return result;
}

/**
 * Returns the JSON type of a value; a whole number below 2^63 is an integer, since `1.0` and `1`
 * are not distinguished.
 */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") {
    return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? "integer" : "number";
  }
  return typeof value;
}

function wrongType(path: string, expected: string, actual: string): Violation {
  const message = `${path} in body must be of type ${expected}: ${goQuote(actual)}`;
  return { kind: "type", path, message, value: actual };
}

function checkNull({ types, nullable }: Checker, path: string): Result | undefined {
  if (types.length > 0 && !types.includes("null") && !nullable) {
    return Result.of(wrongType(path, types.join(","), "null"));
  }
  const result = new Result();
  result.matches++;
  return result;
}

function checkType({ types, format }: Checker, value: unknown, path: string): Result {
  const actual = typeOf(value);
  const isIntegral = actual === "number" && types.includes("integer") &&
    isNearlyInteger(value as number);
  const isWidened = actual === "integer" && types.includes("number");
  const fits = types.includes(actual) || isIntegral || isWidened;
  const isText = typeof value === "string" || Array.isArray(value);
  if (!isText && format !== "" && !fits) {
    const actualFormat = actual === "integer" ? "int64" : actual === "number" ? "float64" : "";
    if (actualFormat !== format) return Result.of(wrongType(path, format, actualFormat));
  }
  const isNumeric = types.includes("number") || types.includes("integer");
  if (!(isText && !isNumeric && format !== "") && !fits) {
    return Result.of(wrongType(path, types.join(","), actual));
  }
  const result = new Result();
  result.matches++;
  return result;
}

function checkString(
  code: SchemaCode,
  checker: Checker,
  value: string,
  path: string,
): Result | undefined {
  const { maxLength, minLength, pattern } = checker;
  const length = maxLength === undefined && minLength === undefined ? 0 : characterCount(value);
  if (maxLength !== undefined && length > maxLength) {
    const message = `${path} in body should be at most ${maxLength} chars long`;
    return Result.of({ kind: "tooLong", path, message, value, valid: maxLength });
  }
  if (minLength !== undefined && length < minLength) {
    const message = `${path} in body should be at least ${minLength} chars long`;
    return Result.of({ kind: "value", path, message, value });
  }
  if (pattern === "") return undefined;
  const problem = patternProblem(code, pattern, value);
  if (problem === undefined) return undefined;
  return Result.of({
    kind: "value",
    path,
    message: `${path} in body should match '${problem}'`,
    value,
  });
}

/** Returns the number of Unicode characters in a text; a surrogate pair counts as one. */
export function characterCount(text: string): number {
  return text.length - (text.match(ASTRAL)?.length ?? 0);
}

const ASTRAL = /[\ud800-\udbff][\udc00-\udfff]/g;

function patternProblem(code: SchemaCode, pattern: string, value: string): string | undefined {
  try {
    return code.goRegExp(pattern).test(value) ? undefined : pattern;
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    return `${pattern}, but pattern is invalid: ${error.message}`;
  }
}

function checkFormat(
  code: SchemaCode,
  { format }: Checker,
  value: string,
  path: string,
): Result | undefined {
  return hasFormat(code, format, value) ? undefined : Result.of(wrongType(path, format, value));
}

function* checkList(
  code: SchemaCode,
  checker: Checker,
  list: readonly unknown[],
  path: string,
  correlation: Correlation | undefined,
): Generator<void, Result> {
  const result = new Result();
  const { items, minItems, maxItems } = checker;
  if (items) {
    for (const [index, item] of list.entries()) {
      const below = correlation?.index(index);
      const where = `${path}[${index}]`;
      result.merge(yield* checkValueInSteps(code, items, item, where, below));
      if (index % PAUSE_AFTER === PAUSE_AFTER - 1) yield;
    }
  }
  const size = list.length;
  if (minItems !== undefined && size < minItems) {
    const message = `${path} in body should have at least ${minItems} items`;
    result.add({ kind: "value", path, message, value: size });
  }
  if (maxItems !== undefined && size > maxItems) {
    const message = `${path} in body should have at most ${maxItems} items`;
    result.add({ kind: "tooMany", path, message, value: size, valid: maxItems });
  }
  result.matches++;
  return result;
}

function* checkMap(
  code: SchemaCode,
  checker: Checker,
  map: Record<string, unknown>,
  path: string,
  correlation: Correlation | undefined,
): Generator<void, Result> {
  const result = new Result();
  checkSize(checker, map, path, result);
  let checked = 0;
  const checkField = function* (
    name: string,
    field: Checker,
    where: string,
  ): Generator<void, void> {
    const isTypeMeta = path === "" && (name === "kind" || name === "apiVersion");
    const below = isTypeMeta ? undefined : correlation?.key(name);
    result.merge(yield* checkValueInSteps(code, field, map[name], where, below));
    if (++checked % PAUSE_AFTER === 0) yield;
  };
  for (const name of Object.keys(map)) {
    if (checker.properties.has(name)) continue;
    if (checker.isClosed) {
      const message = `${path}.${name} in body is a forbidden property`;
      result.add({ kind: "value", path, message, value: name });
    } else if (checker.values) yield* checkField(name, checker.values, `${path}.${name}`);
  }
  for (const [name, field] of checker.properties) {
    const where = path === "" ? name : `${path}.${name}`;
    if (Object.hasOwn(map, name)) yield* checkField(name, field, where);
  }
  for (const name of checker.required) {
    if (Object.hasOwn(map, name)) continue;
    const where = `${path}.${name}`;
    result.add({ kind: "required", path: where, message: `${where} in body is required` });
  }
  return result;
}

function checkSize(
  { minProperties, maxProperties }: Checker,
  map: Record<string, unknown>,
  path: string,
  result: Result,
): void {
  const size = Object.keys(map).length;
  if (minProperties !== undefined && size < minProperties) {
    const message = `${path} in body should have at least ${minProperties} properties`;
    result.add({ kind: "value", path, message, value: size });
  }
  if (maxProperties !== undefined && size > maxProperties) {
    const message = `${path} in body should have at most ${maxProperties} properties`;
    result.add({ kind: "tooMany", path, message, value: size, valid: maxProperties });
  }
}

function checkEnum({ allowed }: Checker, value: unknown, path: string): Result | undefined {
  if (allowed.length === 0 || allowed.some((each) => isSameAfterConversion(value, each))) {
    return undefined;
  }
  const message = `${path} in body should be one of ${JSON.stringify(allowed)}`;
  return Result.of({ kind: "enum", path, message, value, valid: allowed });
}

/**
 * Reports whether a value equals an allowed value of an enum; `null` equals none. As in Go, the
 * value is first converted to the type of the allowed value.
 */
function isSameAfterConversion(value: unknown, allowed: unknown): boolean {
  if (value === null || allowed === null) return false;
  if (typeof value === "number") {
    if (typeof allowed === "number") {
      return (Number.isInteger(allowed) ? Math.trunc(value) : value) === allowed;
    }
    if (typeof allowed === "string" && Number.isInteger(value)) {
      return allowed === (value >= 0 && value <= 0x10ffff ? String.fromCodePoint(value) : "\ufffd");
    }
  }
  return jsonEqual(value, allowed);
}

/**
 * Checks a value against the `allOf`, `anyOf`, `oneOf` and `not` of a schema. Values below these
 * keywords are checked whether an update changed the values or not.
 */
function* checkJunctors(
  code: SchemaCode,
  checker: Checker,
  value: unknown,
  path: string,
): Generator<void, Result> {
  const result = new Result();
  const general = (message: string): void =>
    result.add({ kind: "general", path, message: `${goQuote(path)} ${message}` });
  yield* checkAnyOf(code, checker.anyOf, value, path, result, general);
  yield* checkOneOf(code, checker.oneOf, value, path, result, general);
  if (checker.allOf.length > 0) {
    const results: Result[] = [];
    for (const each of checker.allOf) {
      results.push(yield* checkNode(code, each, value, path, undefined));
    }
    for (const each of results) result.merge(each);
    const valid = results.filter((each) => each.isValid).length;
    if (valid !== results.length) {
      general(`must validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`);
    }
  }
  if (checker.not && (yield* checkNode(code, checker.not, value, path, undefined)).isValid) {
    general("must not validate the schema (not)");
  }
  result.matches++;
  return result;
}

function* checkAnyOf(
  code: SchemaCode,
  alternatives: readonly Checker[],
  value: unknown,
  path: string,
  result: Result,
  general: (message: string) => void,
): Generator<void, void> {
  let best: Result | undefined;
  for (const alternative of alternatives) {
    const each = yield* checkNode(code, alternative, value, path, undefined);
    if (each.isValid) return result.merge(each);
    if (best === undefined || each.matches > best.matches) best = each;
  }
  if (best === undefined) return;
  general("must validate at least one schema (anyOf)");
  result.merge(best);
}

function* checkOneOf(
  code: SchemaCode,
  alternatives: readonly Checker[],
  value: unknown,
  path: string,
  result: Result,
  general: (message: string) => void,
): Generator<void, void> {
  if (alternatives.length === 0) return;
  let best: Result | undefined;
  let first: Result | undefined;
  let valid = 0;
  for (const alternative of alternatives) {
    const each = yield* checkNode(code, alternative, value, path, undefined);
    if (each.isValid) {
      valid++;
      best = undefined;
      first ??= each;
    } else if (valid === 0 && (best === undefined || each.matches > best.matches)) best = each;
  }
  if (valid === 1) return result.merge(first);
  general(
    "must validate one and only one schema (oneOf). " +
      (valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`),
  );
  result.merge(best);
}
