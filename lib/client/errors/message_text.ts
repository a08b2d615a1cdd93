/**
 * Texts of servers, prepared for errors and logs.
 *
 * @module
 */

/** The longest text of a server that an error message quotes, in characters. */
export const MESSAGE_CHARACTERS = 2_000;

/** Returns a text, cut to a number of characters. */
export function cutText(text: string, characters: number = MESSAGE_CHARACTERS): string {
  if (text.length <= characters) return text;
  const end = text.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
  return `${end}... (${text.length - end.length} characters more)`;
}

/**
 * Matches the start of the `data` of a Secret or ConfigMap in a text: as JSON, quoted in JSON any number of times, or as Go
 * prints a struct.
 */
const DATA = /\\*"(?:data|stringData)\\*"\s*:\s*(?=\{)|\b(?:Data|StringData):(?=map\[)/;

/**
 * Returns a text without the data of Secrets. kube-apiserver quotes whole objects in some refusals,
 * such as that of a patch whose result has a field of a wrong type. Everything from the data to the
 * last bracket is left out, since values may contain brackets; the data of other kinds is left out
 * too, since the text does not always contain the kind.
 */
export function withoutData(text: string): string {
  const found = DATA.exec(text);
  if (!found) return text;
  const begin = found.index + found[0].length;
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  const rest = end > begin ? text.slice(end) : "";
  // A closing quote or the next word follows a complete object; otherwise the text was cut inside
  // it.
  return `${text.slice(0, begin)}{...}${/^\\*["'`)]?(?:[\s:;,.)]|$)/.test(rest) ? rest : ""}`;
}

/** Returns a text of the server for error messages: cut, and without the data of Secrets. */
export function messageText(text: string): string {
  // Only the beginning of a long text is searched.
  return cutText(withoutData(text.slice(0, 16 * MESSAGE_CHARACTERS)));
}
