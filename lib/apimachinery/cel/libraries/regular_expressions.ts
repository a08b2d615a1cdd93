// Mirrors `cel/library/regex.go, Regex`.
import { RE2JS } from "re2js";
import type { Implementation, Library } from "../declarations.ts";
import { CelError, type CelValue, ValueList } from "../values/value.ts";

const CACHE_SIZE = 200;
const cache = new Map<string, RE2JS>();

/**
 * Returns a compiled regular expression in the syntax of Go, with a matching time that is linear in
 * the text, so that a user's pattern cannot block the server. The process caches up to 200 compiled
 * patterns.
 *
 * @throws {Error} If the expression is invalid; the message is that of Go's `regexp`.
 */
export function compilePattern(pattern: string): RE2JS {
  const known = cache.get(pattern);
  if (known) return known;
  const made = RE2JS.compile(pattern);
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(pattern, made);
  return made;
}

function withPattern(
  pattern: CelValue | undefined,
  prefix: string,
  use: (compiled: RE2JS) => CelValue,
): CelValue {
  let compiled: RE2JS;
  try {
    compiled = compilePattern(pattern as string);
  } catch (error) {
    return new CelError(prefix + (error as Error).message);
  }
  return use(compiled);
}

const matches: Implementation = (text, pattern) =>
  typeof text !== "string"
    ? new CelError("no such overload: matches")
    : typeof pattern !== "string"
    ? new CelError("no such overload")
    : withPattern(pattern, "", (compiled) => compiled.test(text));

const find: Implementation = (text, pattern) =>
  withPattern(pattern, "Illegal regex: ", (compiled) => {
    const matcher = compiled.matcher(text as string);
    return matcher.find() ? matcher.group() ?? "" : "";
  });

const findAll: Implementation = (text, pattern, limit) =>
  withPattern(pattern, "Illegal regex: ", (compiled) => {
    const most = limit === undefined ? -1 : Number(limit);
    const found: CelValue[] = [];
    const matcher = compiled.matcher(text as string);
    while ((most < 0 || found.length < most) && matcher.find()) found.push(matcher.group() ?? "");
    return new ValueList(found);
  });

/** The CEL library of regular expressions: `matches`, `find`, `findAll`. */
export const REGULAR_EXPRESSIONS: Library = {
  signatures: `
    matches matches(string, string) bool
    matches matches_string.(string, string) bool
    find string_find_string.(string, string) string
    findAll string_find_all_string.(string, string) list(string)
    findAll string_find_all_string_int.(string, string, int) list(string)`,
  implementations: {
    matches,
    string_find_string: find,
    string_find_all_string: findAll,
    string_find_all_string_int: findAll,
  },
};
