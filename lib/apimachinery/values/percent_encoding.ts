/**
 * Decodes the percent escapes of a text, which encode UTF-8; a text with an invalid escape, or with
 * escapes that are not UTF-8, is returned unchanged.
 */
export function decodePercent(text: string): string {
  try {
    return text.includes("%") ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}
