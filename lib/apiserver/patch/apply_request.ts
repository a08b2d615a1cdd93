// Mirrors `endpoints/handlers/patch.go, applyPatcher`.
import { apiVersionOf } from "../machinery/keys.ts";
import { complete } from "../decode/complete.ts";
import { GoDecoder } from "../decode/go_decoder.ts";
import { parseYamlInSteps, type YamlDocument } from "../decode/yaml.ts";
import { noteEmptyMaps } from "../machinery/empty_maps.ts";
import {
  badRequest,
  conflict,
  isNestedTooDeep,
  StatusError,
} from "@xca/apimachinery/internal/errors";
import { type ApiObject, cloneJson, jsonEqual } from "@xca/apimachinery/internal/values";
import type { RequestContext } from "../machinery/request_context.ts";
import type { ApiResource } from "../machinery/resource.ts";
import { UnconvertibleError } from "../machinery/unconvertible.ts";
import type { FieldManagers } from "../managed_fields/field_managers.ts";
import { isCustomScale, UNCONVERTED_SCALE } from "../managed_fields/scale_handler.ts";
import type { PatchFunction } from "./patch_function.ts";
import { structType } from "../types/builtin_type.ts";
import { builtinTypeOf } from "./patched_object.ts";
import { jsonKind } from "./json/strict_json.ts";

const OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/**
 * Parses an apply configuration (the body of a server-side apply) in YAML or JSON, in steps;
 * returns a function that applies the configuration to an object. The function throws a
 * `StatusError`: 409 for a conflict, or a chosen uid of a new object, 400 for duplicate keys if the
 * validation is strict, 500 for a result that cannot be converted.
 * @throws {StatusError} 400
 */
export function* prepareApply(
  context: RequestContext,
  resource: ApiResource,
  bytes: Uint8Array,
  fieldManagers: FieldManagers,
): Generator<void, PatchFunction> {
  const { applied, duplicates } = yield* parse(bytes);
  const manager = fieldManagers.of(resource, context.subresource);
  const force = !["", "0", "false"].includes(context.query.get("force")?.toLowerCase() ?? "");
  const { fieldManager, now } = context;
  return function* (current) {
    const own = cloneJson(applied);
    const result = yield* manager.applyInSteps(current, own, { manager: fieldManager, force, now });
    // kube-apiserver fails to apply any change to the scale of a custom object.
    if (isCustomScale(resource) && current && !sameButManagers(result, current)) {
      throw unconverted(applied, "autoscaling/v1, Kind=Scale", UNCONVERTED_SCALE);
    }
    const object = convert(result, resource, applied);
    tellDuplicates(context, duplicates);
    if (current === undefined) refuseUid(context, object);
    return object;
  };
}

/**
 * Throws an error if the client chose the uid of an object that a server-side apply creates.
 *
 * @throws {StatusError} 409
 */
function refuseUid({ resource, name }: RequestContext, { metadata: { uid } }: ApiObject): void {
  if (!uid) return;
  throw conflict(
    { group: resource.group, resource: resource.plural },
    name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  );
}

function sameButManagers(a: ApiObject, b: ApiObject): boolean {
  const bare = ({ metadata: { managedFields: _, ...metadata }, ...object }: ApiObject) => ({
    ...object,
    metadata,
  });
  return jsonEqual(bare(a), bare(b));
}

/**
 * Returns the 500 error about a server-side applied object that cannot be converted to its kind.
 */
function unconverted({ metadata }: ApiObject, what: string, why: string): StatusError {
  const { namespace = "", name = "" } = metadata ?? {};
  const message =
    `failed to convert new object (${namespace}/${name}; ${what}) to proper version: `;
  return new StatusError(500, "", message + why);
}

function* parse(bytes: Uint8Array): Generator<void, {
  readonly applied: ApiObject;
  readonly duplicates: readonly string[];
}> {
  const { tree, duplicates } = yield* parseDocument(bytes);
  if (tree !== null && (typeof tree !== "object" || Array.isArray(tree))) {
    throw badRequest(
      "error decoding patch: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal " +
        `${jsonKind(tree)} into Go value of type map[string]interface {}`,
    );
  }
  return { applied: (tree ?? {}) as ApiObject, duplicates };
}

function* parseDocument(bytes: Uint8Array): Generator<void, YamlDocument> {
  try {
    return yield* parseYamlInSteps(bytes);
  } catch (error) {
    if (isNestedTooDeep(error)) throw error;
    const { message } = error as Error;
    // kube-apiserver converts text that begins like JSON only when it decodes the patch.
    const what = /^\s*\{/.test(new TextDecoder().decode(bytes.subarray(0, 1024)))
      ? "error decoding patch: error converting YAML to JSON"
      : "error encoding patch";
    throw badRequest(`${what}: ${message}`);
  }
}

/**
 * Reports duplicate keys of an apply configuration by the request's field validation: not at all
 * for `Ignore`, as an error for `Strict`, and otherwise as warnings.
 * @throws {StatusError} 400 if the validation is strict.
 */
function tellDuplicates(context: RequestContext, duplicates: readonly string[]): void {
  if (duplicates.length === 0 || context.fieldValidation === "Ignore") return;
  if (context.fieldValidation === "Strict") {
    const lines = duplicates.map((line) => `  ${line}`).join("\n");
    throw badRequest(
      "error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n" +
        lines,
    );
  }
  for (const line of duplicates) context.warn(line);
}

/**
 * Returns the object merged by server-side apply, converted to its kind and with defaults. Errors
 * name `applied`.
 *
 * @throws {StatusError} 500 if the object cannot be converted.
 */
function convert(merged: ApiObject, resource: ApiResource, applied: ApiObject): ApiObject {
  const { managedFields, ...metadata } = merged.metadata;
  const bare = { ...merged, metadata } as ApiObject;
  const object = toKind(bare, resource, applied);
  fillIn(object, resource, applied);
  if (managedFields !== undefined) object.metadata.managedFields = managedFields;
  return object;
}

function fillIn(object: ApiObject, resource: ApiResource, applied: ApiObject): void {
  try {
    resource.strategy.defaults?.(object);
  } catch (error) {
    if (!(error instanceof UnconvertibleError)) throw error;
    const { namespace = "", name = "" } = applied.metadata ?? {};
    const what = `${namespace}/${name}; ${apiVersionOf(resource)}, Kind=${resource.kind}`;
    throw new StatusError(500, "", `failed to convert to unversioned (${what}): ${error.why}`);
  }
}

function toKind(merged: ApiObject, resource: ApiResource, applied: ApiObject): ApiObject {
  const type = builtinTypeOf(resource);
  if (type === undefined) return withPlainMetadata(merged);
  const apiVersion = apiVersionOf(resource);
  const { kind } = resource;
  try {
    const decoded = new GoDecoder(false).decode(type, merged) ?? {};
    const object = { ...complete(type, decoded) as ApiObject, kind, apiVersion };
    noteEmptyMaps(object, decoded);
    return object;
  } catch (error) {
    if (isNestedTooDeep(error)) throw error;
    const { message } = error as Error;
    const why = message.startsWith("illegal base64")
      ? `error decoding from json: ${message}`
      : message;
    const what = `${apiVersion.includes("/") ? "" : "/"}${apiVersion}, Kind=${kind}`;
    throw unconverted(applied, what, `unable to convert unstructured object to ${what}: ${why}`);
  }
}

/**
 * Returns a copy of a merged custom object with completed metadata, from which empty maps and lists
 * are dropped. The other fields were checked against the schema before the merge, and are not
 * pruned again.
 */
function withPlainMetadata(merged: ApiObject): ApiObject {
  const type = structType(OBJECT_META)!;
  const metadata = complete(type, new GoDecoder(false).decode(type, merged.metadata) ?? {});
  const object = { ...merged, metadata: metadata as ApiObject["metadata"] };
  noteEmptyMaps(object, merged.metadata);
  return object;
}
