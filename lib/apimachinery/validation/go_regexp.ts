import { RE2JS } from "re2js";
import { notImplemented } from "../errors/status_error.ts";
import { RegExpSyntaxError } from "./regexp_syntax_error.ts";

/** A compiled regular expression with Go's syntax and messages. */
export interface GoRegExp {
  /**
   * Reports whether the regular expression matches anywhere in a text.
   *
   * @throws {StatusError} 501 if the text is too long for the size of the expression.
   */
  test(text: string): boolean;
}

/**
 * Maximum number of cached regular expressions; a full cache is cleared. Each expression takes some
 * kilobytes, and at most 8 MB, for its automaton.
 */
const CACHE_SIZE = 200;
/**
 * The limit on the steps of a regular expression's search: the size of the expression's program
 * times the length of the text. A search at this limit blocks the server for seconds in the worst
 * case; most take fewer steps, since visited states are cached.
 */
const MAX_STEPS = 256_000_000;
const cache = new Map<string, GoRegExp>();

/**
 * Returns a compiled regular expression in the syntax of RE2, as kube-apiserver compiles those in
 * the schemas and expressions of users. The process caches compiled expressions. A search takes
 * linear time for every expression.
 *
 * @throws {RegExpSyntaxError} If RE2 refuses the expression.
 */
export function goRegExp(pattern: string): GoRegExp {
  const known = cache.get(pattern);
  if (known) return known;
  const made = compile(pattern);
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(pattern, made);
  return made;
}

function compile(pattern: string): GoRegExp {
  try {
    const compiled = RE2JS.compile(pattern);
    const size = compiled.programSize();
    const test = (text: string): boolean => {
      if (size * text.length > MAX_STEPS) {
        throw notImplemented(`texts of ${text.length} characters for a pattern of ${size} steps`);
      }
      return compiled.test(text);
    };
    return { test };
  } catch (error) {
    const { message } = error as Error;
    // Go quotes the invalid part of the expression, even if it is empty.
    const isWhole = message.split(": ").length < 3;
    throw new RegExpSyntaxError(isWhole ? `${message}: \`\`` : message);
  }
}
