// Mirrors `common/types/compare.go, compareDoubleInt`.
import {
  CelBytes,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelObject,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  type CelValue,
  Uint,
} from "./value.ts";
import { compareTexts } from "../../values/go_order.ts";

/**
 * Compares two CEL values for equality. The result is a boolean, the operand that is a `CelError`,
 * or a new `CelError` if `a` is an object of a library and `b` a value of another type except null.
 */
export function equal(a: CelValue, b: CelValue): CelValue {
  if (a instanceof CelError) return a;
  if (b instanceof CelError) return b;
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b) === 0;
  if (a instanceof CelBytes) return b instanceof CelBytes && compareBytes(a, b) === 0;
  if (a instanceof CelList) return b instanceof CelList && equalLists(a, b);
  if (a instanceof CelMap) return b instanceof CelMap && equalMaps(a, b);
  if (a instanceof CelDuration || a instanceof CelTimestamp) {
    return b instanceof a.constructor && a.nanoseconds === (b as CelDuration).nanoseconds;
  }
  if (a instanceof CelTypeValue) {
    return b instanceof CelTypeValue && a.type.name === b.type.name;
  }
  if (a instanceof CelOptional) return b instanceof CelOptional && equalOptionals(a, b);
  if (a instanceof CelObject) {
    if (!(b instanceof CelObject) || b.type !== a.type) {
      return b === null ? false : new CelError("no such overload");
    }
    return a.equals(b);
  }
  return a === b;
}

function equalLists(a: CelList, b: CelList): CelValue {
  if (a.size !== b.size) return false;
  if (a.equalsList) return a.equalsList(b, equal);
  for (let index = 0; index < a.size; index++) {
    const same = equal(a.get(index), b.get(index));
    if (same !== true) return same;
  }
  return true;
}

function equalMaps(a: CelMap, b: CelMap): CelValue {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const left = a.find(key);
    const right = b.find(key);
    if (left === undefined || right === undefined) {
      if (left !== right) return false;
      continue;
    }
    const same = equal(left, right);
    if (same !== true) return same;
  }
  return true;
}

function equalOptionals(a: CelOptional, b: CelOptional): CelValue {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value);
}

function isNumeric(value: CelValue): value is bigint | number | Uint {
  return typeof value === "bigint" || typeof value === "number" || value instanceof Uint;
}

/**
 * Compares two CEL numbers, also of different types: returns -1, 0 or 1, or `undefined` if either
 * is not a number (NaN).
 */
function compareNumbers(a: bigint | number | Uint, b: bigint | number | Uint): number | undefined {
  const [left, right] = alike(a instanceof Uint ? a.value : a, b instanceof Uint ? b.value : b);
  if (left < right) return -1;
  if (left > right) return 1;
  return Number.isNaN(left as number) || Number.isNaN(right as number) ? undefined : 0;
}

/**
 * Returns two CEL numbers converted to one JavaScript type. As in cel-go, an integer is compared
 * with a double as a double: 2^63-1 then equals 2^63.
 */
function alike(
  a: bigint | number,
  b: bigint | number,
): readonly [bigint | number, bigint | number] {
  return typeof a === typeof b ? [a, b] : [Number(a), Number(b)];
}

function compareBytes(a: CelBytes, b: CelBytes): number {
  const length = Math.min(a.bytes.length, b.bytes.length);
  for (let index = 0; index < length; index++) {
    const difference = a.bytes[index]! - b.bytes[index]!;
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(a.bytes.length - b.bytes.length);
}

/**
 * Compares two CEL values: returns -1, 0 or 1, or a `CelError` for values without an order, such as
 * NaN, lists, or values of different types that are not both numbers.
 */
export function compare(a: CelValue, b: CelValue): number | CelError {
  if (b instanceof CelError) return b;
  if (isNumeric(a) && isNumeric(b)) {
    return compareNumbers(a, b) ?? new CelError("NaN values cannot be ordered");
  }
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof CelBytes && b instanceof CelBytes) return compareBytes(a, b);
  if (
    (a instanceof CelDuration && b instanceof CelDuration) ||
    (a instanceof CelTimestamp && b instanceof CelTimestamp)
  ) {
    if (a.nanoseconds === b.nanoseconds) return 0;
    return a.nanoseconds < b.nanoseconds ? -1 : 1;
  }
  return new CelError("no such overload");
}
