// Mirrors `api/resource/quantity.go, Quantity.Add`.
import { nanosOf } from "../values/quantity.ts";

const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const DECIMAL = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const NANO = 1_000_000_000n;

/**
 * Returns the canonical sum of two resource quantities, in the notation of the first that is not
 * zero.
 */
export function addQuantities(a: string, b: string): string {
  return quantityText(nanosOf(a) + nanosOf(b), nanosOf(a) === 0n ? b : a);
}

/**
 * Returns the canonical difference of two resource quantities, in the notation of the first that is
 * not zero.
 */
export function subtractQuantities(a: string, b: string): string {
  return quantityText(nanosOf(a) - nanosOf(b), nanosOf(a) === 0n ? b : a);
}

/**
 * Formats a number of billionths as a quantity in the notation of another; fractions and amounts
 * below 1024 are always decimal.
 */
function quantityText(nanos: bigint, like: string): string {
  if (nanos < 0n) return `-${quantityText(-nanos, like)}`;
  if (nanos === 0n) return "0";
  const whole = nanos % NANO === 0n;
  return like.endsWith("i") && whole && nanos >= 1024n * NANO
    ? inBinary(nanos / NANO)
    : inDecimal(nanos);
}

function inBinary(value: bigint): string {
  let unit = 0;
  let rest = value;
  while (unit < BINARY.length - 1 && rest % 1024n === 0n) {
    rest /= 1024n;
    unit++;
  }
  return `${rest}${BINARY[unit]}`;
}

function inDecimal(nanos: bigint): string {
  let unit = 0;
  let rest = nanos;
  while (unit < DECIMAL.length - 1 && rest % 1000n === 0n) {
    rest /= 1000n;
    unit++;
  }
  return `${rest}${DECIMAL[unit]}`;
}
