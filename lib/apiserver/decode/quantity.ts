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

/** The decimal suffixes of quantities (`k`, `M`) by their powers of ten. */
const SUFFIXES = new Map([...DECIMAL_SUFFIXES].map(([suffix, exponent]) => [exponent, suffix]));
/** The binary suffixes of quantities (`Ki`, `Mi`) in the order of their powers of 1024. */
const BINARY = ["", ...BINARY_SUFFIXES.keys()];
const MAX_ALLOWED = 2n ** 63n - 1n;
/** The number of decimal digits that always fit into 64 bits. */
const SAFE_DIGITS = 18;
/** The power of ten of the finest fraction of a quantity: billionths. */
const NANO = -9;
/** The power of ten to which quantities in a resource list are rounded up: thousandths. */
export const MILLI: number = -3;

type Format = "decimal" | "binary" | "exponent";

/** A parsed resource quantity without its suffix: `mantissa * 10 ** scale`. */
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
  const number = numberOf(value, negative);
  return canonical(roundedAmount(number, base, exponent, format, finest), negative);
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
 * Reports whether kube-apiserver reads a quantity as a number of 64 bits. A quantity without digits
 * counts as 0.
 */
function isShort(base: 2 | 10, exponent: number): boolean {
  return base === 10 ? exponent >= NANO : exponent <= 40;
}

function numberOf(value: string, negative: boolean): Amount {
  const [whole = "", fraction = ""] = value.replace(/^[+-]/, "").split(".");
  if (whole + fraction === "") throw new Error(NUMERIC_WRONG);
  // Drops insignificant zeros, of which there may be a million.
  const digits = (whole + fraction).replace(/0+$/, "");
  const zeros = whole.length + fraction.length - digits.length;
  const mantissa = BigInt(digits);
  return { mantissa: negative ? -mantissa : mantissa, scale: zeros - fraction.length };
}

interface Rounded {
  readonly amount: Amount;
  readonly format: Format;
}

function roundedAmount(
  number: Amount,
  base: 2 | 10,
  exponent: number,
  format: Format,
  finest: number,
): Rounded {
  const mantissa = number.mantissa < 0n ? -number.mantissa : number.mantissa;
  let amount: Amount = base === 10
    ? { mantissa, scale: number.scale + exponent }
    : { mantissa: mantissa << BigInt(exponent), scale: number.scale };
  if (amount.scale < finest) amount = { mantissa: roundUp(amount, finest), scale: finest };
  if (format !== "binary") return { amount, format };
  const most = { mantissa: MAX_ALLOWED, scale: 0 };
  return { amount: compare(amount, most) > 0 ? most : amount, format };
}

/** Returns the number of a quantity for a larger power of ten, rounded away from zero. */
function roundUp({ mantissa, scale }: Amount, to: number): bigint {
  // Beyond this number of digits a number only differs from zero.
  const digits = Math.min(to - scale, String(mantissa).length + 1);
  const divisor = 10n ** BigInt(digits);
  return (mantissa + divisor - 1n) / divisor;
}

function compare(a: Amount, b: Amount): number {
  const scale = Math.min(a.scale, b.scale);
  const left = a.mantissa * 10n ** BigInt(a.scale - scale);
  const right = b.mantissa * 10n ** BigInt(b.scale - scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

function canonical({ amount, format }: Rounded, negative: boolean): string {
  if (amount.mantissa === 0n) return "0";
  const sign = negative ? "-" : "";
  if (format === "binary" && compare(amount, { mantissa: 1024n, scale: 0 }) >= 0) {
    const whole = compare(amount, { mantissa: 0n, scale: 0 }) >= 0 ? integerOf(amount) : undefined;
    if (whole !== undefined) return sign + binaryText(whole);
  }
  return sign + decimalText(amount, format === "exponent");
}

/** Returns a quantity as an integer; `undefined` if it has a fraction. */
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

function decimalText({ mantissa, scale }: Amount, exponentForm: boolean): string {
  while (mantissa % 10n === 0n) {
    mantissa /= 10n;
    scale++;
  }
  while (scale % 3 !== 0) {
    mantissa *= 10n;
    scale--;
  }
  const suffix = exponentForm ? scale === 0 ? "" : `e${scale}` : SUFFIXES.get(scale) ?? "";
  return `${mantissa}${suffix}`;
}
