/** So many characters of warnings an answer carries; with more, all of them are cut. */
const MOST_CHARACTERS = 4 * 1024;
/** What is left of a warning then. */
const CUT_CHARACTERS = 256;

/**
 * The `Warning` headers of an answer, as the real server writes them: in UTF-8, without those that a
 * header cannot carry, and cut where there are too many.
 */
export function warningHeaders(warnings: Iterable<string>): string[] {
  const texts = [...warnings].filter((text) => text !== "");
  const whole = texts.filter((text) => !/\p{Cc}/u.test(text)).map((text) => [...text]);
  const length = whole.reduce((sum, text) => sum + text.length, 0);
  return (length <= MOST_CHARACTERS ? whole : cut(whole)).map((text) => header(text.join("")));
}

/** Whoever comes when the limit is reached is left out; the one that passes it is not. */
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

/** Each character of a header stands for one byte. */
function header(text: string): string {
  const quoted = `"${text.replace(/["\\]/g, "\\$&")}"`;
  const bytes = new TextEncoder().encode(quoted);
  return `299 - ${Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")}`;
}
