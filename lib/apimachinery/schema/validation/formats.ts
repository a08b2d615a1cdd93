// Mirrors `apiserver/validation/formats.go, GetUnrecognizedFormats`.
import type { SchemaCode } from "../schema_code.ts";
import { parseCidr, parseIp } from "../../validation/ip_address.ts";
import { parseLongDuration } from "../../validation/long_duration.ts";

const HOSTNAME =
  "^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}]" +
  "(([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$";
const CREDIT_CARD = new RegExp(
  "^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|" +
    "3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\\d{3})\\d{11})$",
);
const COLOR_PART = "\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*";
const RGB_COLOR = new RegExp(`^rgb\\(${COLOR_PART},${COLOR_PART},${COLOR_PART}\\)$`);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const SHORT_NAME = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const IS_SHORT_NAME = new RegExp(`^${SHORT_NAME}$`);
const IS_LONG_NAME = new RegExp(`^${SHORT_NAME}(\\.${SHORT_NAME})*$`);
const TIME = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|([+-]\d{2}:\d{2}))$/;

function uuid(third: string, fourth: string): (text: string) => boolean {
  const pattern = new RegExp(
    `^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`,
    "i",
  );
  return (text) => pattern.test(text);
}

/** A record of the functions that check the text formats of schemas, by name without dashes. */
const FORMATS: Readonly<Record<string, (text: string, code: SchemaCode) => boolean>> = {
  bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/.test(text),
  uri: isRequestUri,
  email: (text) => EMAIL.test(text),
  hostname: isHostname,
  ipv4: (text) => text.includes(".") && parseIp(text) !== undefined,
  ipv6: (text) => text.includes(":") && parseIp(text) !== undefined,
  cidr: (text) => parseCidr(text) !== undefined,
  mac: isMac,
  uuid: uuid("[0-9a-f]{4}", "[0-9a-f]{4}"),
  uuid3: uuid("3[0-9a-f]{3}", "[0-9a-f]{4}"),
  uuid4: uuid("4[0-9a-f]{3}", "[89ab][0-9a-f]{3}"),
  uuid5: uuid("5[0-9a-f]{3}", "[89ab][0-9a-f]{3}"),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  rgbcolor: (text) => RGB_COLOR.test(text),
  byte: (text) => BASE64.test(text),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && IS_SHORT_NAME.test(text),
  k8slongname: (text) => text.length <= 253 && IS_LONG_NAME.test(text),
};

const NUMBER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  integer: ["int32", "int64"],
  number: ["float", "double"],
};

/**
 * Reports whether a schema of these types may have a format: a text format if it has the type
 * `string`, or not exactly one type; or a number format of its type. Other formats are ignored with
 * a warning.
 */
export function supportedFormat(format: string, types: readonly string[]): boolean {
  if (format === "") return true;
  const type = types.length === 1 ? types[0]! : "";
  if (type === "" || type === "string") return Object.hasOwn(FORMATS, format.replaceAll("-", ""));
  return NUMBER_FORMATS[type]?.includes(format) ?? false;
}

/**
 * Reports whether a text has the format that a schema demands; `undefined` for a format of numbers
 * or an unknown format.
 */
export function hasFormat(code: SchemaCode, format: string, text: string): boolean | undefined {
  const name = format.replaceAll("-", "");
  return Object.hasOwn(FORMATS, name) ? FORMATS[name]!(text, code) : undefined;
}

function isHostname(text: string, { goRegExp }: SchemaCode): boolean {
  const bytes = (part: string): number => new TextEncoder().encode(part).length;
  return goRegExp(HOSTNAME).test(text) && bytes(text) <= 255 &&
    text.split(".").every((label) => bytes(label) <= 63);
}

/** Reports whether a text is an absolute URI, an absolute path or `*`. */
function isRequestUri(text: string): boolean {
  // deno-lint-ignore no-control-regex -- control characters are refused.
  if (text === "" || /[\x00-\x1f\x7f]/.test(text)) return false;
  if (text === "*") return true;
  if (text.startsWith(":")) return false;
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(text)?.[0] ?? "";
  const rest = text.slice(scheme.length).replace(/\?.*$/s, "");
  if (!rest.startsWith("/")) return scheme !== "";
  if (!rest.startsWith("//") || (scheme === "" && rest.startsWith("///"))) return isEscaped(rest);
  const [, authority, path] = /^\/\/([^/]*)(.*)$/s.exec(rest)!;
  return isAuthority(authority!) && isEscaped(path!);
}

function isEscaped(path: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(path);
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf("@");
  const user = authority.slice(0, Math.max(at, 0));
  const host = authority.slice(at + 1);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return false;
  if (host.startsWith("[")) return /^\[[^\]]+\](:\d*)?$/.test(host);
  const colon = host.indexOf(":");
  if (colon >= 0 && !/^:\d*$/.test(host.slice(colon))) return false;
  return !/[\s"<>\\^`{|}]/.test(host) && isEscaped(host);
}

const ATOM = "\\w!#$%&'*+\\-/=?^`{|}~\\u{80}-\\u{10FFFF}";
const ATOMS = `[${ATOM}]+(?:\\.[${ATOM}]+)*`;
const QUOTED = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const ADDRESS = `[ \\t]*(?:${ATOMS}|(?!"")${QUOTED})@[ \\t]*(?:${ATOMS}|\\[[^\\[\\]\\\\]*\\])`;
// Each character of a display name matches in one way only, so that a search takes linear time.
const EMAIL = new RegExp(
  `^(?:(?:[${ATOM}. \\t]|${QUOTED})*<${ADDRESS}>|${ADDRESS})[ \\t]*$`,
  "u",
);

function isMac(text: string): boolean {
  const groups = /^[0-9a-fA-F]{2}([:-])/.test(text)
    ? text.split(text[2]!)
    : text.split(".").flatMap((group) =>
      /^.{4}$/.test(group) ? [group.slice(0, 2), group.slice(2)] : [""]
    );
  return [6, 8, 20].includes(groups.length) &&
    groups.every((each) => /^[0-9a-fA-F]{2}$/.test(each));
}

function digits(text: string): string {
  return text.replace(/[\s-]+/g, "");
}

function isIsbn10(text: string): boolean {
  const isbn = digits(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(isbn)) return false;
  let sum = 0;
  for (let index = 0; index < 9; index++) sum += (index + 1) * Number(isbn[index]);
  return (sum + 10 * (isbn[9] === "X" ? 10 : Number(isbn[9]))) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const isbn = digits(text);
  if (!/^[0-9]{13}$/.test(isbn)) return false;
  let sum = 0;
  for (let index = 0; index < 12; index++) sum += (index % 2 === 0 ? 1 : 3) * Number(isbn[index]);
  return Number(isbn[12]) === (10 - sum % 10) % 10;
}

function isCreditCard(text: string): boolean {
  const number = text.replace(/[^0-9]+/g, "");
  if (!CREDIT_CARD.test(number)) return false;
  let sum = 0;
  for (const [index, digit] of [...number].reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += doubled >= 10 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return month >= 1 && month <= 12 && day >= 1 && date.getUTCDate() === day;
}

function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split("t");
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const match = TIME.exec(time);
  return match !== null && match[1]! <= "23" && match[2]! <= "59" && match[3]! <= "59";
}

function isDuration(text: string): boolean {
  return /^[+-]?(0|((\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text) ||
    parseLongDuration(text) !== undefined;
}
