/**
 * From a patched tree to an object of its kind.
 *
 * @module
 */
import { complete } from "../decode/complete.ts";
import { decodeObject } from "../decode/decode_object.ts";
import { GoDecoder } from "../decode/go_decoder.ts";
import { FieldPath, invalid, invalidObject, StatusError } from "@xca/apimachinery/internal/errors";
import { type ApiObject, goJson, goQuote, sortFields } from "@xca/apimachinery/internal/values";
import { noteEmptyMaps } from "../machinery/empty_maps.ts";
import type { ApiResource } from "../machinery/resource.ts";
import { isCustomScale } from "../managed_fields/scale_handler.ts";
import { groupVersion } from "../managed_fields/versioned_types.ts";
import { BuiltinType } from "../types/builtin_type.ts";
import { mayHaveUnknownFields } from "./unknown_fields.ts";

/** An object of its kind, and what a strict reader complains of. */
export interface PatchedObject {
  readonly object: ApiObject;
  readonly complaints: readonly string[];
}

/** The type of a built-in kind; `undefined` for a custom one. */
export function builtinTypeOf(resource: ApiResource): BuiltinType | undefined {
  const schema = resource.schema();
  return schema instanceof BuiltinType ? schema : undefined;
}

/**
 * Decodes a patched tree, as the real server decodes the JSON that comes of a JSON patch.
 * @throws {Error} When it is not of the kind; the message is the real server's.
 */
export function decodePatched(tree: unknown, resource: ApiResource): PatchedObject {
  const type = builtinTypeOf(resource);
  if (type === undefined) return coercePatched(tree, resource);
  checkKind(tree, resource);
  const fields = tree as Record<string, unknown>;
  // Without a version nothing is decoded, and nothing is said: it is an internal object that is made.
  if (!fields.apiVersion && !isCustomScale(resource)) {
    return { object: { metadata: {} }, complaints: foreignFields(fields) };
  }
  const decoded = decodeTree(type, tree) ?? {};
  const complaints = mayHaveUnknownFields(type, tree) ? complaintsInOrder(type, tree) : [];
  const object = typedObject(type, decoded, resource);
  // The scale of a custom object stays as it came, with or without its version.
  if (!fields.apiVersion) delete object.apiVersion;
  return { object, complaints };
}

/** The fields that an internal object does not have, since it writes their names in another way. */
function foreignFields(fields: Record<string, unknown>): string[] {
  const names = Object.keys(fields).filter((name) => name !== "kind" && name !== "apiVersion");
  return names.sort().map((name) => `unknown field ${goQuote(name)}`);
}

/** Of several errors the first counts: that of the fields in order, as a patched object has them. */
function decodeTree(type: BuiltinType, tree: unknown): unknown {
  try {
    return new GoDecoder(false).decode(type, tree);
  } catch {
    return new GoDecoder(false).decode(type, sortFields(tree));
  }
}

/** A patched object has its fields in order in the real server, and so are the complaints of it. */
function complaintsInOrder(type: BuiltinType, tree: unknown): string[] {
  const decoder = new GoDecoder(true);
  decoder.decode(type, sortFields(tree));
  return [...decoder.strictErrors];
}

/** A decoded value with all that its type always has, and its kind and version. */
export function typedObject(type: BuiltinType, decoded: unknown, resource: ApiResource): ApiObject {
  const { kind: _1, apiVersion: _2, ...rest } = complete(type, decoded) as ApiObject;
  // An empty list is left out of an object, but here it asks to forget all managers.
  const reset = (decoded as Partial<ApiObject>).metadata?.managedFields?.length === 0;
  if (reset) rest.metadata.managedFields = [];
  const object = { kind: resource.kind, apiVersion: groupVersion(resource), ...rest };
  noteEmptyMaps(object, decoded);
  return object;
}

function coercePatched(tree: unknown, resource: ApiResource): PatchedObject {
  checkKind(tree, resource);
  // A refusal shows the document as the patch left it.
  const object = structuredClone(tree) as ApiObject;
  if (!object.kind) throw new Error(`Object 'Kind' is missing in '${goJson(sortFields(tree))}'`);
  object.metadata ??= {};
  const dropped = bare(() => resource.coerce?.(object) ?? []);
  return { object, complaints: dropped.map((path) => `unknown field ${goQuote(path)}`) };
}

/** Whatever is of another kind has the error that it has as a body. */
function checkKind(tree: unknown, resource: ApiResource): void {
  if (tree === null || typeof tree !== "object" || Array.isArray(tree)) {
    const what = Array.isArray(tree) ? "array" : typeof tree;
    throw new Error(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${what} into Go value ` +
        'of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; ' +
        'Kind string "json:\\"kind,omitempty\\"" }',
    );
  }
  const { kind, apiVersion } = tree as Record<string, unknown>;
  for (const [name, value] of Object.entries({ apiVersion, kind })) {
    if (value === undefined || value === null || typeof value === "string") continue;
    const what = typeof value === "boolean"
      ? "bool"
      : Array.isArray(value)
      ? "array"
      : typeof value;
    throw new Error(
      "couldn't get version/kind; json parse error: " +
        `json: cannot unmarshal ${what} into Go struct field .${name} of type string`,
    );
  }
  if (kind && kind !== resource.kind || apiVersion && apiVersion !== groupVersion(resource)) {
    refuseOtherKind(tree, resource);
  }
}

function refuseOtherKind(tree: object, resource: ApiResource): void {
  const { kind, apiVersion } = tree as Partial<ApiObject>;
  if (!builtinTypeOf(resource)) {
    // A custom object of another kind, or of none, is looked at later.
    if (!apiVersion || apiVersion.split("/").length <= 2) return;
    throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  }
  if (!apiVersion) {
    const where = isCustomScale(resource)
      ? `version ${goQuote(groupVersion(resource))}`
      : `the internal version of group ${goQuote(resource.group)}`;
    throw new Error(
      `no kind ${goQuote(kind!)} is registered for ${where} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const bytes = new TextEncoder().encode(JSON.stringify(tree));
  bare(() =>
    decodeObject({
      bytes,
      contentType: "application/json",
      resource,
      fieldValidation: "Ignore",
      warn: () => {},
    })
  );
}

/** What decoding says, without what it is about. @throws {Error} */
function bare<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const inner = /^.* in version ".*" cannot be handled as a \S+: /.exec(error.message)?.[0] ?? "";
    throw new Error(error.message.slice(inner.length));
  }
}

/** 422: the object that comes of a patch is none of the kind. `value` is what is shown of it. */
export function invalidPatch(value: string, why: string): StatusError {
  const error = invalid(FieldPath.of("patch"), value, why);
  return invalidObject({ group: "", kind: "" }, "", [error]);
}
