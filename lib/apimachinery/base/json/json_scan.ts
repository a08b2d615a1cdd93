/**
 * Navigation in JSON text as bytes, without building a tree.
 *
 * The functions are exact on valid JSON. On invalid text they stop or return meaningless positions,
 * but never throw and never loop endlessly: they verify only that strings end and containers close;
 * `JSON.parse` verifies the rest.
 *
 * Positions are zero-based indexes into the bytes; `end` is exclusive; the result `-1` means that
 * the text is cut short or malformed.
 *
 * @module
 */
import { UNSURE } from "./text_scan.ts";
import { skipStagedContainer } from "./json_stage.ts";
import { parseJson } from "./parse_json.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Returns the first position from `at` on that is not JSON white space; `end` when there is none.
 */
export function skipSpace(bytes: Uint8Array, at: number, end: number): number {
  while (at < end) {
    const byte = bytes[at]!;
    if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) break;
    at++;
  }
  return at;
}

/**
 * Returns the position after the JSON string whose opening quote is at `at`; -1 when it does not
 * end.
 */
export function skipString(bytes: Uint8Array, at: number, end: number): number {
  for (at++; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at++;
  }
  return -1;
}

/**
 * Returns the position after the JSON value that begins at `at`; -1 when no value can begin there,
 * or when an array, object or string does not end before `end`. A number or literal also ends at
 * `end`, and its spelling is not checked.
 */
export function skipValue(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) return -1;
  const first = bytes[at]!;
  if (first === QUOTE) return skipString(bytes, at, end);
  if (opensContainer(first)) return skipContainer(bytes, at, end);
  const start = at;
  while (at < end && !endsScalar(bytes[at]!)) at++;
  return at > start ? at : -1;
}

/** Reports whether the bytes from `at` to `end` equal the bytes `these`. */
export function spells(bytes: Uint8Array, at: number, end: number, these: Uint8Array): boolean {
  const { length } = these;
  if (end - at !== length) return false;
  for (let i = 0; i < length; i++, at++) if (bytes[at] !== these[i]) return false;
  return true;
}

function opensContainer(byte: number): boolean {
  return byte === OPEN_BRACE || byte === OPEN_BRACKET;
}

function endsScalar(byte: number): boolean {
  return byte <= 0x20 || byte === COMMA || byte === CLOSE_BRACKET || byte === CLOSE_BRACE ||
    byte === COLON || byte === QUOTE || byte === OPEN_BRACE || byte === OPEN_BRACKET;
}

/**
 * Returns the position after the JSON object or array that begins at `at`; -1 when it does not
 * close before `end`. The search runs in JavaScript, without the WebAssembly scan. This is the hot
 * loop, which reads three quarters of all bytes.
 */
function skipContainer(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0;
  while (at < end) {
    const byte = bytes[at++]!;
    if (byte === QUOTE) {
      for (;;) {
        if (at >= end) return -1;
        const inside = bytes[at++]!;
        if (inside === QUOTE) break;
        if (inside === BACKSLASH) at++;
      }
    } else if ((byte | 0x20) === OPEN_BRACE) {
      depth++;
    } else if ((byte | 0x20) === CLOSE_BRACE) {
      if (--depth === 0) return at;
    }
  }
  return -1;
}

/**
 * Returns the position after a JSON object or array by the WebAssembly scan, with the same result
 * as {@linkcode skipContainer}, also for invalid text.
 */
function skipStaged(bytes: Uint8Array, at: number, end: number): number {
  const after = skipStagedContainer(at, end);
  if (after === UNSURE) return skipContainer(bytes, at, end);
  return after > end ? -1 : after;
}

/**
 * A cursor over the members of a JSON object in bytes. Its fields describe the current member;
 * positions are indexes into the bytes of the JSON text.
 */
export class MemberCursor {
  /**
   * The current position of the cursor: after {@linkcode MemberCursor.enter}, the byte after the
   * opening brace; after {@linkcode MemberCursor.nextKey}, the first byte of the member's value;
   * after {@linkcode MemberCursor.skipValue}, the byte after that value; after the last member, the
   * byte after the object. -1 before the first object, and when the object is malformed or cut
   * short. A caller that reads a value itself, in place of `skipValue`, sets the position to the
   * byte after the value, or to -1 when the value is malformed.
   */
  at = -1;
  /** The index of the first byte of the current member's key in the JSON text, after the quote. */
  keyStart = 0;
  /** The index of the closing quote of the current member's key in the JSON text. */
  keyEnd = 0;
  /**
   * Reports whether the current member's key contains an escape, so that its bytes differ from its
   * text.
   */
  keyEscaped = false;
  /** The index of the first byte of the current member's value in the JSON text. */
  valueStart = 0;
  #bytes: Uint8Array = EMPTY;
  #end = 0;
  #isStaged = false;
  #first = true;

  /**
   * Moves the cursor into the JSON object whose opening brace is at `at`; with another byte there,
   * the object counts as malformed. `isStaged` states whether the bytes are in the memory of the
   * WebAssembly scan.
   */
  enter(bytes: Uint8Array, at: number, end: number, isStaged = false): void {
    this.#bytes = bytes;
    this.#end = end;
    this.#isStaged = isStaged;
    this.#first = true;
    this.at = at < end && bytes[at] === OPEN_BRACE ? at + 1 : -1;
  }

  /**
   * Moves the cursor to the value of the object's next member and returns true. Returns false after
   * the last member, and for malformed text, where `at` becomes -1.
   */
  nextKey(): boolean {
    const bytes = this.#bytes;
    const end = this.#end;
    if (this.at < 0) return false;
    let at = skipSpace(bytes, this.at, end);
    if (at < end && bytes[at] === CLOSE_BRACE) {
      this.at = at + 1;
      return false;
    }
    if (!this.#first) {
      if (at >= end || bytes[at] !== COMMA) return this.#malformed();
      at = skipSpace(bytes, at + 1, end);
    }
    this.#first = false;
    if (at >= end || bytes[at] !== QUOTE) return this.#malformed();
    this.keyStart = at + 1;
    at = this.#skipKey(at, end);
    if (at < 0) return this.#malformed();
    this.keyEnd = at - 1;
    at = skipSpace(bytes, at, end);
    if (at >= end || bytes[at] !== COLON) return this.#malformed();
    at = skipSpace(bytes, at + 1, end);
    if (at >= end) return this.#malformed();
    this.at = this.valueStart = at;
    return true;
  }

  /**
   * Moves the cursor past the current member's value; returns false when it is malformed or cut
   * short.
   */
  skipValue(): boolean {
    const at = this.at;
    this.at = this.#isStaged && opensContainer(this.#bytes[at]!)
      ? skipStaged(this.#bytes, at, this.#end)
      : skipValue(this.#bytes, at, this.#end);
    return this.at >= 0;
  }

  /**
   * Returns the current member's key as text, with escapes resolved; `"\0"`, which no field has,
   * when the key is malformed.
   */
  key(): string {
    return stringAt(this.#bytes, this.keyStart - 1, this.keyEnd + 1) ?? "\0";
  }

  /**
   * Reports whether the current member's key equals a name, given in UTF-8 and as text. A key
   * without escapes is compared by its bytes, which is cheap.
   */
  keyIs(name: Uint8Array, text: string): boolean {
    if (this.keyEscaped) return this.key() === text;
    return spells(this.#bytes, this.keyStart, this.keyEnd, name);
  }

  #skipKey(at: number, end: number): number {
    const bytes = this.#bytes;
    this.keyEscaped = false;
    for (at++; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) {
        this.keyEscaped = true;
        at++;
      }
    }
    return -1;
  }

  #malformed(): false {
    this.at = -1;
    return false;
  }
}

const EMPTY = new Uint8Array(0);
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Returns the parsed JSON value of the bytes from `start` to `end` (exclusive).
 *
 * @throws {SyntaxError} When the text is not JSON.
 * @throws {TypeError} When the bytes are not UTF-8.
 */
export function parseAt(bytes: Uint8Array, start: number, end: number): unknown {
  return parseJson(decoder.decode(bytes.subarray(start, end)));
}

/**
 * Returns the text of the JSON string whose opening quote is at `start` and whose closing quote is
 * directly before `end`, with escapes resolved; `undefined` when these bytes are not a JSON string.
 */
export function stringAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  try {
    const value = parseAt(bytes, start, end);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A scanner that skips one JSON value which arrives in chunks, reading each byte once. */
export class ValueSkipper {
  #at: number;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #scalar = false;

  /**
   * Creates a scanner of the JSON value that begins at a position. The value's first byte must have
   * arrived when {@linkcode ValueSkipper.advance} is called.
   */
  constructor(start: number) {
    this.#at = start;
  }

  /**
   * Adjusts the position of the scanner after the caller has moved the bytes towards the front by
   * `by` positions.
   */
  shift(by: number): void {
    this.#at -= by;
  }

  /**
   * Continues to skip the JSON value and returns the position after it; -1 when the value does not
   * end before `end` (a number or literal needs a byte after it); the start itself when no value
   * can begin there.
   */
  advance(bytes: Uint8Array, end: number): number {
    let at = this.#at;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (this.#escaped) {
        this.#escaped = false;
      } else if (this.#inString) {
        if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          if (this.#depth === 0) return at + 1;
        }
      } else if (this.#scalar) {
        if (endsScalar(byte)) return at;
      } else if (byte === QUOTE) {
        this.#inString = true;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        this.#depth++;
      } else if (this.#depth === 0) {
        if (endsScalar(byte)) return at;
        this.#scalar = true;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (--this.#depth === 0) return at + 1;
      }
    }
    this.#at = at;
    return -1;
  }
}
