// Mirrors `storage/continue.go, DecodeContinue`.
import { JsonSyntaxError, parseRawJson, RawNumber, RawObject } from "../../decode/raw_json.ts";
import { TypeMismatch } from "../../decode/type_mismatch.ts";
import { badRequest } from "@xca/apimachinery/internal/errors";
import { goQuote } from "@xca/apimachinery/internal/values";

/**
 * The content of a `continue` token: the revision of a list and the key at which its next page
 * begins.
 */
export interface PageToken {
  /** The revision of the storage that the list shows; negative for the newest. */
  readonly revision: number;
  /** The first key of the list's next page, without the prefix that all keys of the list share. */
  readonly start: string;
}

const VERSION = "meta.k8s.io/v1";

/**
 * Encodes the `continue` token of a list as kube-apiserver does (`storage/continue.go`,
 * `EncodeContinue`).
 */
export function encodePageToken({ revision, start }: PageToken): string {
  const text = JSON.stringify({ v: VERSION, rv: revision, start });
  return new TextEncoder().encode(text).toBase64({ alphabet: "base64url", omitPadding: true });
}

/**
 * Decodes the `continue` token of a list.
 *
 * @throws {StatusError} 400 with kube-apiserver's message for an invalid token.
 */
export function decodePageToken(token: string): PageToken {
  const { v, rv, start } = parse(decodeBase64(token));
  if (v !== VERSION) {
    throw invalidToken(`: server does not recognize this encoded version ${v}`);
  }
  if (rv === 0) {
    throw invalidToken(`: incorrect encoded start resourceVersion (version ${VERSION})`);
  }
  if (start === "") throw invalidToken(`: encoded start key empty (version ${VERSION})`);
  const key = start.startsWith("/") ? start.slice(1) : start;
  const parts = key === "" ? [] : key.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    throw invalidToken(`: ${start}`);
  }
  return { revision: rv, start: key };
}

interface Fields {
  v: string;
  rv: number;
  start: string;
}

function parse(bytes: Uint8Array): Fields {
  // Go reports a byte that begins no UTF-8 character as the character of that number.
  if (bytes[0]! >= 0x80) {
    const first = goQuote(String.fromCharCode(bytes[0]!)).slice(1, -1);
    throw invalidToken(`: invalid character '${first}' looking for beginning of value`);
  }
  try {
    return fieldsOf(parseRawJson(new TextDecoder().decode(bytes)));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof TypeMismatch)) throw error;
    throw invalidToken(`: ${error.message}`);
  }
}

/**
 * Returns the fields of a decoded `continue` token. Names match in any case, as in Go; absent
 * fields are empty or 0.
 *
 * @throws {TypeMismatch} If the token is not an object; or about the first field of another type.
 */
function fieldsOf(tree: unknown): Fields {
  const fields: Fields = { v: "", rv: 0, start: "" };
  if (tree === null) return fields;
  if (!(tree instanceof RawObject)) throw new TypeMismatch(wordOf(tree), "storage.continueToken");
  let wrong: TypeMismatch | undefined;
  for (const [key, value] of tree.members) {
    const name = key.toLowerCase() as keyof Fields;
    if (value === null || !Object.hasOwn(fields, name)) continue;
    const read = name === "rv" ? int64Of(value) : value;
    if (typeof read === typeof fields[name]) fields[name] = read as never;
    else wrong ??= mismatch(value, name);
  }
  if (wrong) throw wrong;
  return fields;
}

function int64Of(value: unknown): number | undefined {
  if (!(value instanceof RawNumber) || !/^-?[0-9]+$/.test(value.text)) return undefined;
  const number = BigInt(value.text);
  return BigInt.asIntN(64, number) === number ? Number(number) : undefined;
}

function mismatch(value: unknown, name: keyof Fields): TypeMismatch {
  const isNumber = name === "rv" && value instanceof RawNumber;
  const word = isNumber ? `number ${value.text}` : wordOf(value);
  return new TypeMismatch(word, name === "rv" ? "int64" : "string", "continueToken", name);
}

function wordOf(value: unknown): string {
  if (value instanceof RawNumber) return "number";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value;
}

function decodeBase64(token: string): Uint8Array {
  const wrong = /[^A-Za-z0-9_\-\r\n]/.exec(token);
  const digits = token.replace(/[\r\n]/g, "");
  const at = wrong?.index ?? (digits.length % 4 === 1 ? token.length - 1 : -1);
  if (at >= 0) throw invalidToken(`: illegal base64 data at input byte ${at}`);
  return Uint8Array.fromBase64(digits, { alphabet: "base64url" });
}

function invalidToken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}
