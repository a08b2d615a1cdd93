// Mirrors `go.yaml.in/yaml/v2/resolve.go, resolve`.
import { YamlError } from "./cursor.ts";
import type { ScalarNode } from "./node.ts";

/** The value of a YAML scalar. Integers beyond the exact range of a number are bigints. */
export type YamlScalar = string | number | bigint | boolean | null;

const TAG_PREFIX = "tag:yaml.org,2002:";
const TRUE = new Set(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"]);
const FALSE = new Set(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"]);
const NULL = new Set(["", "~", "null", "Null", "NULL"]);
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const INTEGER = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
/**
 * A pattern of binary integers in YAML with a sign after the prefix `0b`, which Go's parser
 * accepts.
 */
const SIGNED_BINARY = /^0b([-+])([01]+)$/;
/** The length of the longest YAML word for null or a boolean. */
const LONGEST_WORD = 5;
const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt]| (?!.*[Zz+-]))(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(Z|[-+]\d\d:\d\d)?)?$/;

/**
 * Returns the value of a YAML scalar by the rules of YAML 1.1, as `resolve` of go.yaml.in/yaml/v2
 * does.
 *
 * @throws {YamlError} If the scalar is not of the type that its tag names.
 */
export function resolveScalar({ value, tag, implicit }: ScalarNode): YamlScalar {
  if (tag === "") return implicit ? resolveImplicit(value) : value;
  if (!tag.startsWith(TAG_PREFIX)) return value;
  const type = tag.slice(TAG_PREFIX.length);
  switch (type) {
    case "binary":
      return binary(value);
    case "timestamp":
      if (isTimestamp(value)) return value;
      return tagged(value, type);
    case "int":
    case "float":
    case "bool":
    case "null":
      return tagged(value, type);
    default:
      return value;
  }
}

/**
 * Reports whether a plain YAML scalar without a tag is a text: no number, time, boolean or null.
 */
export function isReadAsText(text: string): boolean {
  return typeof resolveImplicit(text) === "string" && !isTimestamp(text);
}

/**
 * Reports whether the text of a YAML scalar is an integer of at most 64 bits. The tag is not
 * considered, so that only untagged or integer-tagged scalars may be passed.
 */
export function isInteger({ value }: ScalarNode): boolean {
  const plain = value.replaceAll("_", "");
  return integerOf(plain) !== undefined;
}

/**
 * Returns the value of a YAML scalar's text as the type that its tag names.
 *
 * @throws {YamlError} If the text is not of this type.
 */
function tagged(text: string, type: string): YamlScalar {
  const value = resolveImplicit(text);
  const found = typeOf(value, text);
  // kube-apiserver holds an integer beyond 63 bits as another type, which is not a float.
  if (found === type || (found === "int" && type === "float" && Number(value) < 2 ** 63)) {
    return value;
  }
  throw new YamlError(`yaml: cannot decode !!${found} \`${text}\` as a !!${type}`);
}

function typeOf(value: YamlScalar, text: string): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "str";
  return integerOf(text.replaceAll("_", "")) === undefined ? "float" : "int";
}

/** Reports whether a character is a digit, a sign or a dot, with which a YAML number may begin. */
function mayBeNumber(first: number): boolean {
  return (first >= 0x30 && first <= 0x39) || first === 0x2d || first === 0x2e || first === 0x2b;
}

function resolveImplicit(text: string): YamlScalar {
  if (text.length <= LONGEST_WORD) {
    if (NULL.has(text)) return null;
    if (TRUE.has(text)) return true;
    if (FALSE.has(text)) return false;
  }
  if (!mayBeNumber(text.charCodeAt(0))) return text;
  if (/^[-+]?\.(inf|Inf|INF)$/.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (/^\.(nan|NaN|NAN)$/.test(text)) return NaN;
  // A number with a leading dot is a float in Go's syntax, which allows underscores between digits.
  const underscores = text.startsWith(".") ? /(?<=[0-9])_(?=[0-9])/g : "_";
  const number = text.replaceAll(underscores, "");
  const whole = integerOf(number);
  if (whole !== undefined) return whole;
  // A number that is too large for any type is text.
  return FLOAT.test(number) && Number.isFinite(Number(number)) ? Number(number) : text;
}

/**
 * Returns the integer of a YAML scalar's text; `undefined` for another text, or one beyond 64 bits.
 */
function integerOf(text: string): number | bigint | undefined {
  const [, sign, digits] = INTEGER.exec(text) ?? SIGNED_BINARY.exec(text) ?? [];
  if (digits === undefined) return undefined;
  if (digits.length > LONGEST_INTEGER && isBeyond64Bits(digits)) return undefined;
  if (digits.length <= 15 && /^[1-9]/.test(digits) && !text.startsWith("0b")) {
    return sign === "-" ? -Number(digits) : Number(digits);
  }
  const octal = /^0[oO]?([0-7]+)$/.exec(digits);
  const isBinary = text.startsWith("0b") && !digits.startsWith("0b");
  const magnitude = BigInt(octal ? `0o${octal[1]}` : isBinary ? `0b${digits}` : digits);
  // Beyond 63 bits only unsigned integers exist.
  if (magnitude > limitOf(sign!)) return undefined;
  const value = sign === "-" ? -magnitude : magnitude;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** A number of digits that no integer of 64 bits exceeds, in any base and with its prefix. */
const LONGEST_INTEGER = 80;

/**
 * Reports whether the digits of an integer are too many for 64 bits, even without prefix and
 * leading zeros.
 */
function isBeyond64Bits(digits: string): boolean {
  return digits.replace(/^0[xXoObB]?0*/, "").length > LONGEST_INTEGER;
}

function limitOf(sign: string): bigint {
  if (sign === "-") return 2n ** 63n;
  return sign === "+" ? 2n ** 63n - 1n : 2n ** 64n - 1n;
}

function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (!match) return false;
  const [year, month, day, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  // The formats with a T require a zone, the one with a space has none.
  if (match[4] !== undefined && /[Tt]/.test(text) !== (match[7] !== undefined)) return false;
  const date = new Date(Date.UTC(year!, month! - 1, day!));
  return month! >= 1 && day! >= 1 && date.getUTCMonth() === month! - 1 &&
    (hour || 0) < 24 && (minute || 0) < 60 && (second || 0) < 60;
}

function binary(text: string): string {
  const base64 = text.replace(/[\r\n]/g, "");
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new YamlError("yaml: !!binary value contains invalid base64 data");
  }
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
