const SPACE = /\s*/y;
const LITERAL = /(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
const BACKSLASHES = /\\*/y;

/** The maximum nesting depth of a JSON value in a text; a deeper value counts as invalid. */
const MAX_DEPTH = 200;

/**
 * Returns the index after the JSON value that begins at an index of a text; -1 when the value is
 * not JSON, or is cut short. The JSON may be quoted as a string any number of times, so that
 * backslashes precede each of its quotes: `{\"a\":\"b\"}`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { jsonValueEnd } from "./quoted_json.ts";
 *
 * assert.equal(jsonValueEnd('got "{\\"a\\":[]}": no', 5), 15);
 * assert.equal(jsonValueEnd('{"a":', 0), -1);
 * ```
 */
export function jsonValueEnd(text: string, begin: number): number {
  const first = /^[\s{[]*(\\*)"/.exec(text.slice(begin, begin + MAX_DEPTH));
  return new QuotedJson(text, first?.[1]?.length ?? 0).valueEnd(begin, 0);
}

/** A text that contains JSON whose quotes all follow the same number of backslashes. */
class QuotedJson {
  readonly #text: string;
  readonly #backslashes: number;

  constructor(text: string, backslashes: number) {
    this.#text = text;
    this.#backslashes = backslashes;
  }

  /**
   * Returns the index after the value that begins at an index; -1 when there is no complete value.
   */
  valueEnd(begin: number, depth: number): number {
    const at = this.#skip(SPACE, begin);
    const char = this.#text[at];
    if (depth > MAX_DEPTH) return -1;
    if (char === "{" || char === "[") return this.#membersEnd(at, depth);
    if (char === '"' || char === "\\") return this.#stringEnd(at);
    const end = this.#skip(LITERAL, at);
    return end > at ? end : -1;
  }

  #membersEnd(begin: number, depth: number): number {
    const isObject = this.#text[begin] === "{";
    const close = isObject ? "}" : "]";
    let at = this.#skip(SPACE, begin + 1);
    if (this.#text[at] === close) return at + 1;
    while (at >= 0) {
      at = isObject ? this.#memberEnd(at, depth) : this.valueEnd(at, depth + 1);
      if (at < 0) return -1;
      at = this.#skip(SPACE, at);
      if (this.#text[at] === close) return at + 1;
      at = this.#text[at] === "," ? this.#skip(SPACE, at + 1) : -1;
    }
    return -1;
  }

  #memberEnd(begin: number, depth: number): number {
    const keyEnd = this.#stringEnd(begin);
    if (keyEnd < 0) return -1;
    const colon = this.#skip(SPACE, keyEnd);
    return this.#text[colon] === ":" ? this.valueEnd(colon + 1, depth + 1) : -1;
  }

  #stringEnd(begin: number): number {
    const open = this.#skip(BACKSLASHES, begin);
    if (open - begin !== this.#backslashes || this.#text[open] !== '"') return -1;
    let at = open + 1;
    for (;;) {
      const quote = this.#text.indexOf('"', at);
      if (quote < 0) return -1;
      let before = quote;
      while (before > at && this.#text[before - 1] === "\\") before--;
      if (this.#isClosing(quote - before)) return quote + 1;
      at = quote + 1;
    }
  }

  /** Reports whether a quote that follows the given number of backslashes ends a JSON string. */
  #isClosing(backslashes: number): boolean {
    const more = backslashes - this.#backslashes;
    // Each quoting doubles backslashes; an odd number of them in the JSON itself escapes the quote.
    return more >= 0 && more % (2 * (this.#backslashes + 1)) === 0;
  }

  /**
   * Returns the index after the match of a sticky pattern at an index; the same index without a
   * match.
   */
  #skip(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    return pattern.test(this.#text) ? pattern.lastIndex : at;
  }
}
