/** A comment, a string literal, or the name of a field or constant before its colon. */
const PASSED_OVER = /\/\*[^]*?\*\/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w$]+\??:/g;

/**
 * Returns the names that generated TypeScript refers to. Words of comments and of string literals, and
 * the names of fields, are none of them.
 */
export function usedNames(code: string): ReadonlySet<string> {
  return new Set(code.replace(PASSED_OVER, " ").match(/[A-Za-z_$][\w$]*/g));
}
