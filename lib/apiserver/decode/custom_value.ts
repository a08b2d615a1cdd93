// Mirrors `util/intstr/intstr.go, IntOrString.UnmarshalJSON`, `apis/meta/v1/time.go,
// Time.UnmarshalJSON` and their siblings.
import { canonicalMicroTime, canonicalTime } from "@xca/apimachinery/internal/values";
import { BuiltinType, structType } from "../types/builtin_type.ts";
import { canonicalQuantity } from "./quantity.ts";
import { plainJson, RawNumber, RawObject } from "./raw_json.ts";
import { TypeMismatch } from "./type_mismatch.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const EXTENSIONS = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.";
const SCHEMA = `${EXTENSIONS}JSONSchemaProps`;
const SCHEMA_OR_BOOL = `${SCHEMA}OrBool`;
const SCHEMA_OR_LIST = `${SCHEMA}OrArray`;
const SCHEMA_OR_STRINGS = `${SCHEMA}OrStringArray`;
const TIME = `${META}Time`;
const MICRO_TIME = `${META}MicroTime`;

const SCHEMA_LIST = new BuiltinType(`[]#${SCHEMA}`, "");
const STRING_LIST = new BuiltinType("[]string", "");

/**
 * A function that decodes the content of a self-decoding value (Go's `UnmarshalJSON`) as a value of
 * an ordinary built-in type.
 */
export type DecodeInner = (type: BuiltinType, raw: unknown) => unknown;

/**
 * Decodes a value of a self-decoding type (Go's `UnmarshalJSON`), such as a time. Returns
 * `undefined` for the zero time, for `null`, and for a scalar in place of a schema or list; but 0
 * for a `null` IntOrString. A `null` JSONSchemaPropsOrBool is invalid. Quantities are rounded up
 * (away from zero) to `10 ** finest`, by default to billionths.
 *
 * @throws {Error} If the value is invalid; this ends the decoding of the whole object.
 */
export function decodeCustom(
  type: BuiltinType,
  raw: unknown,
  inner: DecodeInner,
  finest?: number,
): unknown {
  switch (type.id) {
    case TIME:
      return raw === null ? undefined : canonicalTime(textOf(raw)) ?? undefined;
    case MICRO_TIME:
      return raw === null ? undefined : canonicalMicroTime(textOf(raw)) ?? undefined;
    case "io.k8s.apimachinery.pkg.api.resource.Quantity":
      return raw === null ? undefined : canonicalQuantity(jsonTextOf(raw).trim(), finest);
    case "io.k8s.apimachinery.pkg.util.intstr.IntOrString":
      return intOrString(raw);
    case SCHEMA_OR_BOOL:
      if (typeof raw === "boolean") return raw;
      if (isObject(raw)) return inner(structType(SCHEMA)!, raw) ?? {};
      throw new Error("boolean or JSON schema expected");
    case SCHEMA_OR_LIST:
      if (isObject(raw)) return inner(structType(SCHEMA)!, raw) ?? {};
      return Array.isArray(raw) ? inner(SCHEMA_LIST, raw) : undefined;
    case SCHEMA_OR_STRINGS:
      if (isObject(raw)) return inner(structType(SCHEMA)!, raw) ?? {};
      return Array.isArray(raw) ? inner(STRING_LIST, raw) : undefined;
    default:
      return raw === null ? undefined : plainJson(raw);
  }
}

/** Returns the zero value of a Go type with a custom `MarshalJSON`, as a JSON value. */
export function zeroOfCustom(type: BuiltinType): unknown {
  switch (type.id) {
    case "io.k8s.apimachinery.pkg.api.resource.Quantity":
      return "0";
    case "io.k8s.apimachinery.pkg.util.intstr.IntOrString":
      return 0;
    case SCHEMA_OR_BOOL:
      return false;
    default:
      return null;
  }
}

/**
 * Returns the ordinary type of the content of a self-decoding value (Go's `UnmarshalJSON`), such as
 * the schema in a `JSONSchemaPropsOrBool`; `undefined` if the content has no such type.
 */
export function innerTypeOf(type: BuiltinType, value: unknown): BuiltinType | undefined {
  if (!type.id.startsWith(SCHEMA)) return undefined;
  if (!Array.isArray(value)) return isObject(value) ? structType(SCHEMA) : undefined;
  return type.id === SCHEMA_OR_STRINGS ? STRING_LIST : SCHEMA_LIST;
}

function intOrString(raw: unknown): string | number {
  if (typeof raw === "string") return raw;
  if (raw === null) return 0;
  return int32Of(raw);
}

function int32Of(raw: unknown): number {
  const text = raw instanceof RawNumber ? raw.text : typeof raw === "number" ? String(raw) : "";
  if (text === "") throw new TypeMismatch(jsonWord(raw), "int32");
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value !== (value | 0)) {
    throw new TypeMismatch(`number ${text}`, "int32");
  }
  return value | 0;
}

function textOf(raw: unknown): string {
  if (typeof raw === "string") return raw;
  throw new TypeMismatch(jsonWord(raw), "string");
}

/** Returns the JSON text of a value; for a string, without quotes. */
function jsonTextOf(raw: unknown): string {
  if (typeof raw === "string") return raw;
  return raw instanceof RawNumber ? raw.text : JSON.stringify(plainJson(raw));
}

/** Reports whether a value of a raw tree is a JSON object. */
export function isObject(raw: unknown): raw is object {
  return raw !== null && typeof raw === "object" && !Array.isArray(raw) &&
    !(raw instanceof RawNumber);
}

/** Returns the name of a JSON value's kind, such as `string`, as Go's error messages show it. */
export function jsonWord(raw: unknown): string {
  if (raw === null) return "null";
  if (Array.isArray(raw)) return "array";
  if (raw instanceof RawNumber) return "number";
  if (raw instanceof RawObject) return "object";
  return typeof raw === "boolean" ? "bool" : typeof raw;
}
