/**
 * A regular expression for comments, string literals, and names of fields or constants before a
 * colon.
 */
const PASSED_OVER = /\/\*[^]*?\*\/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w$]+\??:/g;

/**
 * Returns the names that generated TypeScript refers to. Words in comments and string literals, and
 * the names of fields, do not count.
 */
export function usedNames(code: string): ReadonlySet<string> {
  return new Set(code.replace(PASSED_OVER, " ").match(/[A-Za-z_$][\w$]*/g));
}
