/**
 * Converts the tree that a patch resulted in to an object of its kind.
 *
 * Mirrors `endpoints/handlers/patch.go, patcher.applyPatch`.
 *
 * @module
 */
import { apiVersionOf } from "../machinery/keys.ts";
import { complete } from "../decode/complete.ts";
import { decodeObject } from "../decode/decode_object.ts";
import { GoDecoder } from "../decode/go_decoder.ts";
import { FieldPath, invalid, invalidObject, StatusError } from "@xca/apimachinery/internal/errors";
import {
  type ApiObject,
  cloneJson,
  goJson,
  goQuote,
  sortFields,
  sortTexts,
} from "@xca/apimachinery/internal/values";
import { noteEmptyMaps } from "../machinery/empty_maps.ts";
import type { ApiResource } from "../machinery/resource.ts";
import { isCustomScale } from "../managed_fields/scale_handler.ts";
import { BuiltinType } from "../types/builtin_type.ts";
import { mayHaveUnknownFields } from "./unknown_fields.ts";

/**
 * The result of {@linkcode decodePatched}: the object that a patch resulted in, decoded to its kind
 * but without defaults, and the errors of strict decoding.
 */
export interface PatchedObject {
  readonly object: ApiObject;
  readonly complaints: readonly string[];
}

/** Returns the built-in type of a resource's kind; `undefined` for a custom kind. */
export function builtinTypeOf(resource: ApiResource): BuiltinType | undefined {
  const schema = resource.schema();
  return schema instanceof BuiltinType ? schema : undefined;
}

/**
 * Decodes a patched tree as kube-apiserver decodes the JSON result of a JSON patch. A built-in
 * object without an `apiVersion` loses all its fields, with a complaint about each.
 * @throws {Error} If the tree is not of the resource's kind, with kube-apiserver's message.
 */
export function* decodePatched(
  tree: unknown,
  resource: ApiResource,
): Generator<void, PatchedObject> {
  const type = builtinTypeOf(resource);
  if (type === undefined) return yield* coercePatched(tree, resource);
  checkKind(tree, resource);
  const fields = tree as Record<string, unknown>;
  // Without a version, kube-apiserver decodes into its internal type, which matches no field.
  if (!fields.apiVersion && !isCustomScale(resource)) {
    return { object: { metadata: {} }, complaints: foreignFields(fields) };
  }
  const decoded = decodeTree(type, tree) ?? {};
  const complaints = mayHaveUnknownFields(type, tree) ? complaintsInOrder(type, tree) : [];
  const object = typedObject(type, decoded, resource);
  // The scale of a custom object keeps its version, or its lack of one.
  if (!fields.apiVersion) delete object.apiVersion;
  return { object, complaints };
}

/**
 * Returns the errors about fields of a patched object that kube-apiserver's internal type does not
 * have, since its Go field names differ.
 */
function foreignFields(fields: Record<string, unknown>): string[] {
  const names = Object.keys(fields).filter((name) => name !== "kind" && name !== "apiVersion");
  return sortTexts(names).map((name) => `unknown field ${goQuote(name)}`);
}

/**
 * Returns a patched tree decoded to its built-in type. Of several errors, that of the first field
 * in sorted order is thrown, as in kube-apiserver.
 */
function decodeTree(type: BuiltinType, tree: unknown): unknown {
  try {
    return new GoDecoder(false).decode(type, tree);
  } catch {
    return new GoDecoder(false).decode(type, sortFields(tree));
  }
}

/**
 * Returns the errors of a patched tree's strict decoding in the order of sorted fields, like
 * kube-apiserver.
 */
function complaintsInOrder(type: BuiltinType, tree: unknown): string[] {
  const decoder = new GoDecoder(true);
  decoder.decode(type, sortFields(tree));
  return [...decoder.strictErrors];
}

/** Returns a decoded object with the fields that its type always has, its kind and its version. */
export function typedObject(type: BuiltinType, decoded: unknown, resource: ApiResource): ApiObject {
  const { kind: _1, apiVersion: _2, ...rest } = complete(type, decoded) as ApiObject;
  // Completing drops empty lists, but an empty `managedFields` resets all managers.
  const reset = (decoded as Partial<ApiObject>).metadata?.managedFields?.length === 0;
  if (reset) rest.metadata.managedFields = [];
  const object = { kind: resource.kind, apiVersion: apiVersionOf(resource), ...rest };
  noteEmptyMaps(object, decoded);
  return object;
}

function* coercePatched(
  tree: unknown,
  resource: ApiResource,
): Generator<void, PatchedObject> {
  checkKind(tree, resource);
  // An error shows the document as the patch left it.
  const object = cloneJson(tree as ApiObject);
  yield;
  if (!object.kind) throw new Error(`Object 'Kind' is missing in '${goJson(sortFields(tree))}'`);
  object.metadata ??= {};
  const dropped = yield* bare(resource.coerce?.(object));
  return { object, complaints: dropped.map((path) => `unknown field ${goQuote(path)}`) };
}

/**
 * Throws an error unless a patched document is an object whose kind and API version, where present,
 * are those of the resource. The messages are those for request bodies. Validation checks the kind
 * of a custom object.
 */
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
  if (kind && kind !== resource.kind || apiVersion && apiVersion !== apiVersionOf(resource)) {
    refuseOtherKind(tree, resource);
  }
}

function refuseOtherKind(tree: object, resource: ApiResource): void {
  const { kind, apiVersion } = tree as Partial<ApiObject>;
  if (!builtinTypeOf(resource)) {
    // The kind of a custom object is checked by validation.
    if (!apiVersion || apiVersion.split("/").length <= 2) return;
    throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  }
  if (!apiVersion) {
    const where = isCustomScale(resource)
      ? `version ${goQuote(apiVersionOf(resource))}`
      : `the internal version of group ${goQuote(resource.group)}`;
    throw new Error(
      `no kind ${goQuote(kind!)} is registered for ${where} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const bytes = new TextEncoder().encode(JSON.stringify(tree));
  withoutPrefix(() =>
    decodeObject({
      bytes,
      contentType: "application/json",
      resource,
      fieldValidation: "Ignore",
      warn: () => {},
    })
  );
}

/**
 * Runs the steps of decoding, and returns their result, empty without steps. Removes the prefix
 * `<kind> in version "<version>" cannot be handled as a <kind>: ` from the message of a
 * StatusError.
 */
function* bare(
  steps: Generator<void, readonly string[]> | undefined,
): Generator<void, readonly string[]> {
  try {
    return steps ? yield* steps : [];
  } catch (error) {
    throw prefixRemoved(error);
  }
}

/**
 * Runs a decoder, and removes from the message of its StatusError the prefix that {@linkcode bare}
 * removes.
 */
function withoutPrefix(decode: () => unknown): void {
  try {
    decode();
  } catch (error) {
    throw prefixRemoved(error);
  }
}

function prefixRemoved(error: unknown): unknown {
  if (!(error instanceof StatusError)) return error;
  const inner = /^.* in version ".*" cannot be handled as a \S+: /.exec(error.message)?.[0] ?? "";
  return new Error(error.message.slice(inner.length));
}

/**
 * Returns the 422 error for a patch whose result is not a valid object of the kind. The error shows
 * `value` as the invalid value and `why` as the reason.
 */
export function invalidPatch(value: string, why: string): StatusError {
  const error = invalid(FieldPath.of("patch"), value, why);
  return invalidObject({ group: "", kind: "" }, "", [error]);
}
