import type { GoRegExp } from "../../validation/go_regexp.ts";

/** A pattern of the parts of regular expressions, such as `.`, that match non-ASCII characters. */
const OPEN_CLASS = /\.|\[\^|\\[DW]/;
/** A pattern of texts that consist of printable ASCII characters. */
const PLAIN_TEXT = /^[\x20-\x7e]*$/;
/**
 * A pattern of regular expression syntax that RE2 and JavaScript interpret differently, or that
 * one of them lacks.
 */
const FOREIGN = /\(\?|\\[^dwDW.\-+*?()[\]{}^$|\\/]|\[\[:|\[\]|\[\^\]/;
/**
 * A pattern of a repeated group in a regular expression, for which backtracking can take
 * exponential time.
 */
const REPEATED_GROUP = /\)[*+{]/;
/** The largest permitted number of backtracking steps of a regular expression in the worst case. */
const MAX_STEPS = 1_000_000;

/**
 * Returns a function that reports whether a text matches an expression of RE2: by JavaScript's
 * expressions, ten times as fast, where both agree and backtracking is bounded, and otherwise by
 * RE2.
 */
export function quickPattern(pattern: string, re2: GoRegExp): (text: string) => boolean {
  const own = ownExpression(pattern);
  if (own === undefined) return (text) => re2.test(text);
  const repetitions = pattern.match(/[*+]|,\}/g)?.length ?? 0;
  const maxLength = repetitions === 0 ? Infinity : Math.floor(MAX_STEPS ** (1 / repetitions));
  if (OPEN_CLASS.test(pattern)) {
    return (text) =>
      text.length <= maxLength && PLAIN_TEXT.test(text) ? own.test(text) : re2.test(text);
  }
  return (text) => text.length <= maxLength ? own.test(text) : re2.test(text);
}

function ownExpression(pattern: string): RegExp | undefined {
  if (FOREIGN.test(pattern) || REPEATED_GROUP.test(pattern)) return undefined;
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}
