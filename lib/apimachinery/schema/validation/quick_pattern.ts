import type { GoRegExp } from "../../validation/go_regexp.ts";

/** Parts of expressions that stand for more characters than they name, of which some differ. */
const OPEN_CLASS = /\.|\[\^|\\[DW]/;
/** Texts that those parts match alike in RE2 and in JavaScript. */
const PLAIN_TEXT = /^[\x20-\x7e]*$/;
/** Syntax that the two read in different ways, or that one of them lacks. */
const FOREIGN = /\(\?|\\[^dwDW.\-+*?()[\]{}^$|\\/]|\[\[:|\[\]|\[\^\]/;
/** A group that is repeated: backtracking can then take exponential time. */
const REPEATED_GROUP = /\)[*+{]/;
/** The limit on the steps that backtracking takes at worst. */
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
