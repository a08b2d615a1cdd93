// Mirrors `ext/strings.go, Strings`.
import { trimSpace } from "../../values/go_text.ts";
import { GO_ESCAPES } from "../../values/go_text.ts";
import type { Implementation, Library } from "../declarations.ts";
import { CelError, CelList, type CelValue, characters, ValueList } from "../values/value.ts";
import { formatText } from "./text_format.ts";

/** Returns the implementation of a CEL string method: `run`, with the receiver cast to a string. */
function onText(run: (text: string, ...args: CelValue[]) => CelValue): Implementation {
  return (text, ...args) => run(text as string, ...args);
}

function outOfRange(index: CelValue): CelError {
  return new CelError(`index out of range: ${index}`);
}

const charAt = onText((text, index) => {
  const all = [...text];
  const at = Number(index);
  if (at < 0 || at > all.length) return outOfRange(index!);
  return all[at] ?? "";
});

/**
 * Implements CEL's string method `indexOf`: returns the first position of `part` at or after
 * `offset`, in code points, or -1. Returns `offset` for an empty `part`, and otherwise a `CelError`
 * for a negative offset.
 */
const indexOf = onText((text, part, offset = 0n) => {
  if (part === "") return offset;
  const from = Number(offset);
  if (from < 0) return outOfRange(offset);
  const all = [...text];
  if (from >= all.length) return -1n;
  const skipped = all.slice(0, from).join("").length;
  const found = text.indexOf(part as string, skipped);
  return found < 0 ? -1n : BigInt(characters(text.slice(0, found)));
});

const lastIndexOf = onText((text, part, offset) => {
  const all = [...text];
  if (part === "") return offset ?? BigInt(all.length);
  if (offset === undefined && text.length < (part as string).length) return -1n;
  const from = offset === undefined ? all.length - 1 : Number(offset);
  if (from < 0) return offset === undefined ? -1n : outOfRange(offset);
  if (from >= all.length) return -1n;
  const last = all.slice(0, from).join("").length;
  const found = text.lastIndexOf(part as string, last);
  return found < 0 ? -1n : BigInt(characters(text.slice(0, found)));
});

/**
 * Returns a text with the first `most` occurrences of `old` replaced by `by`; with all of them
 * replaced if `most` is negative.
 */
function replaceSome(text: string, old: string, by: string, most: number): string {
  if (old === "") return interleave(text, by, most);
  const parts = text.split(old);
  const replaced = most < 0 ? parts.length - 1 : Math.min(most, parts.length - 1);
  return parts.map((part, index) => index === 0 ? part : (index <= replaced ? by : old) + part)
    .join("");
}

/**
 * Returns a text with the empty text replaced by `by`: inserted before each character and at the
 * end, at the first `most` of these positions; at all of them if `most` is negative.
 */
function interleave(text: string, by: string, most: number): string {
  const all = [...text];
  const count = most < 0 ? all.length + 1 : Math.min(most, all.length + 1);
  return all.map((each, index) => (index < count ? by : "") + each).join("") +
    (count > all.length ? by : "");
}

const replace = onText((text, old, by, most = -1n) =>
  replaceSome(text, old as string, by as string, Number(most))
);

const split = onText((text, separator, most = -1n) => {
  const limit = Number(most);
  if (limit === 0) return new ValueList([]);
  const parts = separator === "" ? [...text] : text.split(separator as string);
  if (limit < 0 || parts.length <= limit) return new ValueList(parts);
  const rest = parts.splice(limit - 1).join(separator as string);
  return new ValueList([...parts, rest]);
});

const substring = onText((text, start, end) => {
  const all = [...text];
  const from = Number(start);
  const to = end === undefined ? all.length : Number(end);
  if (end !== undefined && from > to) {
    return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (from < 0 || from > all.length) return outOfRange(start!);
  if (to < 0 || to > all.length) return outOfRange(end!);
  return all.slice(from, to).join("");
});

const quote = onText((text) =>
  `"${[...text.toWellFormed()].map((each) => GO_ESCAPES[each] ?? each).join("")}"`
);

const join: Implementation = (list, separator = "") => {
  const parts: string[] = [];
  for (const element of list as CelList) {
    if (typeof element !== "string") {
      return element instanceof CelError
        ? element
        : new CelError(`join: invalid input: ${String(element)}`);
    }
    parts.push(element);
  }
  return parts.join(separator as string);
};

const ASCII_UPPER = /[A-Z]+/g;
const ASCII_LOWER = /[a-z]+/g;

/** The CEL library of functions for strings. */
export const STRINGS: Library = {
  signatures: `
    contains contains_string.(string, string) bool
    endsWith ends_with_string.(string, string) bool
    startsWith starts_with_string.(string, string) bool
    charAt string_char_at_int.(string, int) string
    indexOf string_index_of_string.(string, string) int
    indexOf string_index_of_string_int.(string, string, int) int
    lastIndexOf string_last_index_of_string.(string, string) int
    lastIndexOf string_last_index_of_string_int.(string, string, int) int
    lowerAscii string_lower_ascii.(string) string
    replace string_replace_string_string.(string, string, string) string
    replace string_replace_string_string_int.(string, string, string, int) string
    split string_split_string.(string, string) list(string)
    split string_split_string_int.(string, string, int) list(string)
    substring string_substring_int.(string, int) string
    substring string_substring_int_int.(string, int, int) string
    trim string_trim.(string) string
    upperAscii string_upper_ascii.(string) string
    format string_format.(string, list(dyn)) string
    strings.quote strings_quote(string) string
    join list_join.(list(string)) string
    join list_join_string.(list(string), string) string`,
  implementations: {
    contains_string: onText((text, part) => text.includes(part as string)),
    ends_with_string: onText((text, part) => text.endsWith(part as string)),
    starts_with_string: onText((text, part) => text.startsWith(part as string)),
    string_char_at_int: charAt,
    string_index_of_string: indexOf,
    string_index_of_string_int: indexOf,
    string_last_index_of_string: lastIndexOf,
    string_last_index_of_string_int: lastIndexOf,
    string_lower_ascii: onText((text) => text.replace(ASCII_UPPER, (each) => each.toLowerCase())),
    string_replace_string_string: replace,
    string_replace_string_string_int: replace,
    string_split_string: split,
    string_split_string_int: split,
    string_substring_int: substring,
    string_substring_int_int: substring,
    string_trim: onText(trimSpace),
    string_upper_ascii: onText((text) => text.replace(ASCII_LOWER, (each) => each.toUpperCase())),
    string_format: (text, args) => formatText(text as string, args as CelList),
    strings_quote: quote,
    list_join: join,
    list_join_string: join,
  },
};
