/**
 * Texts of servers, prepared for errors and logs.
 *
 * @module
 */

import { jsonValueEnd } from "./quoted_json.ts";

/** The number of characters after which a text of a server is cut in an error message. */
export const MESSAGE_CHARACTERS = 2_000;

/**
 * Returns a text that is cut after `characters` UTF-16 code units (by default {@linkcode
 * MESSAGE_CHARACTERS}), followed by the number of those left out; a text that is not longer is
 * returned unchanged.
 */
export function cutText(text: string, characters: number = MESSAGE_CHARACTERS): string {
  if (text.length <= characters) return text;
  const end = text.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
  return `${end}... (${text.length - end.length} characters more)`;
}

/** The text that replaces hidden data in error messages. */
const HIDDEN = "{...}";

/** The pattern of a text that contains operations of a JSON patch, which may be one of a Secret. */
const OPERATIONS =
  /["':]\/(?:string)?data[\\/"'\s\]}]|map\[(?:from:\S{0,300} )?op:|["']op\\{0,64}["']\s?:/i;

/**
 * The pattern of the API groups of Kubernetes itself. Objects of other groups may hold secret
 * values in any field.
 */
const OWN_GROUP = String.raw`(?:apps|batch|autoscaling|policy|(?:[a-z]{1,63}\.){1,4}k8s\.io)`;

/**
 * The pattern of the beginning of a text in which the server refuses an object of another kind of
 * Kubernetes than Secret, and quotes that object alone: `Deployment.apps "web" is invalid: `.
 */
const OF_OTHER_KIND = new RegExp(
  String.raw`^(?:(?!Secret\b)\w{1,100}(?:\.${OWN_GROUP})? "[^"\n]{0,300}" is invalid: |` +
    String.raw`failed to create typed patch object \([^;()\s]{0,600}; ${OWN_GROUP}?\/\w{1,20}, ` +
    String.raw`Kind=(?!Secret\b)\w{1,100}\): )`,
);

/**
 * The pattern of the words of a refusal after the name of a field, such as `Forbidden` in `data:
 * Forbidden: `.
 */
const REFUSAL = String
  .raw`\s(?:Forbidden|(?:Required|Invalid) value|Too (?:long|many|few)|Internal error|Not found|` +
  String.raw`expected [^\n]{1,60}? got)\b`;

/**
 * The pattern of a word of a sentence after `data:`, as in `spec.data: must not be empty` and
 * `unable to read data: it is gone`: the name follows a point or a word, as no key of YAML does.
 */
const SENTENCE = String.raw`(?<=(?:\.|[a-z]{2,20} )data:) {1,4}[A-Za-z]{1,20}(?:[ ,;:.]|$)`;

/**
 * Returns the pattern of the field name `data` or `stringData` and its separator, in any notation:
 * JSON, quoted in JSON any number of times, Go, YAML, and those of the languages in which webhooks
 * are written. A text after the colon that `exceptions` match is not data.
 */
function field(...exceptions: readonly string[]): string {
  return String.raw`(?:\b|(?<=\\n))(?:[sS]tring_?)?[dD]ata(?:\\{0,64}["'\x60])?\s{0,4}` +
    String.raw`(?::(?!${exceptions.join("|")})|=>?)\s{0,4}`;
}

/**
 * The patterns of texts after which a message may quote data of an object, although no field name
 * `data` or `stringData` with a separator is directly before the data.
 */
const UNNAMED: readonly string[] = [
  // A value refused by server-side apply or by validation, after the path of its field.
  String.raw`\b(?:stringD|d)ata\b[^\s:]{0,300}: (?:expected [^\n]{1,60}? got |Invalid value: )`,
  // A Go struct without field names, as %v prints it: {{Secret v1} {name ...} map[...]}.
  String.raw`(?=\{\{\w{0,60} [\w./]{0,99}\} \{)`,
  // Bytes as Go prints them, and a map of them.
  String.raw`(?=\[\](?:byte|uint8)[{(])`,
  String.raw`(?=map\[[^\s:[\]]{0,300}:\[\d)`,
  // The beginning of a body that is not JSON, in hexadecimal digits.
  String.raw`\((?=(?:[\da-f]{2}){4,60}(?: \.\.\.)?\))`,
  // The surroundings of a mistake in a JSON text, as json-iterator and V8 quote them.
  String.raw`error found in #\d{1,20} byte of `,
  String.raw`Unexpected (?:token|string|number|identifier)[^\n"]{0,40}, (?=\.{0,3}")`,
];

/** The pattern of the text before data in a text that does not concern Secrets. */
const DATA = new RegExp([field(REFUSAL, SENTENCE), ...UNNAMED].join("|"));

/**
 * The pattern of the text before data in a text that concerns Secrets, where all objects count as
 * data.
 */
const SECRET_DATA = new RegExp(
  [
    field(REFUSAL),
    // Types, the RBAC rules that a role may not grant, empty objects, and the quantifiers of a
    // regular expression, as in [a-z]{1,63}, are not data.
    String.raw`(?<!of type )(?=map\[(?!\]))|(?=\{(?!APIGroups:|NonResourceURLs:|\}|` +
    String.raw`(?<=[^\s[][\])]\{)\d{1,3}(?:,\d{0,3})?\}))`,
    String.raw`\bexpected [^\n]{1,60}? got `,
    ...UNNAMED,
  ].join("|"),
);

/** The pattern of the end of a refusal by the server's decoders, which contains no value. */
const KNOWN_END = new RegExp(
  String.raw`: (?:json: cannot unmarshal (?:number|string|object|array|bool) into Go ` +
    String.raw`(?:struct field [\w.]{1,200}|value) of type [\w.*[\]]{1,100}|` +
    String
      .raw`cannot (?:convert|restore) \w{3,9} (?:to|from) (?:string|bool|u?int\d\d|float64|map))$`,
);

/** The pattern of the text before a value whose end is certain if the value is JSON. */
const BEFORE_JSON = /^$|"\s*:\s*$|Invalid value: $/;

/**
 * The pattern of the text after a complete value: closing quotes, another field, or the next word.
 */
const AFTER_VALUE = /^[\\"'`)\]}]{0,99}(?:[\s:;,.]|$)/;

/**
 * Returns a text in which `{...}` replaces the data of Secrets. kube-apiserver quotes whole objects
 * in some refusals, such as that of a patch whose result has a field of a wrong type. A text that
 * concerns Secrets shows no objects at all; from others, fields named `data` and `stringData` are
 * left out, since a text does not always contain the kind. Everything after data is left out too,
 * unless the end of the data is certain: Go prints texts without quotes, so that they may contain
 * anything.
 */
export function withoutData(text: string): string {
  const pattern = concernsSecrets(text) ? SECRET_DATA : DATA;
  let shown = "";
  let rest = text;
  for (let found; (found = pattern.exec(rest));) {
    const begin = found.index + found[0].length;
    shown += rest.slice(0, begin) + HIDDEN;
    const end = certainEnd(rest, begin, found[0]);
    if (end < 0) return shown + (KNOWN_END.exec(rest.slice(begin))?.[0] ?? "");
    rest = rest.slice(end);
  }
  return shown + rest;
}

/** Reports whether a text may quote a Secret, or a patch of one. */
function concernsSecrets(text: string): boolean {
  return OPERATIONS.test(text) || /secret/i.test(text) && !OF_OTHER_KIND.test(text);
}

/**
 * Returns the index after the value that begins at an index, after a matched text; -1 when the end
 * is uncertain.
 */
function certainEnd(text: string, begin: number, before: string): number {
  if (text.startsWith(HIDDEN, begin)) return begin + HIDDEN.length;
  const end = BEFORE_JSON.test(before) ? jsonValueEnd(text, begin) : -1;
  return end > 0 && AFTER_VALUE.test(text.slice(end, end + 200)) ? end : -1;
}

/**
 * Returns a text of the server for error messages: cut to {@linkcode MESSAGE_CHARACTERS}, and
 * without the data of Secrets.
 */
export function messageText(text: string): string {
  // Only the beginning of a long text is searched.
  return cutText(withoutData(text.slice(0, 16 * MESSAGE_CHARACTERS)));
}
