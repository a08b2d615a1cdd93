// Mirrors `go.yaml.in/yaml/v2/scannerc.go, yaml_parser_scan_flow_scalar`.
import { type Cursor, isBlank, isBlankOrEnd, isBreak } from "./cursor.ts";

const BACKSLASH = 0x5c;
const SINGLE = 0x27;
const DOUBLE = 0x22;

/** The escapes in double-quoted scalars of YAML 1.1, which lack the `/` of JSON. */
const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  "\t": "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "'": "'",
  "\\": "\\",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/**
 * Returns the value of the YAML scalar in single or double quotes at the cursor, and moves the
 * cursor past the closing quote.
 *
 * @throws {YamlError} If the quote is not closed, or an escape is unknown.
 */
export function scanQuotedScalar(cursor: Cursor): string {
  const quote = cursor.peek();
  cursor.at++;
  let value = "";
  for (;;) {
    if (cursor.atDocumentIndicator()) cursor.fail("found unexpected document indicator");
    if (cursor.peek() === 0) cursor.fail("found unexpected end of stream");
    const run = scanRun(cursor, quote);
    value += run.value;
    if (cursor.peek() === quote) break;
    value += scanSpace(cursor, run.continued);
  }
  cursor.at++;
  return value;
}

/**
 * Reads a quoted YAML scalar up to the next space, line break or closing quote; `continued` reports
 * whether an escaped line break ended the reading.
 */
function scanRun(cursor: Cursor, quote: number): { value: string; continued: boolean } {
  let value = "";
  let start = cursor.at;
  for (let code = cursor.peek(); !isBlankOrEnd(code); code = cursor.peek()) {
    if (code === quote) {
      if (quote === DOUBLE || cursor.peek(1) !== SINGLE) break;
      value += cursor.text.slice(start, cursor.at + 1);
      cursor.at += 2;
    } else if (code === BACKSLASH && quote === DOUBLE) {
      value += cursor.text.slice(start, cursor.at);
      if (isBreak(cursor.peek(1))) {
        cursor.at++;
        cursor.readBreak();
        return { value, continued: true };
      }
      value += scanEscape(cursor);
    } else {
      cursor.at++;
      continue;
    }
    start = cursor.at;
  }
  return { value: value + cursor.text.slice(start, cursor.at), continued: false };
}

function scanEscape(cursor: Cursor): string {
  const letter = cursor.text[cursor.at + 1]!;
  const plain = ESCAPES[letter];
  const digits = HEX_DIGITS[letter];
  if (plain === undefined && digits === undefined) cursor.fail("found unknown escape character");
  cursor.at += 2;
  if (plain !== undefined) return plain;
  const hex = cursor.text.slice(cursor.at, cursor.at + digits!);
  if (!/^[0-9a-fA-F]+$/.test(hex) || hex.length !== digits) {
    cursor.fail("did not find expected hexdecimal number");
  }
  const code = parseInt(hex, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    cursor.fail("found invalid Unicode character escape code");
  }
  cursor.at += digits!;
  return String.fromCodePoint(code);
}

/**
 * Moves the cursor past the white space within a quoted YAML scalar, and returns the text for which
 * the white space stands: the spaces themselves, or folded line breaks.
 */
function scanSpace(cursor: Cursor, continued: boolean): string {
  let onNewLine = continued;
  let blanks = "";
  let first = "";
  let more = "";
  for (let code = cursor.peek(); isBlank(code) || isBreak(code); code = cursor.peek()) {
    if (isBlank(code)) {
      if (!onNewLine) blanks += cursor.text[cursor.at];
      cursor.at++;
    } else if (onNewLine) more += cursor.readBreak();
    else {
      first = cursor.readBreak();
      onNewLine = true;
    }
  }
  return onNewLine ? foldBreaks(first, more) : blanks;
}

/**
 * Folds the line breaks of a YAML scalar, the first one and the further ones: one alone becomes a
 * space, of several the first is dropped. A Unicode line break as the first is kept with all
 * further ones.
 */
export function foldBreaks(first: string, more: string): string {
  if (first !== "\n") return first + more;
  return more === "" ? " " : more;
}
