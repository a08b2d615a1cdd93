/**
 * Parses JSON without loss: objects with repeated keys, numbers as text. It is used for the few
 * request bodies of which `JSON.parse` would lose information, and for invalid bodies, with the
 * error messages of Go's decoder. Mirrors `internal/golang/encoding/json/scanner.go, scanner`.
 *
 * @module
 */
import { goQuote, Members, rebuild } from "@xca/apimachinery/internal/values";
import { TypeMismatch } from "./type_mismatch.ts";

/** A JSON object with all its members, repeated ones included. */
export class RawObject {
  constructor(readonly members: readonly (readonly [key: string, value: unknown])[]) {}
}

/** A JSON number with its original text. */
export class RawNumber {
  constructor(readonly text: string) {}
}

/** The error about a text that is not JSON; the message is that of Go's decoder. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
}

/** The maximum number of levels of nested lists and objects in JSON that kube-apiserver reads. */
export const MAX_DEPTH: number = 10_000;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * Parses a JSON text: objects become {@linkcode RawObject}s, numbers {@linkcode RawNumber}s.
 *
 * @throws {JsonSyntaxError} If the text is not JSON, or is nested deeper than
 * {@linkcode MAX_DEPTH}.
 */
export function parseRawJson(text: string): unknown {
  return new Parser(text).parse();
}

/** A JSON object or list that is still being parsed. */
type Open = { members: [string, unknown][]; key: string } | { items: unknown[] };

/** A JSON parser with an explicit stack, so that the depth limit is that of Kubernetes. */
class Parser {
  readonly #text: string;
  readonly #open: Open[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): unknown {
    let value = this.#value();
    for (;;) {
      const closed = this.#close(value);
      if (closed.done) break;
      value = closed.value;
    }
    this.#space();
    if (this.#at < this.#text.length) this.#fail("after top-level value");
    return this.#result;
  }

  #result: unknown;

  /**
   * Reads JSON up to the next scalar or empty collection, and returns it. The objects and lists
   * that begin before it are opened, but not closed.
   */
  #value(): unknown {
    for (;;) {
      this.#space();
      const first = this.#text[this.#at];
      if (first === "{") {
        this.#enter();
        this.#space();
        if (this.#text[this.#at] === "}") {
          this.#at++;
          return new RawObject([]);
        }
        this.#open.push({ members: [], key: this.#key() });
      } else if (first === "[") {
        this.#enter();
        this.#space();
        if (this.#text[this.#at] === "]") {
          this.#at++;
          return [];
        }
        this.#open.push({ items: [] });
      } else return this.#scalar(first);
    }
  }

  #enter(): void {
    if (this.#open.length >= MAX_DEPTH) this.#fail("exceeded max depth");
    this.#at++;
  }

  /**
   * Adds a finished JSON value to its container; returns the next value, or sets `done` after the
   * outermost value.
   */
  #close(value: unknown): { done: boolean; value?: unknown } {
    for (;;) {
      const open = this.#open.at(-1);
      if (!open) {
        this.#result = value;
        return { done: true };
      }
      if ("items" in open) open.items.push(value);
      else open.members.push([open.key, value]);
      this.#space();
      const next = this.#text[this.#at];
      if (next === ",") {
        this.#at++;
        if ("members" in open) open.key = this.#key();
        return { done: false, value: this.#value() };
      }
      const end = "items" in open ? "]" : "}";
      if (next !== end) {
        this.#fail("items" in open ? "after array element" : "after object key:value pair");
      }
      this.#at++;
      this.#open.pop();
      value = "items" in open ? open.items : new RawObject(open.members);
    }
  }

  #key(): string {
    this.#space();
    if (this.#text[this.#at] !== '"') this.#fail("looking for beginning of object key string");
    const key = this.#string();
    this.#space();
    if (this.#text[this.#at] !== ":") this.#fail("after object key");
    this.#at++;
    return key;
  }

  #scalar(first: string | undefined): unknown {
    if (first === '"') return this.#string();
    if (first === "t") return this.#literal("true", true);
    if (first === "f") return this.#literal("false", false);
    if (first === "n") return this.#literal("null", null);
    if (first !== undefined && /[-0-9]/.test(first)) return this.#number();
    this.#fail("looking for beginning of value");
  }

  #literal(word: string, value: unknown): unknown {
    for (let i = 0; i < word.length; i++, this.#at++) {
      if (this.#text[this.#at] === word[i]) continue;
      this.#fail(`in literal ${word} (expecting ${goCharacter(word[i]!)})`);
    }
    return value;
  }

  #number(): RawNumber {
    const start = this.#at;
    if (this.#text[this.#at] === "-") this.#at++;
    if (this.#text[this.#at] === "0") this.#at++;
    else this.#digits("in numeric literal");
    if (this.#text[this.#at] === ".") {
      this.#at++;
      this.#digits("after decimal point in numeric literal");
    }
    if (/^[eE]$/.test(this.#text[this.#at] ?? "")) {
      this.#at++;
      if (/^[-+]$/.test(this.#text[this.#at] ?? "")) this.#at++;
      this.#digits("in exponent of numeric literal");
    }
    return new RawNumber(this.#text.slice(start, this.#at));
  }

  #digits(where: string): void {
    const start = this.#at;
    while (/^[0-9]$/.test(this.#text[this.#at] ?? "")) this.#at++;
    if (this.#at === start) this.#fail(where);
  }

  #string(): string {
    let value = "";
    let start = ++this.#at;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) this.#fail("");
      if (character === '"') break;
      if (character < " ") this.#fail("in string literal");
      this.#at++;
      if (character !== "\\") continue;
      value += this.#text.slice(start, this.#at - 1) + this.#escape();
      start = this.#at;
    }
    value += this.#text.slice(start, this.#at++);
    return value.isWellFormed() ? value : value.toWellFormed();
  }

  #escape(): string {
    const letter = this.#text[this.#at];
    if (letter === "u") {
      this.#at++;
      const start = this.#at;
      for (let i = 0; i < 4; i++, this.#at++) {
        if (!/^[0-9a-fA-F]$/.test(this.#text[this.#at] ?? "")) {
          this.#fail("in \\u hexadecimal character escape");
        }
      }
      return String.fromCharCode(parseInt(this.#text.slice(start, this.#at), 16));
    }
    const plain = letter === undefined ? undefined : ESCAPES[letter];
    if (plain === undefined) this.#fail("in string escape code");
    this.#at++;
    return plain;
  }

  #space(): void {
    while (/^[ \t\r\n]$/.test(this.#text[this.#at] ?? "")) this.#at++;
  }

  #fail(where: string): never {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) throw new JsonSyntaxError("unexpected end of JSON input");
    // Go reads bytes, and shows the first one of a longer character.
    const byte = new TextEncoder().encode(String.fromCodePoint(code))[0]!;
    throw new JsonSyntaxError(
      `invalid character ${goCharacter(String.fromCharCode(byte))} ${where}`,
    );
  }
}

/** Returns a character as Go's error messages quote it. */
function goCharacter(character: string): string {
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  return `'${goQuote(character).slice(1, -1)}'`;
}

/**
 * Converts a raw tree (objects and numbers as written) to the result of `JSON.parse`: the last of
 * repeated keys, numbers as doubles.
 *
 * @throws {TypeMismatch} If a number is too large for a double.
 */
export function plainJson(value: unknown): unknown {
  return rebuild(value, rawInner, (leaf) => leaf instanceof RawNumber ? plainNumber(leaf) : leaf);
}

function rawInner(value: unknown): readonly unknown[] | Members | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof RawObject ? new Members(value.members) : undefined;
}

function plainNumber({ text }: RawNumber): number {
  const number = Number(text);
  if (!Number.isFinite(number)) throw new TypeMismatch(`number ${text}`, "float64");
  return number;
}
