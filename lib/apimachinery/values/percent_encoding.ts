/** Decodes the percent escapes of a text; a text with an invalid escape is returned unchanged. */
export function decodePercent(text: string): string {
  try {
    return text.includes("%") ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}
