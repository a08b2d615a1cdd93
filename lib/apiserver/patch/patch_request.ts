// Mirrors `endpoints/handlers/patch.go, PatchResource`.
import {
  badRequest,
  isStackOverflow,
  StatusError,
  unsupportedMediaType,
} from "@xca/apimachinery/internal/errors";
import {
  type ApiObject,
  cloneJson,
  goJson,
  sortedEntries,
  sortFields,
} from "@xca/apimachinery/internal/values";
import type { RequestContext } from "../machinery/request_context.ts";
import type { ApiResource } from "../machinery/resource.ts";
import { UnconvertibleError } from "../machinery/unconvertible.ts";
import type { FieldManagers } from "../managed_fields/field_managers.ts";
import { prepareApply } from "./apply_request.ts";
import type { PatchFunction } from "./patch_function.ts";
import { decodePatched, invalidPatch } from "./patched_object.ts";
import { readJsonPatch } from "./json/json_patch_request.ts";
import { readMergePatch } from "./json/merge_patch_request.ts";
import { patchedResource } from "./patched_resource.ts";
import { prepareStrategicMerge } from "./strategic/strategic_request.ts";
import { tellStrict } from "./json/strict_errors.ts";

/**
 * The UTF-8 decoder of patches. The decoder keeps a byte order mark, so that a patch with one is
 * refused, since it is not JSON.
 */
const PATCH_TEXT = new TextDecoder("utf-8", { ignoreBOM: true });
const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";
const STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";
const APPLY_PATCH = "application/apply-patch+yaml";

/** A media type of patches that the API server supports. */
export type PatchType =
  | typeof JSON_PATCH
  | typeof MERGE_PATCH
  | typeof STRATEGIC_MERGE_PATCH
  | typeof APPLY_PATCH;

/** Reports whether a patch of a media type is a server-side apply, which may create its object. */
export function isApplyPatch(type: PatchType): boolean {
  return type === APPLY_PATCH;
}

/**
 * Returns the media type of a PATCH request.
 *
 * @throws {StatusError} 415 if the resource does not support the media type.
 */
export function patchTypeOf(contentType: string, resource: ApiResource): PatchType {
  const end = contentType.indexOf(";");
  const type = end > 0 ? contentType.slice(0, end) : contentType;
  if (type === JSON_PATCH || type === MERGE_PATCH || type === APPLY_PATCH) return type;
  if (resource.customResourceDefinition !== undefined) {
    throw unsupportedMediaType([JSON_PATCH, MERGE_PATCH, APPLY_PATCH]);
  }
  if (type === STRATEGIC_MERGE_PATCH) return type;
  throw new StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
}

/**
 * Returns a function that patches an object, decodes the result and sets its defaults, and updates
 * its managed fields. The function is called again if the object was changed before the result was
 * stored.
 *
 * An apply configuration is parsed at once. Any other patch is parsed at the first call of the
 * function, so that a missing object is reported before an invalid patch; only text that is not
 * JSON is refused at once. Only the function of a server-side apply is called without an object.
 * The function throws a {@linkcode StatusError}, such as 400 for an invalid patch, 409 for a
 * conflict, and 422 for a result that is not an object of the kind.
 *
 * @throws {StatusError} 400 if the patch is not JSON, or an applied object is not YAML.
 */
export function* preparePatch(
  context: RequestContext<ApiResource>,
  type: PatchType,
  bytes: Uint8Array,
  fieldManagers: FieldManagers,
): Generator<void, PatchFunction> {
  const resource = patchedResource(context.resource, context.subresource);
  if (type !== APPLY_PATCH) checkJson(bytes);
  let patch = type === APPLY_PATCH
    ? yield* mechanismOf(type, context, resource, bytes, fieldManagers)
    : undefined;
  return function* (current) {
    patch ??= yield* mechanismOf(type, context, resource, bytes, fieldManagers);
    yield;
    return yield* patch(current);
  };
}

/**
 * Throws an error for a patch that is not JSON (`endpoints/handlers/patch.go`,
 * `validateAndTranscodePatch`).
 *
 * @throws {StatusError} 400
 */
function checkJson(bytes: Uint8Array): void {
  try {
    JSON.parse(PATCH_TEXT.decode(bytes));
  } catch {
    throw badRequest("invalid JSON patch");
  }
}

function* mechanismOf(
  type: PatchType,
  context: RequestContext,
  resource: ApiResource,
  bytes: Uint8Array,
  fieldManagers: FieldManagers,
): Generator<void, PatchFunction> {
  if (type === APPLY_PATCH) {
    const apply = yield* prepareApply(context, resource, bytes, fieldManagers);
    return (current) => apply(current && cloneJson(current));
  }
  const change = type === STRATEGIC_MERGE_PATCH
    ? prepareStrategicMechanism(context, resource, bytes)
    : prepareJsonMechanism(type, context, resource, bytes);
  const manager = fieldManagers.of(resource, context.subresource);
  return function* (current) {
    const object = yield* change(cloneJson(current!));
    yield;
    yield* manager.updateInSteps(current, object, context.fieldManager, context.now);
    return object;
  };
}

function prepareStrategicMechanism(
  context: RequestContext,
  resource: ApiResource,
  bytes: Uint8Array,
): (current: ApiObject) => Generator<void, ApiObject> {
  const change = prepareStrategicMerge(context, resource, bytes);
  return function* (current) {
    const object = change(current);
    yield;
    try {
      resource.strategy.defaults?.(object);
    } catch (error) {
      if (error instanceof UnconvertibleError) throw new StatusError(500, "", error.why);
      throw error;
    }
    return object;
  };
}

/**
 * Returns a function that applies a JSON patch or a merge patch to an object, which may be changed,
 * and decodes the result like a request body. The function throws a 422 error if the patch does not
 * apply, or the result is not an object of the kind.
 *
 * @throws {StatusError} 400 for an invalid patch, 413 for a patch with too many operations.
 */
function prepareJsonMechanism(
  type: PatchType,
  context: RequestContext,
  resource: ApiResource,
  bytes: Uint8Array,
): (current: ApiObject) => Generator<void, ApiObject> {
  const { fieldValidation } = context;
  const read = type === JSON_PATCH ? readJsonPatch : readMergePatch;
  const { apply, complaints } = read(bytes, fieldValidation !== "Ignore");
  return function* (current) {
    const patched = apply(current);
    yield;
    const refuse = (why: string) => invalidPatch(goJson(inOrder(patched, resource)), why);
    try {
      const decoded = yield* decodePatched(patched, resource);
      yield;
      resource.strategy.defaults?.(decoded.object);
      const all = [...complaints, ...decoded.complaints];
      tellStrict(context, all, refuse);
      return decoded.object;
    } catch (error) {
      if (error instanceof StatusError && error.code !== 400) throw error;
      if (isStackOverflow(error)) throw error;
      throw refuse(error instanceof UnconvertibleError ? error.why : (error as Error).message);
    }
  };
}

/**
 * Returns a copy of a patched document whose fields are sorted as in error messages: at the top
 * level alone, and at all levels of a custom object, which consists of maps.
 */
function inOrder(patched: unknown, { customResourceDefinition }: ApiResource): unknown {
  if (customResourceDefinition !== undefined) return sortFields(patched);
  if (patched === null || typeof patched !== "object" || Array.isArray(patched)) return patched;
  return Object.fromEntries(sortedEntries(patched as Record<string, unknown>));
}
