/**
 * The styles in which Go's YAML library (`go.yaml.in/yaml/v2`), which kube-apiserver writes YAML
 * with, writes texts and numbers.
 *
 * Mirrors `go.yaml.in/yaml/v2/encode.go, encoder.stringv` and `emitterc.go,
 * yaml_emitter_analyze_scalar`.
 *
 * @module
 */
import { isReadAsText } from "../decode/yaml/scalar.ts";

/** The style of a YAML scalar. */
export type ScalarStyle = "plain" | "single" | "double" | "literal";

/** A pattern of the characters that Go's YAML library treats as line breaks. */
export const BREAK: RegExp = /[\r\n\x85\u2028\u2029]/;

/**
 * A pattern of the characters that Go's YAML library escapes in texts: control characters other
 * than the line feed, the byte order mark, and all beyond U+FFFF.
 */
const UNPRINTABLE = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/**
 * Returns the style in which a text is written in YAML.
 *
 * @param isSimpleKey Reports whether the text is a key on the line of its value.
 */
export function styleOf(text: string, isSimpleKey: boolean): ScalarStyle {
  const allowed = allowedStyles(text);
  if (text.includes("\n")) return allowed.literal && !isSimpleKey ? "literal" : "double";
  if (isOtherThanText(text)) return "double";
  if (allowed.plain) return "plain";
  return allowed.single ? "single" : "double";
}

interface AllowedStyles {
  readonly plain: boolean;
  readonly single: boolean;
  readonly literal: boolean;
}

/**
 * A pattern of texts that may be plain unless they begin with `...`: most names, and words with
 * single spaces between.
 */
const SIMPLE = /^[A-Za-z0-9_/.][\w/.+-]*( [\w/.+-]+)*$/;

/** A pattern of the beginnings that a plain scalar cannot have. */
const INDICATOR_FIRST = /^([#,[\]{}&*!|>'"%@`]|[?:-]([ \t]|$)|---|\.\.\.)/;

/** A pattern of the indicators within a text that a plain scalar cannot have. */
const INDICATOR_WITHIN = /:([ \t]|$)|[ \t\r\n\x85\u2028\u2029\0]#/;

function allowedStyles(text: string): AllowedStyles {
  if (SIMPLE.test(text) && !text.startsWith("...")) {
    return { plain: true, single: true, literal: true };
  }
  const hasSpaceBreak = / [\r\n\x85\u2028\u2029]/.test(text);
  const hasBreakSpace = /[\r\n\x85\u2028\u2029] /.test(text);
  const isSpecial = hasSpaceBreak || UNPRINTABLE.test(text);
  const hasEdge = text.startsWith(" ") || text.endsWith(" ");
  return {
    plain: !isSpecial && !hasEdge && !BREAK.test(text) && !INDICATOR_FIRST.test(text) &&
      !INDICATOR_WITHIN.test(text),
    single: !isSpecial && !hasBreakSpace,
    literal: !isSpecial && !text.endsWith(" "),
  };
}

/** A pattern of numbers to base 60, which only other libraries read as numbers. */
const BASE_60 = /^[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?$/;

/** A pattern of the first characters of texts that YAML 1.1 may read as another type. */
const SUSPECT = /^[-+.\dyYnNtTfFoO~]/;

/**
 * Reports whether YAML 1.1 reads a plain text as another type than a text; true for an empty text,
 * and for numbers to base 60.
 */
function isOtherThanText(text: string): boolean {
  if (!SUSPECT.test(text)) return text === "";
  return BASE_60.test(text) || !isReadAsText(text);
}

/**
 * Returns the text of a number in YAML: an integer that 64 bits hold without an exponent, any other
 * number as by Go's `strconv.FormatFloat` in the format `g`.
 */
export function numberText(value: number): string {
  if (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 64) {
    return String(value + 0);
  }
  const [digits = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  // With the fewest digits, `%g` switches to an exponent from a million on.
  if (exponent >= -4 && exponent < 6) return String(value);
  const sign = exponent < 0 ? "-" : "+";
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/**
 * Compares keys of a YAML mapping as Go's YAML library sorts them: other characters before letters,
 * and numbers within the keys by value (`sorter.go`, `keyList.Less`). Returns a negative number if
 * `a` is first.
 */
export function compareKeys(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === a.length || at === b.length) return a.length - b.length;
  if (isLowSurrogate(a.charCodeAt(at)) || isLowSurrogate(b.charCodeAt(at))) at--;
  const [left, right] = [a.codePointAt(at)!, b.codePointAt(at)!];
  const leftIsLetter = isLetter(left);
  const rightIsLetter = isLetter(right);
  if (leftIsLetter && rightIsLetter) return left - right;
  if (leftIsLetter || rightIsLetter) return rightIsLetter ? -1 : 1;
  const isLed = (left === ZERO || right === ZERO) && followsNumber(a, at);
  const [leftNumber, leftEnd] = numberAt(a, at, isLed);
  const [rightNumber, rightEnd] = numberAt(b, at, isLed);
  if (leftNumber !== rightNumber) return leftNumber < rightNumber ? -1 : 1;
  return leftEnd - rightEnd || left - right;
}

const ZERO = 0x30;

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

function isLetter(code: number): boolean {
  if (code < 0x80) return code >= 0x41 && code <= 0x5a || code >= 0x61 && code <= 0x7a;
  return /^\p{L}$/u.test(String.fromCodePoint(code));
}

/** A pattern of one digit by Go's `unicode.IsDigit`. */
const DIGIT = /^\p{Nd}$/u;

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return code >= ZERO && code < ZERO + 10;
  return DIGIT.test(text.charAt(at));
}

/** Reports whether the digits before an index, if any, contain another digit than 0. */
function followsNumber(text: string, at: number): boolean {
  for (let before = at - 1; before >= 0 && isDigit(text, before); before--) {
    if (text.charCodeAt(before) !== ZERO) return true;
  }
  return false;
}

/**
 * Returns the number at an index, after a 1 if `isLed`, with the end of its digits. A number of more
 * than 64 bits overflows, as in Go, which also takes the code points of digits for their values.
 */
function numberAt(text: string, at: number, isLed: boolean): [value: bigint, end: number] {
  let value = isLed ? 1n : 0n;
  let end = at;
  for (; end < text.length && isDigit(text, end); end++) {
    value = BigInt.asIntN(64, value * 10n + BigInt(text.charCodeAt(end) - ZERO));
  }
  return [value, end];
}
