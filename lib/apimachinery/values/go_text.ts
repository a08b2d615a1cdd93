/**
 * Formats text as Go does, since error messages contain it.
 *
 * @module
 */

/** The decimal exponent from which on Go's `%v` writes a float with an exponent. */
const LARGE_EXPONENT = 6;

/**
 * A record of the escapes of characters that have a short one in Go's quoted strings, such as `\n`.
 */
export const GO_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/** A pattern of texts of printable ASCII without characters that need an escape. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** A pattern of a character that needs an escape in Go's quoted strings. */
const UNPRINTABLE = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Formats a text like Go's `%q`: in double quotes, with unprintable characters escaped. */
export function goQuote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return `"${text.replace(UNPRINTABLE, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  return GO_ESCAPES[character] ?? escapeCodePoint(character.codePointAt(0)!);
}

function escapeCodePoint(code: number): string {
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/**
 * Formats a value like Go's `json.Marshal`: `<`, `>` and `&` escaped, `undefined` as `null`. Fields
 * keep their order; Go sorts the keys of a map. With `indent`, the number of spaces per level, like
 * `json.MarshalIndent`.
 */
export function goJson(value: unknown, indent = 0): string {
  return escapeHtml(JSON.stringify(value, null, indent) ?? "null");
}

/** Escapes `<`, `>`, `&`, U+2028 and U+2029 in JSON as Go's encoder does. */
export function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (character) => HTML_ESCAPES[character]!);
}

/** A pattern of one white space character by Go's `unicode.IsSpace`, unlike JavaScript's. */
const WHITE_SPACE = /^\p{White_Space}$/u;

/** Removes surrounding white space like Go's `strings.TrimSpace`. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITE_SPACE.test(text[start]!)) start++;
  while (end > start && WHITE_SPACE.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

/** A wrapper of a number that is a float in Go, and is formatted as one even when it is whole. */
export class GoFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  /**
   * Formats the wrapped number like Go's `%v`: with an exponent if its absolute value is below
   * 0.0001, or 1 000 000 or more.
   */
  toString(): string {
    const exponential = this.value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
    const exponent = Number(exponential.slice(exponential.indexOf("e") + 1));
    const isPlain = exponent >= -4 && exponent < LARGE_EXPONENT;
    return this.value === 0 || isPlain ? String(this.value) : exponential;
  }
}

/**
 * Formats a number like Go's `%v`; whole numbers are formatted as integers, from 1e21 on with an
 * exponent.
 */
export function goNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(new GoFloat(value));
}
