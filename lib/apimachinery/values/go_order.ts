/**
 * The order of Go's strings, which is that of their UTF-8 bytes. JavaScript's order is that of
 * UTF-16 code units, in which characters beyond U+FFFF precede those from U+E000 on.
 *
 * @module
 */

/** Compares texts in the order of their UTF-8 bytes; returns -1, 0 or 1. */
export function compareTexts(a: string, b: string): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    const leftPair = left >= 0xd800 && left < 0xe000;
    const rightPair = right >= 0xd800 && right < 0xe000;
    if (leftPair !== rightPair) return leftPair ? 1 : -1;
    return left < right ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

/**
 * A pattern of a surrogate, half of a character beyond U+FFFF; the two orders of texts without
 * surrogates are the same.
 */
const SURROGATE = /[\ud800-\udfff]/;

/** Sorts a list of texts in place, in the order of their UTF-8 bytes; returns the list. */
export function sortTexts(texts: string[]): string[] {
  return texts.some((text) => SURROGATE.test(text)) ? texts.sort(compareTexts) : texts.sort();
}

/** Returns the entries of an object, sorted by name in the order of the names' UTF-8 bytes. */
export function sortedEntries<T>(map: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(map).sort(([a], [b]) => compareTexts(a, b));
}
