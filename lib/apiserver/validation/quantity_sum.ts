import { nanosOf } from "./quantity.ts";

const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const DECIMAL = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const NANO = 1_000_000_000n;

/** The sum of two quantities, canonical, in the notation of the first that is not zero. */
export function addQuantities(a: string, b: string): string {
  const sum = nanosOf(a) + nanosOf(b);
  const binary = /i$/.test(nanosOf(a) === 0n ? b : a);
  if (sum === 0n) return "0";
  return binary && sum % NANO === 0n ? inBinary(sum / NANO) : inDecimal(sum);
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
