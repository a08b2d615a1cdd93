import {
  badRequest,
  conflict,
  notFound,
  StatusError,
  unsupportedMediaType,
} from "@xca/apimachinery/internal/errors";
import {
  type ApiObject,
  cloneJson,
  formatGroupResource,
  goJson,
  sortFields,
} from "@xca/apimachinery/internal/values";
import type { RequestContext } from "../machinery/request_context.ts";
import type { ApiResource, ResourceContext } from "../machinery/resource.ts";
import { UnconvertibleError } from "../machinery/unconvertible.ts";
import type { FieldManagers } from "../managed_fields/field_managers.ts";
import { prepareApply } from "./apply_request.ts";
import type { PatchFunction } from "./patch_function.ts";
import { decodePatched, invalidPatch } from "./patched_object.ts";
import { readJsonPatch } from "./json_patch_request.ts";
import { readMergePatch } from "./merge_patch_request.ts";
import { patchedResource } from "./patched_resource.ts";
import { prepareStrategicMerge } from "./strategic_request.ts";
import { tellStrict } from "./strict_errors.ts";

const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";
const STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";
const APPLY_PATCH = "application/apply-patch+yaml";

/** Whether the media type of a patch is that of server-side apply, which may create its object. */
export function isApplyPatch(contentType: string): boolean {
  return mediaTypeOf(contentType) === APPLY_PATCH;
}

function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(";");
  return end > 0 ? contentType.slice(0, end) : contentType;
}

/** @throws {StatusError} 415 when patches of this media type are not taken for the resource. */
export function checkPatchType(contentType: string, resource: ApiResource): void {
  const type = mediaTypeOf(contentType);
  if ([JSON_PATCH, MERGE_PATCH, APPLY_PATCH].includes(type)) return;
  if (resource.customResourceDefinition !== undefined) {
    throw unsupportedMediaType([JSON_PATCH, MERGE_PATCH, APPLY_PATCH]);
  }
  if (type === STRATEGIC_MERGE_PATCH) return;
  throw new StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
}

/**
 * Makes a patch ready. What it returns patches an object, decodes and defaults the result, and says
 * in its managed fields who owns what; it is called again when the object moved before it was stored.
 * The patch is read when it first meets an object: without one, 404 comes before any complaint.
 * @throws {StatusError} 415 for a media type that is not taken. What is returned throws too: 400 when
 * the patch cannot be read, 404, 409, 422, and whatever else it meets.
 */
export function preparePatch(
  context: ResourceContext,
  contentType: string,
  bytes: Uint8Array,
  fieldManagers: FieldManagers,
): PatchFunction {
  checkPatchType(contentType, context.resource);
  const resource = patchedResource(context.resource, context.subresource);
  const type = mediaTypeOf(contentType);
  let patch: PatchFunction | undefined;
  return function* (current) {
    if (current === undefined && type !== APPLY_PATCH) throw missing(context);
    patch ??= mechanismOf(type, context, resource, bytes, fieldManagers);
    yield;
    const object = yield* patch(current);
    checkIdentity(context, object, current);
    return object;
  };
}

function mechanismOf(
  type: string,
  context: RequestContext,
  resource: ApiResource,
  bytes: Uint8Array,
  fieldManagers: FieldManagers,
): PatchFunction {
  if (type === APPLY_PATCH) {
    const apply = prepareApply(context, resource, bytes, fieldManagers);
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

function missing({ resource: { group, plural }, name }: RequestContext): StatusError {
  return notFound({ group, resource: plural }, name);
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

/** JSON patch and merge patch: the patched JSON is decoded as a body is. */
function prepareJsonMechanism(
  type: string,
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
      const decoded = decodePatched(patched, resource);
      yield;
      resource.strategy.defaults?.(decoded.object);
      const all = [...complaints, ...decoded.complaints];
      tellStrict(context, all, refuse);
      return decoded.object;
    } catch (error) {
      if (error instanceof StatusError && error.code !== 400) throw error;
      throw refuse(error instanceof UnconvertibleError ? error.why : (error as Error).message);
    }
  };
}

/** The patched document as it is shown: a map, so its fields are sorted; a custom one is all maps. */
function inOrder(patched: unknown, { customResourceDefinition }: ApiResource): unknown {
  if (customResourceDefinition !== undefined) return sortFields(patched);
  if (patched === null || typeof patched !== "object" || Array.isArray(patched)) return patched;
  return Object.fromEntries(Object.entries(patched).sort(([a], [b]) => a < b ? -1 : 1));
}

/** A patch changes neither name nor namespace, and does not bring an identity with it. */
function checkIdentity(
  { resource, namespace, name }: RequestContext,
  object: ApiObject,
  current: ApiObject | undefined,
): void {
  const { metadata } = object;
  const about = { group: resource.group, resource: resource.plural };
  if (metadata.uid && current === undefined) {
    throw conflict(
      about,
      name,
      `uid mismatch: the provided object specified uid ${metadata.uid}, ` +
        "and no existing object was found",
    );
  }
  matchNamespace(object, formatGroupResource(about) === "namespaces" ? "" : namespace);
  if (!metadata.name) {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (metadata.name !== name) {
    throw badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
    );
  }
}

function matchNamespace({ metadata }: ApiObject, namespace: string): void {
  const own = metadata.namespace ?? "";
  if (own === namespace) return;
  if (own === "") metadata.namespace = namespace;
  else if (namespace === "") delete metadata.namespace;
  else {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
}
