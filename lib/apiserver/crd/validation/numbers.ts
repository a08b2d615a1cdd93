import { goNumber } from "../../machinery/go_text.ts";
import type { Checker } from "./checker.ts";
import { Result, type Violation } from "./violation.ts";

const MAX_SAFE = 2 ** 53 - 1;
const EPSILON = 1e-9;
const MAX_FLOAT32 = 3.4028235677973366e38;

/** Whether a fraction is so near a whole number that the real server takes it for one. */
export function isNearlyInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > MAX_SAFE) return false;
  if (Number.isInteger(value)) return true;
  if (value < 0) return false;
  const whole = Math.trunc(value);
  if (whole === 0) return false;
  return (value - whole) / (value + whole) < EPSILON;
}

/** Checks range, multiple and bounds of a number. */
export function checkNumber(checker: Checker, value: number, path: string): Result {
  const type = checker.types.length === 1 ? checker.types[0]! : "";
  const format = formatOf(type, checker.format);
  const result = new Result();
  const outOfRange = (number: number, what: string): Violation | undefined =>
    rangeViolation(number, type, format, what, path);
  const wrong = outOfRange(value, "Checked");
  if (wrong) result.add(wrong);
  const isInteger = Number.isInteger(value) && Math.abs(value) < 2 ** 63;
  /** A limit as it is compared: with an integer as an integer, unless it does not fit its type. */
  const limit = (number: number, what: string): number => {
    const bad = outOfRange(number, what);
    if (bad) result.add(bad);
    return !bad && isInteger ? Math.trunc(number) : number;
  };
  const add = (what: string): void => {
    result.add({ kind: "value", path, message: `${path} in body should be ${what}`, value });
  };
  if (checker.multipleOf !== undefined) {
    checkMultiple(limit(checker.multipleOf, "MultipleOf"), value, path, result, add);
  }
  if (checker.minimum !== undefined) {
    const minimum = limit(checker.minimum, "Minimum boundary");
    if (checker.exclusiveMinimum ? value <= minimum : value < minimum) {
      const bound = checker.exclusiveMinimum ? "greater than" : "greater than or equal to";
      add(`${bound} ${goNumber(minimum)}`);
    }
  }
  if (checker.maximum !== undefined) {
    const maximum = limit(checker.maximum, "Maximum boundary");
    if (checker.exclusiveMaximum ? value >= maximum : value > maximum) {
      const bound = checker.exclusiveMaximum ? "less than" : "less than or equal to";
      add(`${bound} ${goNumber(maximum)}`);
    }
  }
  result.matches++;
  return result;
}

function checkMultiple(
  factor: number,
  value: number,
  path: string,
  result: Result,
  add: (what: string) => void,
): void {
  if (factor <= 0) {
    const message = `factor MultipleOf declared for ${path} must be positive: ${goNumber(factor)}`;
    result.add({ kind: "value", path, message, value: factor });
    return;
  }
  const times = factor < 1 ? 1 / factor * value : value / factor;
  const isMultiple = Number.isInteger(factor) && Number.isInteger(value)
    ? value % factor === 0
    : isNearlyInteger(times);
  if (!isMultiple) add(`a multiple of ${goNumber(factor)}`);
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
