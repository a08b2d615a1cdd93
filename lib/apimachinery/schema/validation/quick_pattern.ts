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
/** A pattern of the repetitions in a regular expression that can match texts of several lengths. */
const REPETITION = /[*+?]|\{(?!\d+\})/g;
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
  const maxLength = maxLengthOf(pattern);
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

/**
 * Returns the length of the longest texts that JavaScript may match with an expression. In the
 * worst case each repetition is tried with each length, each `|` with both sides, and, unless the
 * expression begins with `^` and has no `|`, the search begins at each character.
 */
function maxLengthOf(pattern: string): number {
  const alternatives = 2 ** count(pattern, /\|/g);
  const isAnchored = pattern.startsWith("^") && alternatives === 1;
  const repetitions = count(pattern, REPETITION) + (isAnchored ? 0 : 1);
  // An optional group can match even the empty text in two ways.
  return (MAX_STEPS / alternatives) ** (1 / repetitions) - 2;
}

function count(pattern: string, part: RegExp): number {
  return pattern.match(part)?.length ?? 0;
}
