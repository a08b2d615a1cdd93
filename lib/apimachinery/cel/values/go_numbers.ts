/** Formats a double like Go's `%g`: `1e+06`, `0.5`, `+Inf`. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa, exponentText] = value.toExponential().split("e") as [string, string];
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 6) {
    const sign = exponent < 0 ? "-" : "+";
    return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  return plainDouble(value);
}

/** Formats a double without exponent, like Go's `FormatFloat(f, 'f', -1)`. */
export function plainDouble(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign, first, rest = "", exponentText] = match;
  const exponent = Number(exponentText);
  const digits = first + rest;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(exponent + 1, "0");
}

/**
 * Parses a double in decimal or hexadecimal notation, an infinity or NaN like Go's `ParseFloat`;
 * `undefined` for a text that is invalid or out of range.
 */
export function parseDouble(text: string): number | undefined {
  if (/^[+-]?(inf|infinity)$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return NaN;
  const plain = withoutUnderscores(text);
  const hexadecimal = /^([+-]?)0x([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?\d+)$/i.exec(plain);
  if (hexadecimal) return parseHexadecimal(hexadecimal);
  if (!/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Returns a text without its underscores if each of them is between two digits or between the
 * prefix `0x` and a digit; otherwise the unchanged text.
 */
function withoutUnderscores(text: string): string {
  if (!text.includes("_")) return text;
  const [, sign, prefix = "", rest] = /^([+-]?)(0x)?(.*)$/is.exec(text)!;
  const digit = prefix === "" ? /\d/ : /[\da-f]/i;
  const parts = rest!.split("_");
  const allowed = parts.every((part, index) =>
    (index === 0 || digit.test(part[0] ?? "")) &&
    (index === parts.length - 1 || digit.test(part.at(-1) ?? "") || index === 0 && part === "" &&
        prefix !== "")
  );
  return allowed ? `${sign}${prefix}${parts.join("")}` : text;
}

/** The number of bits of a double's mantissa, with the implicit one. */
const MANTISSA_BITS = 53;
/** The exponent of the smallest positive double, 2^-1074. */
const LEAST_EXPONENT = -1074;

/**
 * Returns the double that the match of a hexadecimal notation denotes, rounded to even; `undefined`
 * if it has no digit or is out of range.
 */
function parseHexadecimal(
  [, sign, whole = "", fraction = "", exponentText]: readonly string[],
): number | undefined {
  if (whole === "" && fraction === "") return undefined;
  let mantissa = BigInt(`0x${whole}${fraction}`);
  // Any larger exponent gives 0 or is out of range too.
  const given = Math.max(-1e9, Math.min(1e9, Number(exponentText)));
  const exponent = given - 4 * fraction.length;
  const bits = mantissa === 0n ? 0 : mantissa.toString(2).length;
  const excess = Math.max(bits - MANTISSA_BITS, LEAST_EXPONENT - exponent);
  const toSign = (value: number): number => sign === "-" ? -value : value;
  if (mantissa === 0n || excess > bits + 1) return toSign(0);
  if (excess <= 0) return finite(toSign(Number(mantissa)), exponent);
  const shift = BigInt(excess);
  const rest = mantissa & ((1n << shift) - 1n);
  const half = 1n << (shift - 1n);
  mantissa >>= shift;
  if (rest > half || rest === half && (mantissa & 1n) === 1n) mantissa += 1n;
  return finite(toSign(Number(mantissa)), exponent + excess);
}

/** Returns `mantissa * 2 ** exponent`, which is exact; `undefined` if it is out of range. */
function finite(mantissa: number, exponent: number): number | undefined {
  if (exponent > 1023) return undefined;
  // `2 ** exponent` may be too small for a double, so the mantissa is multiplied by two powers with
  // half the exponent each.
  const half = Math.trunc(exponent / 2);
  const value = mantissa * 2 ** half * 2 ** (exponent - half);
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Parses an integer like Go's `ParseInt(s, 10, 64)`; `undefined` for a text that is invalid or out
 * of range.
 */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ""));
  return value === BigInt.asIntN(64, value) ? value : undefined;
}

/**
 * Parses an integer like Go's `ParseUint(s, 10, 64)`; `undefined` for a text that is invalid or out
 * of range.
 */
export function parseUint64(text: string): bigint | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  return value === BigInt.asUintN(64, value) ? value : undefined;
}

/** Parses a boolean like Go's `ParseBool`; `undefined` for an invalid text. */
export function parseBool(text: string): boolean | undefined {
  if (["1", "t", "T", "TRUE", "true", "True"].includes(text)) return true;
  if (["0", "f", "F", "FALSE", "false", "False"].includes(text)) return false;
  return undefined;
}
