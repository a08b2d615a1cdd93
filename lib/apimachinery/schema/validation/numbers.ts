// Mirrors `validation/validate/validator.go, numberValidator`.
import { GoFloat } from "../../values/go_text.ts";
import type { Checker } from "./checker.ts";
import { Result, type Violation } from "./violation.ts";

const MAX_SAFE = 2 ** 53 - 1;
const EPSILON = 1e-9;
const MAX_FLOAT32 = 3.4028235677973366e38;

/** Reports whether a number is so close to an integer that kube-apiserver takes it for one. */
export function isNearlyInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > MAX_SAFE) return false;
  if (Number.isInteger(value)) return true;
  if (value < 0) return false;
  const whole = Math.trunc(value);
  if (whole === 0) return false;
  return (value - whole) / (value + whole) < EPSILON;
}

/** A limit of a schema on numbers, and the way in which a value is compared with it. */
interface Limit {
  readonly limit: number;
  /** Reports whether the limit and the value are compared as floats rather than as integers. */
  readonly isFloat: boolean;
}

/**
 * Checks a number against the range of its schema's type and format, and against `multipleOf`,
 * `minimum` and `maximum`. Returns the violations.
 */
export function checkNumber(checker: Checker, value: number, path: string): Result {
  const type = checker.types.length === 1 ? checker.types[0]! : "";
  const format = formatOf(type, checker.format);
  const result = new Result();
  const outOfRange = (number: number, what: string): Violation | undefined =>
    rangeViolation(number, type, format, what, path);
  const wrong = outOfRange(value, "Checked");
  if (wrong) result.add(wrong);
  const isInteger = Number.isInteger(value) && Math.abs(value) < 2 ** 63;
  /**
   * Returns the form of a schema's limit. If the value is an integer and the limit is in the range
   * of the schema's type, the two are compared as integers, otherwise as floats. A limit out of
   * that range is itself a violation.
   */
  const limitOf = (number: number, what: string): Limit => {
    const bad = outOfRange(number, what);
    if (bad) result.add(bad);
    const isFloat = bad !== undefined || !isInteger;
    return { limit: isFloat ? number : Math.trunc(number), isFloat };
  };
  const add = (what: string, { limit, isFloat }: Limit): void => {
    const shown = isFloat ? new GoFloat(limit) : limit;
    const message = `${path} in body should be ${what} ${shown}`;
    result.add({ kind: "value", path, message, value: isFloat ? new GoFloat(value) : value });
  };
  if (checker.multipleOf !== undefined) {
    checkMultiple(limitOf(checker.multipleOf, "MultipleOf"), value, path, result, add);
  }
  if (checker.minimum !== undefined) {
    const minimum = limitOf(checker.minimum, "Minimum boundary");
    if (checker.exclusiveMinimum ? value <= minimum.limit : value < minimum.limit) {
      add(checker.exclusiveMinimum ? "greater than" : "greater than or equal to", minimum);
    }
  }
  if (checker.maximum !== undefined) {
    const maximum = limitOf(checker.maximum, "Maximum boundary");
    if (checker.exclusiveMaximum ? value >= maximum.limit : value > maximum.limit) {
      add(checker.exclusiveMaximum ? "less than" : "less than or equal to", maximum);
    }
  }
  result.matches++;
  return result;
}

function checkMultiple(
  factor: Limit,
  value: number,
  path: string,
  result: Result,
  add: (what: string, limit: Limit) => void,
): void {
  const { limit, isFloat } = factor;
  if (limit <= 0) {
    const shown = isFloat ? new GoFloat(limit) : limit;
    const message = `factor MultipleOf declared for ${path} must be positive: ${shown}`;
    result.add({ kind: "value", path, message, value: shown });
    return;
  }
  const times = limit < 1 ? 1 / limit * value : value / limit;
  const isMultiple = isFloat ? isNearlyInteger(times) : value % limit === 0;
  if (!isMultiple) add("a multiple of", factor);
}

function formatOf(type: string, format: string): string {
  const formats = type === "integer"
    ? ["int32", "int64"]
    : type === "number"
    ? ["float", "double"]
    : [];
  return formats.includes(format) ? format : "";
}

function rangeViolation(
  value: number,
  type: string,
  format: string,
  what: string,
  path: string,
): Violation | undefined {
  if (isInRange(value, type, format)) return undefined;
  const of = format === "" ? `${type} (default format)` : `${type} with format ${format}`;
  return { kind: "general", path, message: `${what} value must be of type ${of} in ${path}` };
}

function isInRange(value: number, type: string, format: string): boolean {
  if (type === "integer") {
    if (!Number.isInteger(value)) return false;
    const limit = format === "int32" ? 2 ** 31 : 2 ** 63;
    return value >= -limit && value < limit;
  }
  return type !== "number" || format !== "float" || Math.abs(value) < MAX_FLOAT32;
}
