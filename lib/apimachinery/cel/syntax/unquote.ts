// Mirrors `parser/unescape.go, unescape`.
import { CelBytes } from "../values/value.ts";

/** An error about an invalid string or bytes literal of CEL, with the message for the user. */
export class UnquoteError extends Error {
  override readonly name = "UnquoteError";
}

const SIMPLE: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};

const DIGITS: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

/**
 * Returns the content between the quotes of a CEL literal, which is given without a `b`, with
 * normalized line ends and its escapes, and whether the literal is raw.
 */
function body(text: string): { readonly content: string; readonly raw: boolean } {
  const raw = /^[rR]/.test(text);
  const quoted = (raw ? text.slice(1) : text).replace(/\r\n?/g, "\n");
  const triple = quoted.length >= 6 && (quoted.startsWith("'''") || quoted.startsWith('"""'));
  const width = triple ? 3 : 1;
  return { content: quoted.slice(width, -width), raw };
}

/**
 * Returns the value of a CEL string literal, which is given with its quotes and prefix.
 *
 * @throws {UnquoteError} If an escape is invalid.
 */
export function unquoteString(text: string): string {
  const { content, raw } = body(text);
  if (raw || !content.includes("\\")) return content;
  let value = "";
  for (const part of parts(content, false)) {
    value += typeof part === "string" ? part : String.fromCodePoint(part);
  }
  return value;
}

/**
 * Returns the value of a CEL bytes literal, which is given with its quotes and without its `b`.
 *
 * @throws {UnquoteError} If an escape is invalid.
 */
export function unquoteBytes(text: string): CelBytes {
  const { content, raw } = body(text);
  const encoder = new TextEncoder();
  if (raw || !content.includes("\\")) return new CelBytes(encoder.encode(content));
  const bytes: number[] = [];
  for (const part of parts(content, true)) {
    if (typeof part === "number") bytes.push(part);
    else bytes.push(...encoder.encode(part));
  }
  return new CelBytes(new Uint8Array(bytes));
}

/**
 * Yields each character of the content of a CEL literal: a plain character as a string, an escape
 * sequence as a number, which is a code point, or a byte if `bytes` is set.
 *
 * @throws {UnquoteError} If an escape is invalid.
 */
function* parts(content: string, bytes: boolean): Generator<string | number> {
  const characters = [...content];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character !== "\\") {
      yield character;
      continue;
    }
    const letter = characters[++at];
    if (letter === undefined) {
      throw new UnquoteError("unable to unescape string, found '\\' as last character");
    }
    const digits = DIGITS[letter];
    if (SIMPLE[letter] !== undefined) yield SIMPLE[letter];
    else if ("\\'\"`?".includes(letter)) yield letter.codePointAt(0)!;
    else if (digits !== undefined) {
      if (bytes && digits > 2) throw new UnquoteError("unable to unescape string");
      yield checked(Number.parseInt(characters.slice(at + 1, at + 1 + digits).join(""), 16), bytes);
      at += digits;
    } else if ("0123".includes(letter)) {
      yield checked(Number.parseInt(characters.slice(at, at + 3).join(""), 8), bytes);
      at += 2;
    } else throw new UnquoteError("unable to unescape string");
  }
}

function checked(code: number, bytes: boolean): number {
  if (Number.isNaN(code)) throw new UnquoteError("unable to unescape string");
  if (!bytes && (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))) {
    throw new UnquoteError("invalid unicode code point");
  }
  return code;
}
