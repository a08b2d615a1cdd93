const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const LOWER_U = 0x75;

/**
 * The maximum number of decimal digits of integers that every JavaScript number represents exactly.
 */
const EXACT_DIGITS = 15;
const MAX_DEPTH = 1_000;

/**
 * Counts the members of all objects in the bytes of valid JSON. A value that `JSON.parse` returns
 * with fewer members has lost a repeated key. The exact parser is needed for a number that is not a
 * short integer, for a `\u` escape, which may be half a character, and for a depth of more than
 * 1000.
 *
 * @returns The number of members, or -1 if the exact parser is needed.
 */
export function countMembers(bytes: Uint8Array): number {
  let members = 0;
  let depth = 0;
  let digits = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits > EXACT_DIGITS) return -1;
      continue;
    }
    // A dot or an exponent after a digit; outside of strings, letters occur only in the three
    // literals, which follow no digit.
    if (digits > 0 && (byte === 0x2e || byte === 0x65 || byte === 0x45)) return -1;
    digits = 0;
    if (byte === QUOTE) {
      for (at++; bytes[at] !== QUOTE; at++) {
        if (at >= bytes.length) return -1;
        if (bytes[at] === BACKSLASH && bytes[++at] === LOWER_U) return -1;
      }
    } else if (byte === COLON) members++;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) return -1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
  }
  return members;
}

/** Counts the members of all objects in a parsed JSON value. */
export function membersOf(tree: unknown): number {
  if (tree === null || typeof tree !== "object") return 0;
  let members = 0;
  if (Array.isArray(tree)) {
    for (const item of tree) members += membersOf(item);
    return members;
  }
  for (const value of Object.values(tree)) members += 1 + membersOf(value);
  return members;
}
