/**
 * Finds its way in JSON text as bytes, without building a tree.
 *
 * It is exact on valid JSON. On anything else it stops or finds nonsense, but never throws and never
 * loops: it proves that strings end and that containers close, and leaves the rest to `JSON.parse`.
 *
 * Positions are indexes into the bytes; `end` is exclusive; `-1` means cut short or malformed.
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

/** The first position from `at` on that is not JSON's white space; `end` when there is none. */
export function skipSpace(bytes: Uint8Array, at: number, end: number): number {
  while (at < end) {
    const byte = bytes[at]!;
    if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) break;
    at++;
  }
  return at;
}

/** The position after the string whose opening quote is at `at`, or -1. */
export function skipString(bytes: Uint8Array, at: number, end: number): number {
  for (at++; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at++;
  }
  return -1;
}

/** The position after the value that begins at `at`, or -1. A number or literal needs a byte after it, or `end`. */
export function skipValue(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) return -1;
  const first = bytes[at]!;
  if (first === QUOTE) return skipString(bytes, at, end);
  if (opensContainer(first)) return skipContainer(bytes, at, end);
  const start = at;
  while (at < end && !endsScalar(bytes[at]!)) at++;
  return at > start ? at : -1;
}

/** Whether the bytes between two positions are these. */
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

/** The hot loop, for text that is not on the stage: three of four bytes are only ever seen here. */
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

/** The same for bytes that lie on the stage; exactly the same, also of what is no JSON. */
function skipStaged(bytes: Uint8Array, at: number, end: number): number {
  const after = skipStagedContainer(at, end);
  if (after === UNSURE) return skipContainer(bytes, at, end);
  return after > end ? -1 : after;
}

/**
 * Walks the members of one JSON object. Its fields say where the present member lies.
 */
export class MemberCursor {
  /** Where the walk stands. After the last member: the position after the object, or -1 when it is malformed or cut short. */
  at = -1;
  /** Where the key begins, after its quote. */
  keyStart = 0;
  /** Where the key ends, before its quote. */
  keyEnd = 0;
  /** Whether the key is written with an escape, so that its bytes are not its text. */
  keyEscaped = false;
  /** Where the value begins. */
  valueStart = 0;
  #bytes: Uint8Array = EMPTY;
  #end = 0;
  #isStaged = false;
  #first = true;

  /**
   * Begins with the object whose brace is at `at`; anything else there counts as malformed. `isStaged`
   * says that the bytes are what lies on the stage.
   */
  enter(bytes: Uint8Array, at: number, end: number, isStaged = false): void {
    this.#bytes = bytes;
    this.#end = end;
    this.#isStaged = isStaged;
    this.#first = true;
    this.at = at < end && bytes[at] === OPEN_BRACE ? at + 1 : -1;
  }

  /** Goes to the next key, and stands at its value; false after the last member. */
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

  /** Goes past the value; false when it is malformed or cut short. */
  skipValue(): boolean {
    const at = this.at;
    this.at = this.#isStaged && opensContainer(this.#bytes[at]!)
      ? skipStaged(this.#bytes, at, this.#end)
      : skipValue(this.#bytes, at, this.#end);
    return this.at >= 0;
  }

  /** The present key as text, escapes resolved; not a key of any object when it is malformed. */
  key(): string {
    return stringAt(this.#bytes, this.keyStart - 1, this.keyEnd + 1) ?? "\0";
  }

  /** Whether the present key is this one: cheap unless it is written with escapes. */
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
 * Parses the value between two positions.
 *
 * @throws {SyntaxError} When it is not JSON.
 * @throws {TypeError} When it is not UTF-8.
 */
export function parseAt(bytes: Uint8Array, start: number, end: number): unknown {
  return parseJson(decoder.decode(bytes.subarray(start, end)));
}

/** The text of the string between two positions, quotes included; `undefined` when it is none. */
export function stringAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  try {
    const value = parseAt(bytes, start, end);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Skips one value that arrives in pieces, and looks at each byte once.
 */
export class ValueSkipper {
  #at: number;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #scalar = false;

  /** Begins with the value at a position; the value's first byte must be there when it advances. */
  constructor(start: number) {
    this.#at = start;
  }

  /** Tells the skipper that the bytes moved towards the front by so many. */
  shift(by: number): void {
    this.#at -= by;
  }

  /**
   * The position after the value; -1 when it does not end before `end` (a number or literal needs a
   * byte after it). The start itself when no value can begin there.
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
