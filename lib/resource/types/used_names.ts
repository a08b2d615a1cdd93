/** Matches a comment, a string literal, or the name of a field or constant before its colon. */
const PASSED_OVER = /\/\*[^]*?\*\/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w$]+\??:/g;

/**
 * Returns the names that generated TypeScript refers to. Words in comments and string literals, and
 * the names of fields, do not count.
 */
export function usedNames(code: string): ReadonlySet<string> {
  return new Set(code.replace(PASSED_OVER, " ").match(/[A-Za-z_$][\w$]*/g));
}
