// Mirrors `fields/selector.go, ParseSelector`.

/** One requirement of a field selector (`fields.Requirement`). */
export interface FieldTerm {
  /** The path of the field that the requirement is about, such as `spec.nodeName`. */
  readonly field: string;
  /**
   * Reports whether the field must equal the value (`=` or `==`); if not, the field must differ
   * from the value (`!=`).
   */
  readonly equal: boolean;
  /** The value that the field is compared with, without escapes. */
  readonly value: string;
}

/**
 * Parses a field selector, such as `spec.nodeName=n1,status.phase!=Failed` (k8s.io/apimachinery
 * `fields.ParseSelector`). Terms are sorted by their text, and empty ones are left out.
 *
 * @throws {TypeError} When a term has no operator, or a value has a bad escape; the message is that
 * of upstream.
 */
export function parseFieldSelector(text: string): FieldTerm[] {
  return splitTerms(text).sort().filter((part) => part !== "").map((part) => {
    const found = /^(.*?)(!=|==|=)(.*)$/s.exec(part);
    if (!found) throw new TypeError(`invalid selector: '${text}'; can't understand '${part}'`);
    return { field: found[1]!, equal: found[2] !== "!=", value: unescapeValue(found[3]!) };
  });
}

/**
 * Returns the terms of a field selector, which commas separate that are not escaped; the escapes
 * are kept (`fields.splitTerms`).
 */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === ",") {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...terms, text.slice(start)];
}

/**
 * Returns a value of a field selector without its escapes (`fields.UnescapeValue`).
 *
 * @throws {TypeError} When the value has an unknown escape, or an unescaped comma or equals sign.
 */
function unescapeValue(text: string): string {
  let value = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\\") {
      const next = text[++at] ?? "";
      if (!["\\", ",", "="].includes(next)) {
        throw new TypeError(`invalid field selector: invalid escape sequence: \\${next}`);
      }
      value += next;
    } else if (character === "," || character === "=") {
      const code = character.charCodeAt(0);
      throw new TypeError(`invalid field selector: unescaped character in value: ${code}`);
    } else value += character;
  }
  return value;
}
