/**
 * Texts of servers as errors and logs may show them.
 *
 * @module
 */

/** The longest text of a server in a message, in characters. */
export const MESSAGE_CHARACTERS = 2_000;

/** A text, its end left out where it is longer. */
export function cutText(text: string, characters: number = MESSAGE_CHARACTERS): string {
  if (text.length <= characters) return text;
  const end = text.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
  return `${end}... (${text.length - end.length} characters more)`;
}

/**
 * Matches the start of an object's data: as JSON, quoted in JSON any number of times, or as Go
 * prints a struct.
 */
const DATA = /\\*"(?:data|stringData)\\*"\s*:\s*(?=\{)|\b(?:Data|StringData):(?=map\[)/;

/**
 * A text without the data of Secrets. kube-apiserver quotes whole objects in some refusals, such as
 * that of a patch whose outcome has a field of a wrong type. Left out is all from the data to the last
 * bracket, since a value may hold brackets itself; and other kinds' data as well, since the text does
 * not always say whose they are.
 */
export function withoutData(text: string): string {
  const found = DATA.exec(text);
  if (!found) return text;
  const begin = found.index + found[0].length;
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  const rest = end > begin ? text.slice(end) : "";
  // Behind a whole object stands its closing quote, or the next word; else the text was cut inside.
  return `${text.slice(0, begin)}{...}${/^\\*["'`)]?(?:[\s:;,.)]|$)/.test(rest) ? rest : ""}`;
}

/** A text of the server as a message may show it: cut, and without the data of Secrets. */
export function messageText(text: string): string {
  // A long text is not searched as a whole.
  return cutText(withoutData(text.slice(0, 16 * MESSAGE_CHARACTERS)));
}
