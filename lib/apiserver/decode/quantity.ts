/**
 * Converts quantities to the canonical form that kube-apiserver writes: `0.5` is `500m`, `1024Mi`
 * is `1Gi`. Mirrors `api/resource/quantity.go, ParseQuantity`.
 *
 * @module
 */

import {
  BINARY_SUFFIXES,
  DECIMAL_SUFFIXES,
  NO_QUANTITY,
  NO_SUFFIX,
} from "@xca/apimachinery/internal/values";

const NUMERIC_WRONG = "unable to parse numeric part of quantity";

/** A map of the decimal suffixes of quantities (`k`, `M`) by their powers of ten. */
const SUFFIXES = new Map([...DECIMAL_SUFFIXES].map(([suffix, exponent]) => [exponent, suffix]));
/** The binary suffixes of quantities (`Ki`, `Mi`) in the order of their powers of 1024. */
const BINARY = ["", ...BINARY_SUFFIXES.keys()];
const MAX_ALLOWED = 2n ** 63n - 1n;
/** The largest number of decimal digits with which every integer fits into 64 bits. */
const SAFE_DIGITS = 18;
/** The exponent of ten of the smallest unit of a quantity, a billionth. */
const NANO = -9;
/** The power of ten to which quantities in a resource list are rounded up: thousandths. */
export const MILLI: number = -3;

type Format = "decimal" | "binary" | "exponent";

/** The absolute value of a parsed resource quantity: `mantissa * 10 ** scale`. */
interface Amount {
  readonly mantissa: bigint;
  readonly scale: number;
}

/**
 * Returns the canonical text of a quantity, rounded up (away from zero) to `10 ** finest`.
 *
 * @throws {Error} If the text is not a quantity; the message is that of kube-apiserver.
 */
export function canonicalQuantity(text: string, finest: number = NANO): string {
  if (text === "") throw new Error(NO_QUANTITY);
  if (text === "0") return text;
  const { negative, value, whole, fraction, suffix } = split(text);
  const { base, exponent, format } = interpret(suffix);
  if (keepsItsText(text, whole, fraction, base, exponent, format, finest)) return text;
  if (!/[0-9]/.test(value) && isShort(base, exponent)) return "0";
  const number = digitsOf(value);
  if (number.digits === "") return "0";
  const magnitude = base === 10
    ? decimalCanonical(number, exponent, finest, format === "exponent")
    : binaryCanonical(binaryAmount(number, exponent, finest));
  return negative ? `-${magnitude}` : magnitude;
}

interface SplitQuantity {
  readonly negative: boolean;
  readonly value: string;
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: string;
}

function split(text: string): SplitQuantity {
  const [, sign = "", digits = "", fraction, rest = ""] = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([^]*)$/
    .exec(text)!;
  const whole = digits.replace(/^0+/, "");
  const [suffix] = /^[eEinumkKMGTP]*[-+]?[0-9]*$/.exec(rest) ?? [];
  if (suffix === undefined) throw new Error(NO_QUANTITY);
  const value = text.slice(0, text.length - rest.length);
  return {
    negative: sign === "-",
    value,
    whole: whole === "" ? "0" : whole,
    fraction: fraction ?? "",
    suffix,
  };
}

function interpret(suffix: string): { base: 2 | 10; exponent: number; format: Format } {
  const decimal = DECIMAL_SUFFIXES.get(suffix);
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: "decimal" };
  const binary = BINARY_SUFFIXES.get(suffix);
  if (binary !== undefined) return { base: 2, exponent: binary, format: "binary" };
  if (!/^[eE][-+]?[0-9]+$/.test(suffix)) throw new Error(NO_SUFFIX);
  // kube-apiserver keeps 32 bits of the exponent.
  return { base: 10, exponent: Number(suffix.slice(1)) | 0, format: "exponent" };
}

/** Reports whether kube-apiserver takes the text of a quantity as canonical and keeps it. */
function keepsItsText(
  text: string,
  whole: string,
  fraction: string,
  base: 2 | 10,
  exponent: number,
  format: Format,
  finest: number,
): boolean {
  const digits = whole + fraction;
  if (base === 2) {
    const room = 15 - whole.length - Math.trunc(exponent * 3 / 10) - 1;
    return fraction === "" && !text.includes(".") && room >= 0 && exponent % 10 === 0 &&
      BigInt(digits) % 8n !== 0n && format === "binary";
  }
  const scale = exponent - fraction.length;
  if (digits.length > SAFE_DIGITS || scale < finest) return false;
  return scale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
}

/**
 * Reports whether kube-apiserver reads a quantity with this base and exponent as a 64-bit number,
 * so that a quantity without digits counts as 0.
 */
function isShort(base: 2 | 10, exponent: number): boolean {
  return base === 10 ? exponent >= NANO : exponent <= 40;
}

/** The digits of a number without insignificant zeros, and the power of ten of the last one. */
interface Digits {
  readonly digits: string;
  readonly scale: number;
}

function digitsOf(value: string): Digits {
  const [whole = "", fraction = ""] = value.replace(/^[+-]/, "").split(".");
  if (whole + fraction === "") throw new Error(NUMERIC_WRONG);
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = withoutFinalZeros(digits);
  return { digits: significant, scale: digits.length - significant.length - fraction.length };
}

/** Removes the zeros at the end of a text. (A regular expression takes quadratic time for many.) */
function withoutFinalZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--;
  return digits.slice(0, end);
}

const ZERO = 0x30;

/**
 * Returns the canonical text of a number with a decimal suffix. The text is computed from the
 * digits: a number of a million digits is kept, and arithmetic with it would take long.
 */
function decimalCanonical(
  number: Digits,
  exponent: number,
  finest: number,
  exponentForm: boolean,
): string {
  let { digits } = number;
  let scale = number.scale + exponent;
  if (scale < finest) {
    const rounded = roundUpDigits(digits, finest - scale);
    digits = withoutFinalZeros(rounded);
    scale = finest + rounded.length - digits.length;
  }
  return decimalText(digits, scale, exponentForm);
}

/**
 * Removes the last `count` digits of a number, of which at least one is not zero, and rounds the
 * other digits up.
 */
function roundUpDigits(digits: string, count: number): string {
  const kept = digits.slice(0, Math.max(0, digits.length - count));
  let end = kept.length;
  while (end > 0 && kept[end - 1] === "9") end--;
  const zeros = "0".repeat(kept.length - end);
  return end === 0 ? `1${zeros}` : `${kept.slice(0, end - 1)}${Number(kept[end - 1]) + 1}${zeros}`;
}

/** A number of digits with which a whole number certainly exceeds 64 bits. */
const LARGE_DIGITS = 40;
/**
 * The number of digits after the point that decide the value of a number with a binary suffix when
 * it is rounded up to billionths: 9, and one for each bit of the largest suffix.
 */
const FRACTION_DIGITS = 69;

/**
 * Returns the amount of a number with a binary suffix, rounded up to `10 ** finest`, and at most
 * the largest signed integer of 64 bits.
 */
function binaryAmount({ digits, scale }: Digits, exponent: number, finest: number): Amount {
  const most = { mantissa: MAX_ALLOWED, scale: 0 };
  if (digits.length + scale > LARGE_DIGITS) return most;
  const cut = -scale - FRACTION_DIGITS;
  // The digits that are cut only say that the number is rounded up.
  const short = cut > 0
    ? { digits: `${digits.slice(0, -cut)}1`, scale: -FRACTION_DIGITS - 1 }
    : { digits, scale };
  let amount = { mantissa: BigInt(short.digits) << BigInt(exponent), scale: short.scale };
  if (amount.scale < finest) amount = { mantissa: roundUp(amount, finest), scale: finest };
  return compare(amount, most) > 0 ? most : amount;
}

/** Returns the mantissa of an amount for the larger scale `to`, rounded up. */
function roundUp({ mantissa, scale }: Amount, to: number): bigint {
  const divisor = 10n ** BigInt(to - scale);
  return (mantissa + divisor - 1n) / divisor;
}

function compare(a: Amount, b: Amount): number {
  const scale = Math.min(a.scale, b.scale);
  const left = a.mantissa * 10n ** BigInt(a.scale - scale);
  const right = b.mantissa * 10n ** BigInt(b.scale - scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

function binaryCanonical(amount: Amount): string {
  const whole = compare(amount, { mantissa: 1024n, scale: 0 }) >= 0 ? integerOf(amount) : undefined;
  if (whole !== undefined) return binaryText(whole);
  const digits = String(amount.mantissa);
  const significant = withoutFinalZeros(digits);
  return decimalText(significant, amount.scale + digits.length - significant.length, false);
}

/** Returns the value of an amount as an integer; `undefined` if it has a fraction. */
function integerOf({ mantissa, scale }: Amount): bigint | undefined {
  if (scale >= 0) return mantissa * 10n ** BigInt(scale);
  const divisor = 10n ** BigInt(-scale);
  return mantissa % divisor === 0n ? mantissa / divisor : undefined;
}

function binaryText(whole: bigint): string {
  let exponent = 0;
  while (whole % 1024n === 0n) {
    whole /= 1024n;
    exponent++;
  }
  return `${whole}${BINARY[exponent] ?? ""}`;
}

function decimalText(digits: string, scale: number, exponentForm: boolean): string {
  while (scale % 3 !== 0) {
    digits += "0";
    scale--;
  }
  const suffix = exponentForm ? scale === 0 ? "" : `e${scale}` : SUFFIXES.get(scale) ?? "";
  return `${digits}${suffix}`;
}
