// Mirrors `runtime/serializer/json/json.go, Serializer.Decode` and
// `runtime/serializer/json/meta.go, SimpleMetaFactory.Interpret`.
import { isStackOverflow, unsupportedMediaType } from "@xca/apimachinery/internal/errors";
import { runAll } from "@xca/apimachinery/internal/base";
import { goQuote } from "@xca/apimachinery/internal/values";
import { isObject } from "./custom_value.ts";
import { countMembers, membersOf } from "./quick_scan.ts";
import { decodeProtobuf, isProtobuf } from "./protobuf/decode_protobuf.ts";
import { MAX_DEPTH, parseRawJson, RawObject } from "./raw_json.ts";
import { TypeMismatch } from "./type_mismatch.ts";
import { parseYamlInSteps } from "./yaml.ts";

/** The media types of request bodies that the server can decode. */
const BODY_TYPES: readonly string[] = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
];

/** A decoder that keeps a byte order mark, which JSON does not allow. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The name of a request body's format. */
type BodyType = "json" | "yaml" | "protobuf";

/** A parsed request body. */
export interface ParsedBody {
  /**
   * The value of the request body: plain JSON, or a raw tree if plain JSON would lose information;
   * see {@linkcode parseRawJson}.
   */
  readonly tree: unknown;
  /** The messages about repeated keys of a YAML request body; empty for other formats. */
  readonly duplicates: readonly string[];
}

/**
 * Returns the format of a request body that a `Content-Type` header names; JSON for an empty
 * header.
 *
 * @throws {StatusError} 415 for a media type that is not among {@linkcode BODY_TYPES}.
 */
export function bodyTypeOf(contentType: string): BodyType {
  const type = contentType.split(";", 1)[0]!.trim().toLowerCase();
  if (type === "" || type === BODY_TYPES[0]) return "json";
  if (type === BODY_TYPES[1]) return "yaml";
  if (type === BODY_TYPES[2]) return "protobuf";
  throw unsupportedMediaType(BODY_TYPES);
}

/**
 * Parses the body of a request by its format.
 *
 * @throws {Error} If the body is malformed; the message is that of kube-apiserver.
 */
export function parseBody(bytes: Uint8Array, type: BodyType): ParsedBody {
  return runAll(parseBodyInSteps(bytes, type));
}

/**
 * Parses a request body as {@linkcode parseBody} does, in steps, between which other work may run.
 */
export function* parseBodyInSteps(
  bytes: Uint8Array,
  type: BodyType,
): Generator<void, ParsedBody> {
  if (type === "protobuf") {
    if (isProtobuf(bytes)) return { tree: decodeProtobuf(bytes), duplicates: [] };
    throw new Error(
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    );
  }
  if (type === "yaml") {
    const body = yield* parseYamlInSteps(bytes);
    const tooDeep = bytes.length > MAX_DEPTH ? firstBelow(body.tree, MAX_DEPTH) : undefined;
    if (tooDeep === undefined) return body;
    const sign = Array.isArray(tooDeep) ? "[" : "{";
    throw new Error(
      `couldn't get version/kind; json parse error: invalid character '${sign}' exceeded max depth`,
    );
  }
  return { tree: parseJsonText(decoder.decode(bytes), bytes), duplicates: [] };
}

/**
 * Returns the first list or object of a tree, by depth and then by order, that is nested in `most`
 * others, which kube-apiserver refuses after the conversion of YAML to JSON; `undefined` if there
 * is none.
 */
function firstBelow(tree: unknown, most: number): unknown {
  let level = [tree];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth === most + 1) return level[0];
    const next: unknown[] = [];
    for (const value of level) {
      const inner = value instanceof RawObject
        ? value.members.map(([, each]) => each)
        : isObject(value) || Array.isArray(value)
        ? Object.values(value as object)
        : [];
      for (const each of inner) if (typeof each === "object" && each !== null) next.push(each);
    }
    level = next;
  }
  return undefined;
}

function parseJsonText(text: string, bytes: Uint8Array): unknown {
  let tree: unknown;
  try {
    tree = JSON.parse(text);
  } catch {
    throw syntaxError(text);
  }
  const members = countMembers(bytes);
  return members >= 0 && members === membersOf(tree) ? tree : prefixed(() => parseRawJson(text));
}

function syntaxError(text: string): Error {
  return prefixed(() => {
    parseRawJson(text);
    return new Error("couldn't get version/kind; json parse error: invalid JSON");
  });
}

function prefixed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (isStackOverflow(error)) throw error;
    throw new Error(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

/**
 * The group, version and kind of a request body: as the body names them, or as the request expects
 * them.
 */
export interface BodyKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const KIND_STRUCT =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/**
 * Returns the group, version and kind that a request body names; empty texts for absent ones.
 * Unlike decoding, this ignores the case of the field names `apiVersion` and `kind`.
 *
 * @throws {Error} If one of these fields is not a string, `apiVersion` has several slashes, or the
 * body is not an object; the message is that of kube-apiserver.
 */
export function kindOf(tree: unknown): BodyKind {
  if (tree === null) return { group: "", version: "", kind: "" };
  if (!isObject(tree)) {
    throw parseError(new TypeMismatch(wordOf(tree), KIND_STRUCT));
  }
  const named = { apiVersion: "", kind: "" };
  let wrong: TypeMismatch | undefined;
  const members = tree instanceof RawObject ? tree.members : Object.entries(tree);
  for (const [key, value] of members) {
    const name = nameOf(key);
    if (name === undefined || value === null) continue;
    if (typeof value === "string") named[name] = value;
    else wrong ??= new TypeMismatch(wordOf(value), "string", "", name);
  }
  if (wrong) throw parseError(wrong);
  return { ...groupVersionOf(named.apiVersion), kind: named.kind };
}

function nameOf(key: string): "apiVersion" | "kind" | undefined {
  if (key.length !== 10 && key.length !== 4) return undefined;
  const lower = key.toLowerCase();
  return lower === "apiversion" ? "apiVersion" : lower === "kind" ? "kind" : undefined;
}

function wordOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (isObject(value)) return "object";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "number";
}

function parseError({ message }: TypeMismatch): Error {
  return new Error(`couldn't get version/kind; json parse error: ${message}`);
}

function groupVersionOf(apiVersion: string): { group: string; version: string } {
  const parts = apiVersion.split("/");
  if (parts.length > 2) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  return parts.length === 2
    ? { group: parts[0]!, version: parts[1]! }
    : { group: "", version: apiVersion };
}

/**
 * Returns the first 30 bytes of an unrecognized request body, as error messages show them: as text
 * if the body begins with `{`, else as hexadecimal digits, with ` ...` after them if the body is
 * longer; `<empty>` for an empty body.
 */
export function summaryOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return "<empty>";
  const head = bytes.subarray(0, 30);
  const more = bytes.length > head.length ? " ..." : "";
  if (bytes[0] === 0x7b) return new TextDecoder().decode(head) + more;
  return Array.from(head, (byte) => byte.toString(16).padStart(2, "0")).join("") + more;
}

/** Formats a group and version as `apps/v1` or `v1`; returns an empty text for an empty pair. */
export function groupVersionText({ group, version }: { group: string; version: string }): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Returns the error about a request body whose kind is unknown in its version. */
export function noKind({ group, version, kind }: BodyKind): Error {
  const where = goQuote(groupVersionText({ group, version }));
  return new Error(
    `no kind ${
      goQuote(kind)
    } is registered for version ${where} in scheme "pkg/runtime/scheme.go:111"`,
  );
}
