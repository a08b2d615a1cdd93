// Mirrors `ext/formatting_v2.go, formatStringV2`.
import { goQuote } from "../../values/go_text.ts";
import { formatDouble } from "../values/go_numbers.ts";
import {
  CelBytes,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  CelTypeValue,
  type CelValue,
  typeOf,
  Uint,
} from "../values/value.ts";
import { toText } from "./conversions.ts";
import { compareTexts } from "../../values/go_order.ts";

/**
 * An error about a call of CEL's `format`: a malformed format string, a missing argument, or an
 * argument that a `%` clause does not accept.
 */
export class FormatError extends Error {
  override readonly name = "FormatError";
}

/** A `%` clause in a format string of CEL's `format`. */
export interface Clause {
  readonly verb: "s" | "d" | "f" | "e" | "b" | "x" | "X" | "o";
  readonly precision: number | undefined;
}

const DEFAULT_PRECISION = 6;

/**
 * The error messages for an argument that a `%` clause of CEL's `format` does not accept, by the
 * verb of the clause. The name of the argument's type is appended to the message.
 */
export const CLAUSE_REFUSALS: Readonly<Record<string, string>> = {
  s: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, " +
    "durations, and timestamps, was given ",
  d: "decimal clause can only be used on integers, was given ",
  f: "fixed-point clause can only be used on doubles, was given ",
  e: "scientific clause can only be used on doubles, was given ",
  b: "only integers and bools can be formatted as binary, was given ",
  x: "only integers, byte buffers, and strings can be formatted as hex, was given ",
  X: "only integers, byte buffers, and strings can be formatted as hex, was given ",
  o: "octal clause can only be used on integers, was given ",
};

/**
 * Returns the text that CEL's `format` creates from a format string and `size` arguments. Calls
 * `clause` for the text of each `%` clause, with the zero-based index of its argument.
 *
 * @throws {FormatError} If the format string is malformed, has more clauses than arguments, or
 *   `clause` throws such an error.
 */
export function readFormat(
  format: string,
  size: number,
  clause: (clause: Clause, index: number) => string,
): string {
  let result = "";
  let argument = 0;
  for (let at = 0; at < format.length; at++) {
    if (format[at] !== "%") {
      result += format[at];
      continue;
    }
    if (format[at + 1] === "%") {
      result += "%";
      at++;
      continue;
    }
    if (argument >= size) throw new FormatError(`index ${argument} out of range`);
    if (at + 1 >= format.length) throw new FormatError("unexpected end of string");
    const { parsed, length } = parseClause(format.slice(at + 1));
    at += length;
    result += clauseText(clause, parsed, argument++);
  }
  return result;
}

function clauseText(
  clause: (clause: Clause, index: number) => string,
  parsed: Clause,
  index: number,
): string {
  try {
    return clause(parsed, index);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new FormatError(`error during formatting: ${error.message}`, { cause: error });
  }
}

function parseClause(text: string): { readonly parsed: Clause; readonly length: number } {
  const fail = (why: string): FormatError =>
    new FormatError(`could not parse formatting clause: ${why}`);
  const digits = /^\.(\d*)/.exec(text);
  if (digits && digits[0].length === text.length) {
    throw fail("error while parsing precision: could not find end of precision specifier");
  }
  if (digits?.[1] === "") {
    throw fail(
      "error while parsing precision: error while converting precision to integer: " +
        'strconv.Atoi: parsing "": invalid syntax',
    );
  }
  const start = digits?.[0].length ?? 0;
  const verb = text[start]!;
  if (CLAUSE_REFUSALS[verb] === undefined) {
    throw fail(`unrecognized formatting clause "${verb}"`);
  }
  const precision = digits ? Number(digits[1]) : undefined;
  return { parsed: { verb: verb as Clause["verb"], precision }, length: start + 1 };
}

/**
 * Implements CEL's `format.format(args)`; the result is a `CelError` for a malformed format or an
 * argument of a wrong type.
 */
export function formatText(format: string, args: CelList): CelValue {
  try {
    return readFormat(format, args.size, (clause, index) => formatClause(clause, args.get(index)));
  } catch (error) {
    if (error instanceof FormatError) return new CelError(error.message);
    throw error;
  }
}

function refuse({ verb }: Clause, value: CelValue): never {
  throw new FormatError(CLAUSE_REFUSALS[verb]! + typeOf(value).name);
}

function formatClause(clause: Clause, value: CelValue): string {
  switch (clause.verb) {
    case "s":
      return plain(value);
    case "d":
      return isInteger(value) ? String(integer(value)) : refuse(clause, value);
    case "f":
    case "e":
      return floating(clause, value);
    case "b":
      if (typeof value === "boolean") return value ? "1" : "0";
      return isInteger(value) ? integer(value).toString(2) : refuse(clause, value);
    case "o":
      return isInteger(value) ? integer(value).toString(8) : refuse(clause, value);
    default:
      return hexadecimal(clause, value);
  }
}

function isInteger(value: CelValue): value is bigint | Uint {
  return typeof value === "bigint" || value instanceof Uint;
}

function integer(value: bigint | Uint): bigint {
  return value instanceof Uint ? value.value : value;
}

const SPECIAL: Readonly<Record<string, string>> = {
  NaN: "NaN",
  Infinity: "∞",
  "-Infinity": "-∞",
};

function floating(clause: Clause, value: CelValue): string {
  if (typeof value === "string" && Object.hasOwn(SPECIAL, value)) return SPECIAL[value]!;
  if (typeof value !== "number") return refuse(clause, value);
  if (!Number.isFinite(value)) return SPECIAL[String(value)]!;
  const precision = clause.precision ?? DEFAULT_PRECISION;
  if (clause.verb === "f") {
    return value.toLocaleString("en-US", {
      minimumFractionDigits: Math.min(precision, 100),
      maximumFractionDigits: Math.min(precision, 100),
      roundingMode: "halfEven",
    });
  }
  const [mantissa, exponent] = value.toExponential(Math.min(precision, 100)).split("e") as [
    string,
    string,
  ];
  const digits = exponent.slice(1).padStart(2, "0");
  const raised = [...digits].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `${mantissa}×10${exponent.startsWith("-") ? "⁻" : ""}${raised}`;
}

function hexadecimal(clause: Clause, value: CelValue): string {
  const cased = (text: string): string => clause.verb === "X" ? text.toUpperCase() : text;
  if (isInteger(value)) return cased(integer(value).toString(16));
  const bytes = typeof value === "string"
    ? new TextEncoder().encode(value)
    : value instanceof CelBytes
    ? value.bytes
    : refuse(clause, value);
  return cased([...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
}

/**
 * Formats a CEL value as the clause `%s` does.
 *
 * @throws {FormatError} If the value has no text form: by its type, or as bytes that are not UTF-8.
 */
function plain(value: CelValue): string {
  if (value === null) return "null";
  if (value instanceof CelList) return `[${[...value].map(nested).join(", ")}]`;
  if (value instanceof CelMap) return formatMap(value);
  const text = toText(value);
  if (typeof text !== "string") throw new FormatError(CLAUSE_REFUSALS["s"]! + typeOf(value).name);
  return text;
}

/**
 * Formats a CEL value within a list or a map for `%s`, in the syntax of CEL expressions.
 *
 * @throws {FormatError} If the type of the value has no text form.
 */
function nested(value: CelValue): string {
  if (typeof value === "string") return goQuote(value);
  if (value instanceof CelBytes) return `b${goQuote(plain(value))}`;
  if (value instanceof CelTimestamp) return `timestamp(${goQuote(plain(value))})`;
  if (value instanceof CelDuration) return `duration(${goQuote(plain(value))})`;
  if (typeof value === "number") {
    return Number.isFinite(value) ? value.toFixed(DEFAULT_PRECISION) : `"${formatDouble(value)}"`;
  }
  if (
    value === null || typeof value === "boolean" || isInteger(value) || value instanceof CelList ||
    value instanceof CelMap || value instanceof CelTypeValue
  ) return plain(value);
  throw new FormatError(`no formatting function for ${typeOf(value).name}`);
}

function formatMap(map: CelMap): string {
  const pairs: [string, string][] = [];
  for (const key of map.keys()) {
    if (typeof key !== "string" && typeof key !== "boolean" && !isInteger(key)) {
      throw new FormatError(`no formatting function for map key of type ${typeOf(key).name}`);
    }
    pairs.push([nested(key), nested(map.find(key)!)]);
  }
  pairs.sort(([a], [b]) => compareTexts(a, b));
  return `{${pairs.map(([key, value]) => `${key}:${value}`).join(", ")}}`;
}
