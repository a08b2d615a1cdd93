// Mirrors `api/resource/quantity.go, Quantity`.
import { BINARY_SUFFIXES, DECIMAL_SUFFIXES } from "./quantity_suffixes.ts";

const NANO = 1_000_000_000n;
const MILLI = 1_000_000n;
/**
 * The largest absolute value of the decimal exponent of a resource quantity; larger ones are
 * reduced to it.
 */
const MOST_DIGITS = 10_000;
/**
 * The number of digits after the point that decide the value in billionths, rounded up, of a
 * fraction with any suffix: 9, and one for each bit of the largest binary suffix.
 */
const FRACTION_DIGITS = 69;
const QUANTITY = /^([+-]?)(\d*)(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d+))?$/;

/**
 * Returns the value of a resource quantity in billionths, rounded up (away from zero). An absent
 * quantity, or a text that is not a quantity, counts as zero.
 */
export function nanosOf(quantity: string | number | undefined): bigint {
  const match = QUANTITY.exec(String(quantity ?? "0"));
  if (!match) return 0n;
  const [, sign, whole = "", after = "", suffix = "", exponent] = match;
  const binary = BINARY_SUFFIXES.get(suffix);
  const power = binary !== undefined
    ? 0
    : exponent !== undefined
    ? Math.max(-MOST_DIGITS, Math.min(MOST_DIGITS, Number(exponent)))
    : DECIMAL_SUFFIXES.get(suffix)!;
  const fraction = shortFraction(after, FRACTION_DIGITS + Math.max(0, power));
  let numerator = BigInt(`${shortWhole(whole)}${fraction}` || "0");
  if (numerator === 0n) return 0n;
  if (binary !== undefined) numerator <<= BigInt(binary);
  const scale = 9 - fraction.length + power;
  const nanos = scale >= 0 ? numerator * 10n ** BigInt(scale) : roundUp(numerator, -scale);
  return sign === "-" ? -nanos : nanos;
}

/**
 * Returns the digits before the point of a quantity. Numbers of more than twice {@linkcode
 * MOST_DIGITS} digits, with which arithmetic would take long, count as the smallest of them.
 */
function shortWhole(digits: string): string {
  if (digits.length <= 2 * MOST_DIGITS) return digits;
  const significant = digits.replace(/^0+/, "");
  return significant.length <= 2 * MOST_DIGITS ? significant : `1${"0".repeat(2 * MOST_DIGITS)}`;
}

/**
 * Returns the digits after the point of a quantity. One digit stands for all those beyond `length`,
 * since they only decide whether the number is rounded up.
 */
function shortFraction(digits: string, length: number): string {
  if (digits.length <= length + 1) return digits;
  return digits.slice(0, length) + (/[1-9]/.test(digits.slice(length)) ? "1" : "0");
}

function roundUp(value: bigint, digits: number): bigint {
  const divisor = 10n ** BigInt(digits);
  return (value + divisor - 1n) / divisor;
}

/**
 * Compares two quantities in billionths, rounded up; returns -1, 0 or 1. An absent quantity, or a
 * text that is not a quantity, counts as zero.
 */
export function compareQuantities(
  a: string | number | undefined,
  b: string | number | undefined,
): number {
  const difference = nanosOf(a) - nanosOf(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * Reports whether a resource quantity is an integer. A text that is not a quantity counts as zero,
 * and so as an integer.
 */
export function isWholeQuantity(quantity: string | number): boolean {
  return nanosOf(quantity) % NANO === 0n;
}

/**
 * Returns the value of a quantity as an integer, rounded away from zero like Go's `Value()`. Go's
 * result differs for negative quantities that Go does not keep as an `int64`: -0.3Ki is -306 there.
 */
export function wholeValue(quantity: string | number): bigint {
  return divideAwayFromZero(nanosOf(quantity), NANO);
}

/**
 * Returns the value of a quantity in thousandths, rounded away from zero like Go's `MilliValue()`,
 * with the exceptions of {@linkcode wholeValue}.
 */
export function milliValue(quantity: string | number): bigint {
  return divideAwayFromZero(nanosOf(quantity), MILLI);
}

function divideAwayFromZero(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value > 0n ? quotient + 1n : quotient - 1n;
}
