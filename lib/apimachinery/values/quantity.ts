// Mirrors `api/resource/quantity.go, Quantity`.
import { BINARY_SUFFIXES, DECIMAL_SUFFIXES } from "./quantity_suffixes.ts";

const NANO = 1_000_000_000n;
const MILLI = 1_000_000n;
/** The largest decimal exponent of a resource quantity; larger ones are reduced to it. */
const MOST_DIGITS = 10_000;
const QUANTITY = /^([+-]?)(\d*)\.?(\d*)(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d+))?$/;

/**
 * Returns the value of a resource quantity in billionths, rounded up (away from zero). A text that
 * is not a quantity counts as zero.
 */
export function nanosOf(quantity: string | number | undefined): bigint {
  const match = QUANTITY.exec(String(quantity ?? "0"));
  if (!match) return 0n;
  const [, sign, whole = "", fraction = "", suffix = "", exponent] = match;
  let numerator = BigInt(`${whole}${fraction}` || "0");
  if (numerator === 0n) return 0n;
  const binary = BINARY_SUFFIXES.get(suffix);
  if (binary !== undefined) numerator <<= BigInt(binary);
  const scale = 9 - fraction.length +
    (binary !== undefined
      ? 0
      : exponent !== undefined
      ? Math.max(-MOST_DIGITS, Math.min(MOST_DIGITS, Number(exponent)))
      : DECIMAL_SUFFIXES.get(suffix)!);
  const nanos = scale >= 0 ? numerator * 10n ** BigInt(scale) : roundUp(numerator, -scale);
  return sign === "-" ? -nanos : nanos;
}

function roundUp(value: bigint, digits: number): bigint {
  const divisor = 10n ** BigInt(digits);
  return (value + divisor - 1n) / divisor;
}

/** Compares two quantities; returns a negative number, zero or a positive number. */
export function compareQuantities(
  a: string | number | undefined,
  b: string | number | undefined,
): number {
  const difference = nanosOf(a) - nanosOf(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Reports whether a resource quantity is an integer. */
export function isWholeQuantity(quantity: string | number): boolean {
  return nanosOf(quantity) % NANO === 0n;
}

/** Returns the value of a quantity as an integer, rounded up. */
export function wholeValue(quantity: string | number): bigint {
  return ceilDivide(nanosOf(quantity), NANO);
}

/** Returns the value of a quantity in thousandths, rounded up. */
export function milliValue(quantity: string | number): bigint {
  return ceilDivide(nanosOf(quantity), MILLI);
}

function ceilDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value > 0n && value % divisor !== 0n ? quotient + 1n : quotient;
}
