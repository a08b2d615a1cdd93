/** What percent signs stand for; a text in which they stand for nothing is as it is. */
export function decodePercent(text: string): string {
  try {
    return text.includes("%") ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}
