// Mirrors `endpoints/filters/warning.go, recorder.AddWarning`.

/**
 * The total length of a response's warnings in characters above which all of them are shortened.
 */
const MOST_CHARACTERS = 4 * 1024;
/**
 * The length in characters to which each warning's text is shortened when a response's warnings
 * together exceed {@linkcode MOST_CHARACTERS}.
 */
const CUT_CHARACTERS = 256;

/**
 * Returns the values of the `Warning` headers of a response as kube-apiserver encodes them: in
 * UTF-8, without texts that a header cannot carry, and shortened if there are too many
 * (`filters/warning.go`).
 */
export function warningHeaders(warnings: Iterable<string>): string[] {
  const texts = [...warnings].filter((text) => text !== "");
  const whole = texts.filter((text) => !/\p{Cc}/u.test(text)).map((text) => [...text]);
  const length = whole.reduce((sum, text) => sum + text.length, 0);
  return (length <= MOST_CHARACTERS ? whole : cut(whole)).map((text) => header(text.join("")));
}

/**
 * Shortens the texts of warnings, and drops those after the text with which they exceed the limit.
 */
function cut(texts: readonly string[][]): string[][] {
  const kept: string[][] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= MOST_CHARACTERS) break;
    kept.push(text.slice(0, CUT_CHARACTERS));
    written += kept.at(-1)!.length;
  }
  return kept;
}

/**
 * Returns the value of a `Warning` header with code 299 and a text; each character of the value
 * stands for one byte of UTF-8.
 */
function header(text: string): string {
  const quoted = `"${text.replace(/["\\]/g, "\\$&")}"`;
  const bytes = new TextEncoder().encode(quoted);
  return `299 - ${Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")}`;
}
