/**
 * Decodes patches in JSON, and reports the problems that strict decoding finds in the patches.
 *
 * Mirrors `sigs.k8s.io/json/json.go, UnmarshalStrict`.
 *
 * @module
 */
import { countMembers, membersOf } from "../../decode/quick_scan.ts";
import { JsonSyntaxError, parseRawJson, plainJson, RawObject } from "../../decode/raw_json.ts";
import { TypeMismatch } from "../../decode/type_mismatch.ts";
import { goQuote } from "@xca/apimachinery/internal/values";

/**
 * The result of {@linkcode readStrictJson}: a decoded JSON patch, merge patch or strategic merge
 * patch, and the errors of strict decoding.
 */
export interface StrictJson {
  readonly value: unknown;
  /**
   * The errors of strict decoding, such as `duplicate field "spec.replicas"`, in the order of the
   * text.
   */
  readonly complaints: readonly string[];
}

const decoder = new TextDecoder();

/**
 * Decodes the JSON of a patch. The last of duplicate fields counts.
 *
 * @param unknownField Reports whether a field of the object at a path is unknown; if absent, no
 * field is.
 * @throws {JsonSyntaxError} If the text is not JSON; with Go's message.
 */
export function readStrictJson(
  bytes: Uint8Array,
  unknownField?: (path: string, name: string) => boolean,
): StrictJson {
  if (unknownField === undefined) {
    const quick = readQuickly(bytes);
    if (quick !== undefined) return { value: quick.value, complaints: [] };
  }
  const raw = parseRawJson(decoder.decode(bytes));
  const complaints: string[] = [];
  complain(raw, "", complaints, unknownField ?? (() => false));
  return { value: plainValue(raw), complaints };
}

/** Converts decoded raw JSON to plain JSON. @throws {JsonSyntaxError} For a number out of range. */
function plainValue(raw: unknown): unknown {
  try {
    return plainJson(raw);
  } catch (error) {
    throw error instanceof TypeMismatch ? new JsonSyntaxError(error.message) : error;
  }
}

/**
 * Decodes a patch with `JSON.parse`; returns `undefined` if the text is not JSON, or duplicate
 * fields would be lost.
 */
function readQuickly(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    const value = JSON.parse(decoder.decode(bytes));
    const members = countMembers(bytes);
    return members >= 0 && members === membersOf(value) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

function complain(
  value: unknown,
  path: string,
  complaints: string[],
  unknownField: (path: string, name: string) => boolean,
): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => complain(item, `${path}[${index}]`, complaints, unknownField));
  }
  if (!(value instanceof RawObject)) return;
  const seen = new Set<string>();
  for (const [name, inner] of value.members) {
    const field = path === "" ? name : `${path}.${name}`;
    if (unknownField(path, name)) {
      if (!seen.has(name)) complaints.push(`unknown field ${goQuote(field)}`);
      seen.add(name);
      continue;
    }
    if (seen.has(name)) complaints.push(`duplicate field ${goQuote(field)}`);
    seen.add(name);
    complain(inner, field, complaints, unknownField);
  }
}

/**
 * Returns the name of a JSON value's kind in Go's error messages: `null`, `array`, `bool`,
 * `number`, `string` or `object`.
 */
export function jsonKind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

export { JsonSyntaxError };
