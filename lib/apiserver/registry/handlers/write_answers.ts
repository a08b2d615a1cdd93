// Mirrors `endpoints/handlers/create.go, createHandler`.
import { bodyTypeOf } from "../../decode/body.ts";
import { decodeInSteps } from "../../decode/decode_object.ts";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { noteObject } from "../../machinery/audit_notes.ts";
import { readBody } from "../../request/body.ts";
import {
  type DeleteOptions,
  deleteOptions,
  deleteOptionsObject,
} from "../../request/delete_options.ts";
import { listOptions } from "../../request/list_options.ts";
import { writeOptions } from "../../request/write_options.ts";
import { type Call, contextOf } from "./call.ts";
import { createObject } from "../objects/create_object.ts";
import { deleteObject } from "../objects/delete_object.ts";
import { presentPage } from "./list_answer.ts";
import { listObjects } from "./list_objects.ts";
import { matchIdentity } from "../objects/object_identity.ts";
import { readPatch } from "./patch_call.ts";
import { presentObject } from "./present.ts";
import type { VerbContext } from "../objects/verb_context.ts";
import { Selection } from "./selection.ts";
import { type Changed, updateObject } from "../objects/update_object.ts";
import { shownOnRead } from "../objects/versions.ts";
import { writeContext } from "./write_context.ts";
import type { Written } from "../objects/written.ts";

/**
 * Decodes the object in the body of a POST or PUT, in steps, and sets its defaults.
 *
 * @throws {StatusError} 400 if the body cannot be decoded; 415 for an unsupported media type.
 */
function* decodeBody(
  call: Call,
  context: VerbContext,
  bytes: Uint8Array,
): Generator<void, ApiObject> {
  const { resource, request } = call;
  const object = yield* decodeInSteps({
    bytes,
    contentType: request.headers.get("content-type") ?? "",
    resource,
    fieldValidation: context.fieldValidation,
    warn: (text) => context.warn(text),
  });
  object.metadata ??= {};
  noteObject(call.notes, object);
  yield;
  resource.strategy.defaults?.(object);
  yield;
  return object;
}

async function presentWritten(
  call: Call,
  { object, stored, created, gone }: Written,
): Promise<Response> {
  const shown = call.info.subresource === "" && !gone ? shownOnRead(call.resource, object) : object;
  const bytes = shown === object ? stored?.bytes() : undefined;
  if (call.work.used) await call.work.next();
  return presentObject(call, created ? 201 : 200, shown, bytes);
}

/** Returns the response to a POST, which creates an object; its code is 201. */
export async function createAnswer(call: Call): Promise<Response> {
  bodyTypeOf(call.request.headers.get("content-type") ?? "");
  const bytes = await readBody(call.request);
  const options = writeOptions("CreateOptions", call.info.query);
  const context = contextOf(call, writeContext(call, options));
  const object = await call.work.run(decodeBody(call, context, bytes));
  return await presentWritten(call, await createObject(call.registry, context, object));
}

/**
 * Returns the response to a PUT of an object or of one of its subresources; its code is 201 if the
 * PUT created the object, otherwise 200.
 */
export async function updateAnswer(call: Call): Promise<Response> {
  const bytes = await readBody(call.request);
  const options = writeOptions("UpdateOptions", call.info.query);
  const context = contextOf(call, writeContext(call, options));
  const decode = function* (): Generator<void, ApiObject> {
    const object = yield* decodeBody(call, context, bytes);
    matchIdentity(object, context);
    return object;
  };
  let object: ApiObject | undefined = await call.work.run(decode());
  const { uid } = object.metadata;
  const change = (): Changed => {
    const first = object;
    object = undefined;
    return first ?? decode();
  };
  const { authorizeCreate } = call;
  return await presentWritten(
    call,
    await updateObject(call.registry, context, { change, uid, authorizeCreate }),
  );
}

/**
 * Returns the response to a PATCH of an object or of one of its subresources; its code is 201 if a
 * server-side apply created the object, otherwise 200.
 */
export async function patchAnswer(call: Call): Promise<Response> {
  const { context, change, create } = await readPatch(call);
  const { authorizeCreate } = call;
  return await presentWritten(
    call,
    await updateObject(call.registry, context, { change, create, managed: true, authorizeCreate }),
  );
}

/**
 * Returns the response to a DELETE of an object; its code is 202 if the object still exists and
 * `orphanDependents` is false, otherwise 200.
 */
export async function deleteAnswer(call: Call): Promise<Response> {
  const { info, request } = call;
  const bytes = await readBody(request);
  const options = deleteOptions(info.query, request.headers.get("content-type") ?? "", bytes);
  const context = contextOf(call, {
    dryRun: Boolean(options.dryRun?.length),
    options: deleteOptionsObject(options),
  });
  warnOfDeletion(call, options);
  const { object, deleted } = await deleteObject(call.registry, context, options);
  const accepted = !deleted && options.orphanDependents === false;
  return presentObject(call, accepted ? 202 : 200, object);
}

function warnOfDeletion({ resource, warnings }: Call, options: DeleteOptions): void {
  const { deletionWarning } = resource.strategy;
  const isOpen = options.propagationPolicy === undefined && options.orphanDependents === undefined;
  if (deletionWarning !== undefined && isOpen) warnings.add(deletionWarning);
}

/**
 * Deletes the objects that a DELETE of a collection selects, or with `limit` one page of them.
 * Returns the response with the objects as they were before. An object that another request has
 * deleted is skipped; another error ends the request, and leaves the objects before it deleted.
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
    const context = contextOf(call, {
      namespace: slash < 0 ? "" : key.slice(0, slash),
      name: key.slice(slash + 1),
      dryRun: Boolean(options.dryRun?.length),
      options: deleteOptionsObject(options),
    });
    await deleteObject(registry, context, options).catch(ignoreNotFound);
  }
  return await presentPage(call, page);
}

function ignoreNotFound(error: unknown): void {
  if ((error as { reason?: string }).reason !== "NotFound") throw error;
}
