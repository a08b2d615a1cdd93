import { bodyTypeOf } from "../decode/body.ts";
import { decodeInSteps } from "../decode/decode_object.ts";
import { badRequest } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { managerOrUserAgent } from "../managed_fields/manager_name.ts";
import { PATCH_CODE } from "../patch/patch_code.ts";
import { readBody } from "../request/body.ts";
import {
  type DeleteOptions,
  deleteOptions,
  deleteOptionsObject,
} from "../request/delete_options.ts";
import { listOptions } from "../request/list_options.ts";
import { type WriteOptions, writeOptions } from "../request/write_options.ts";
import { type Call, scopeOf } from "./call.ts";
import { createObject } from "./create_object.ts";
import { deleteObject } from "./delete_object.ts";
import { presentPage } from "./list_answer.ts";
import { listObjects } from "./list_objects.ts";
import { matchNamespace } from "./object_meta.ts";
import { presentObject } from "./present.ts";
import type { RequestScope, RequestScopeInit } from "./request_scope.ts";
import { Selection } from "./selection.ts";
import { type Changed, updateObject } from "./update_object.ts";
import { shownOnRead } from "./versions.ts";
import type { Written } from "./written.ts";

/** Returns the part of the context that comes from a write's options. */
export function writeScope(call: Call, options: WriteOptions): Partial<RequestScopeInit> {
  const agent = call.request.headers.get("user-agent") ?? "";
  return {
    dryRun: options.dryRun,
    fieldManager: managerOrUserAgent(options.fieldManager, agent),
    fieldValidation: options.fieldValidation,
    options: options.object,
  };
}

/** Decodes the object of a body and sets its defaults. @throws {StatusError} 400 */
function* decodeBody(
  call: Call,
  scope: RequestScope,
  bytes: Uint8Array,
): Generator<void, ApiObject> {
  const { resource, request } = call;
  const object = yield* decodeInSteps({
    bytes,
    contentType: request.headers.get("content-type") ?? "",
    resource,
    fieldValidation: scope.fieldValidation,
    warn: (text) => scope.warn(text),
  });
  object.metadata ??= {};
  resource.strategy.defaults?.(object);
  yield;
  return object;
}

function presentWritten(call: Call, { object, stored, created, gone }: Written): Response {
  const shown = call.info.subresource === "" && !gone ? shownOnRead(call.resource, object) : object;
  const bytes = shown === object ? stored?.bytes() : undefined;
  return presentObject(call, created ? 201 : 200, shown, bytes);
}

/** Answers a POST to a collection. */
export async function createAnswer(call: Call): Promise<Response> {
  bodyTypeOf(call.request.headers.get("content-type") ?? "");
  const bytes = await readBody(call.request);
  const options = writeOptions("CreateOptions", call.info.query);
  const scope = scopeOf(call, writeScope(call, options));
  const object = await call.work.run(decodeBody(call, scope, bytes));
  return presentWritten(call, await createObject(call.registry, scope, object));
}

/** Answers a PUT of an object or of one of its subresources. */
export async function updateAnswer(call: Call): Promise<Response> {
  const bytes = await readBody(call.request);
  const options = writeOptions("UpdateOptions", call.info.query);
  const scope = scopeOf(call, writeScope(call, options));
  const decoded = await call.work.run(decodeBody(call, scope, bytes));
  matchNamespace(decoded, scope);
  checkName(decoded, scope);
  const uid = decoded.metadata.uid;
  let object: ApiObject | undefined = decoded;
  const change = (): Changed => {
    const first = object;
    object = undefined;
    return first ?? decodeBody(call, scope, bytes);
  };
  const { authorizeCreate } = call;
  return presentWritten(
    call,
    await updateObject(call.registry, scope, { change, uid, authorizeCreate }),
  );
}

/** Checks that an object has the name of the path. @throws {StatusError} 400 */
export function checkName({ metadata }: ApiObject, { name }: RequestScope): void {
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

/** Answers a PATCH of an object or of one of its subresources. */
export async function patchAnswer(call: Call): Promise<Response> {
  const { checkPatchType, isApplyPatch, preparePatch } = await PATCH_CODE.get();
  const contentType = call.request.headers.get("content-type") ?? "";
  checkPatchType(contentType, call.resource);
  if (call.info.name === "") throw badRequest("name must be provided");
  const bytes = await readBody(call.request);
  const create = isApplyPatch(contentType);
  const options = writeOptions("PatchOptions", call.info.query, create);
  const scope = scopeOf(call, writeScope(call, options));
  const change = preparePatch(scope, contentType, bytes, call.registry.managers);
  const { authorizeCreate } = call;
  return presentWritten(
    call,
    await updateObject(call.registry, scope, { change, create, managed: true, authorizeCreate }),
  );
}

/** Answers a DELETE of an object. */
export async function deleteAnswer(call: Call): Promise<Response> {
  const { info, request } = call;
  const bytes = await readBody(request);
  const options = deleteOptions(info.query, request.headers.get("content-type") ?? "", bytes);
  const scope = scopeOf(call, {
    dryRun: Boolean(options.dryRun?.length),
    options: deleteOptionsObject(options),
  });
  warnOfDeletion(call, options);
  const { object, deleted } = await deleteObject(call.registry, scope, options);
  const accepted = !deleted && options.orphanDependents === false;
  return presentObject(call, accepted ? 202 : 200, object);
}

function warnOfDeletion({ resource, warnings }: Call, options: DeleteOptions): void {
  const { deletionWarning } = resource.strategy;
  const isOpen = options.propagationPolicy === undefined && options.orphanDependents === undefined;
  if (deletionWarning !== undefined && isOpen) warnings.add(deletionWarning);
}

/**
 * Answers a DELETE of a collection: deletes all selected objects, and returns them as they were.
 */
export async function deleteCollectionAnswer(call: Call): Promise<Response> {
  const { registry, info, request, resource } = call;
  const listed = listOptions(info.query);
  const selection = Selection.of(resource, info.namespace, listed);
  const bytes = await readBody(request);
  const options = deleteOptions(info.query, request.headers.get("content-type") ?? "", bytes);
  warnOfDeletion(call, options);
  const collection = registry.collectionOf(resource);
  const work = call.work;
  const page = await listObjects(registry.log, collection, resource, selection, listed, work);
  for (const { key } of page.items) {
    if (work.used) await work.next();
    const slash = key.indexOf("/");
    const scope = scopeOf(call, {
      namespace: slash < 0 ? "" : key.slice(0, slash),
      name: key.slice(slash + 1),
      dryRun: Boolean(options.dryRun?.length),
      options: deleteOptionsObject(options),
    });
    await deleteObject(registry, scope, options).catch(ignoreNotFound);
  }
  return await presentPage(call, page);
}

function ignoreNotFound(error: unknown): void {
  if ((error as { reason?: string }).reason !== "NotFound") throw error;
}
