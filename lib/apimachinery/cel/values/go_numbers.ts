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
 * Parses a double in decimal notation, an infinity or NaN like Go's `ParseFloat`; `undefined` for a
 * text that is invalid or out of range. Hexadecimal notation is not supported.
 */
export function parseDouble(text: string): number | undefined {
  if (/^[+-]?(inf|infinity)$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return NaN;
  const plain = text.replace(/(?<=\d)_(?=\d)/g, (underscore) => underscore);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined;
  const value = Number(plain);
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
