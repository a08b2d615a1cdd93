// Mirrors `registry/generic/registry/store.go, Store.Delete`.
import { conflict, notFound, StatusError } from "@xca/apimachinery/internal/errors";
import { type ApiObject, jsonEqual } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../../machinery/resource.ts";
import type { DeleteOptions } from "../../request/delete_options.ts";
import type { StoredObject } from "../../storage/arena.ts";
import type { Collection } from "../../storage/collection.ts";
import { mutate, validate } from "./admit.ts";
import { beginDeletion, type DeletionStart, markDeleting } from "./grace.ts";
import { collectionName, storageKey } from "../../machinery/keys.ts";
import { deletionFinalizers, markedFinalizers } from "./propagation.ts";
import type { RegistryCore } from "./registry_core.ts";
import type { VerbContext } from "./verb_context.ts";
import { readDecoded } from "./corrupt_object.ts";
import { emptyObject } from "./empty_object.ts";
import { failedPrecondition } from "../../subresources/failed_precondition.ts";
import { fromStorage, isStoredForm, shownOnRead, toStorage } from "./versions.ts";
import { lastText, storeText } from "./written.ts";

/** The result of deleting an object. */
export interface Deleted {
  /**
   * The object in the response to the deletion: the deleted object, if the deletion marked but did
   * not remove it, or if its kind answers a deletion with the object; otherwise a `Status`. A dry
   * run that would remove the last finalizer has an empty object here.
   */
  readonly object: ApiObject;
  /**
   * Reports whether the deletion removed the object from storage, or would have without the dry
   * run.
   */
  readonly deleted: boolean;
}

/** The inputs of the deletion of one object: the call, the options and the stored object. */
interface Deletion {
  readonly registry: RegistryCore;
  readonly context: VerbContext;
  readonly options: DeleteOptions;
  readonly skipAdmission: boolean;
  readonly collection: Collection;
  readonly stored: StoredObject;
}

/**
 * Deletes an object, or marks it as being deleted if finalizers or a grace period delay its removal
 * (`registry/store.go, Delete`). `skipAdmission` sets whether the deletion bypasses the admission
 * plugins.
 *
 * @throws {StatusError} 404 if the object is missing; 409 if the object does not meet the
 * preconditions; 500 if the object cannot be converted; the error of an admission plugin or of the
 * strategy.
 */
export async function deleteObject(
  registry: RegistryCore,
  context: VerbContext,
  options: DeleteOptions,
  skipAdmission: boolean = false,
): Promise<Deleted> {
  const { resource, name } = context;
  const collection = registry.log.collection(collectionName(resource));
  const key = storageKey(resource.namespaced ? context.namespace : "", name);
  for (;;) {
    const stored = collection.get(key);
    if (!stored) throw notFound({ group: resource.group, resource: resource.plural }, name);
    const done = await tryDelete({ registry, context, options, skipAdmission, collection, stored });
    if (done) return done;
  }
}

/**
 * Attempts the deletion of an object once. Returns `undefined` if another write changed the object
 * in the meantime.
 */
async function tryDelete(deletion: Deletion): Promise<Deleted | undefined> {
  const { registry, context, options, collection, stored } = deletion;
  const { resource } = context;
  const { strategy } = resource;
  const [old] = await readDecoded(resource, () => fromStorage(resource, [stored]));
  if (context.work.used) await context.work.next();
  const [object] = await fromStorage(resource, [stored]);
  if (context.work.used) await context.work.next();
  strategy.beforeDelete?.(object!, context, registry);
  checkPreconditions(context, old!, options);
  const waits = old!.metadata.deletionTimestamp && strategy.heldBack?.(old!);
  if (waits) return { object: outcome(context, old!), deleted: false };
  const start = beginDeletion(object!, options, context);
  if (start.kind === "pending") {
    return { object: outcome(context, shownOnRead(resource, old!)), deleted: false };
  }
  if (!deletion.skipAdmission) {
    await mutate(registry, context, "DELETE", undefined, old);
    await validate(registry, context, "DELETE", undefined, old);
  }
  if (collection.get(stored.key)?.revision !== stored.revision) return undefined;
  const marks = strategy.markDeleted !== undefined && !object!.metadata.deletionTimestamp;
  const propagation = marks
    ? markedFinalizers(object!, options)
    : deletionFinalizers(object!, options, strategy.defaultPropagation ?? "Background");
  if (propagation) setFinalizers(object!, propagation);
  if (marks) {
    strategy.markDeleted!(object!, context);
    return await mark(deletion, object!, old!);
  }
  const held = Boolean(object!.metadata.finalizers?.length) ||
    Boolean(strategy.heldBack?.(object!));
  if (start.kind === "now" && !held && !propagation) return await remove(deletion);
  return await markOrRemove(deletion, start, held, object!, old!);
}

async function markOrRemove(
  deletion: Deletion,
  start: DeletionStart,
  held: boolean,
  object: ApiObject,
  old: ApiObject,
): Promise<Deleted | undefined> {
  const { context } = deletion;
  if (start.kind !== "graceful") {
    if (!held) {
      if (context.dryRun) return { object: nothing(context.resource), deleted: true };
      forgetVersion(deletion);
      return await remove(deletion);
    }
    markDeleting(object, context.now);
    return await mark(deletion, object, old);
  }
  const marked = await mark(deletion, object, old);
  if (!marked || held || start.seconds > 0) return marked;
  if (context.dryRun) return { ...marked, deleted: true };
  return await removeMarked(deletion, marked);
}

/**
 * Removes an object that {@linkcode mark} has just marked. Watchers have seen the mark, so that
 * another client, such as a kubelet, may have removed the object first: the deletion succeeds
 * nevertheless (`registry/store.go, updateForGracefulDeletionAndFinalizers`, `ignoreNotFound`).
 * Returns `undefined` if another write changed the object in the meantime.
 */
async function removeMarked(deletion: Deletion, marked: Deleted): Promise<Deleted | undefined> {
  const { collection, context } = deletion;
  const { key } = deletion.stored;
  const stored = collection.get(key);
  const removed = stored && await remove({ ...deletion, stored });
  if (removed || collection.get(key)) return removed;
  return {
    object: outcome(context, shownOnRead(context.resource, marked.object)),
    deleted: true,
  };
}

/**
 * Returns the object in the response to a dry run of a deletion that removes the last finalizer: an
 * empty object.
 */
function nothing(resource: ApiResource): ApiObject {
  const { metadata, ...empty } = emptyObject(resource);
  const { kind, apiVersion } = empty;
  return (resource.customResourceDefinition
    ? empty
    : { kind, apiVersion, metadata, ...empty }) as ApiObject;
}

/**
 * Refuses the deletion of an object whose last finalizer the deletion's propagation policy removes,
 * if it has a resourceVersion precondition: in this case kube-apiserver loses the wanted version,
 * and always reports a conflict. Does nothing without this precondition; the caller checks the
 * finalizers.
 *
 * @throws {StatusError} 409
 */
function forgetVersion({ context, options, stored }: Deletion): void {
  if (options.preconditions?.resourceVersion === undefined) return;
  const { group, plural } = context.resource;
  const found = stored.tree().metadata.resourceVersion!;
  const about = { group, resource: plural };
  throw failedPrecondition(context, { what: "ResourceVersion", wanted: "", found }, about);
}

/**
 * Stores an object with its deletion timestamp, unless the object is unchanged or this is a dry
 * run. Returns `undefined` if another write changed the object in the meantime.
 */
async function mark(
  { registry, context, collection, stored }: Deletion,
  object: ApiObject,
  old: ApiObject,
): Promise<Deleted | undefined> {
  const { resource } = context;
  if (context.dryRun || jsonEqual(object, old)) return { object, deleted: false };
  const form = isStoredForm(resource) ? object : await toStorage(resource, object);
  if (collection.get(stored.key)?.revision !== stored.revision) return undefined;
  registry.log.put(collection, stored.key, storeText(registry.log, object, form));
  return { object, deleted: false };
}

/**
 * Removes a deleted object from storage; a dry run removes nothing. Returns `undefined` if another
 * write changed the object in the meantime.
 */
async function remove(
  { registry, context, collection, stored }: Deletion,
): Promise<Deleted | undefined> {
  const { resource } = context;
  const last = stored.tree();
  if (context.work.used) await context.work.next();
  if (!context.dryRun) {
    if (collection.get(stored.key)?.revision !== stored.revision) return undefined;
    registry.log.delete(collection, stored.key, lastText(registry.log, last));
    resource.strategy.release?.(last, registry);
  }
  const shown = resource.strategy.storedAs?.fromStored(last) ?? last;
  return { object: outcome(context, shownOnRead(resource, shown)), deleted: true };
}

/**
 * Checks the uid and the resourceVersion that the preconditions of a deletion require.
 *
 * @throws {StatusError} 409
 */
function checkPreconditions(
  { resource }: VerbContext,
  { metadata }: ApiObject,
  { preconditions }: DeleteOptions,
): void {
  const refuse = (what: string, asked: string, found: string, why: string): StatusError =>
    conflict(
      { group: resource.strategy.storedAs?.group ?? resource.group, resource: resource.kind },
      metadata.name ?? "",
      `the ${what} in the precondition (${asked}) does not match the ${what} in record ` +
        `(${found}). ${why}`,
    );
  const { uid, resourceVersion } = preconditions ?? {};
  if (resource.strategy.markDeleted) {
    const { plural, group } = resource;
    const ownWords = (what: string, asked: string, found: string): StatusError =>
      conflict(
        { group, resource: plural },
        metadata.name ?? "",
        `Precondition failed: ${what} in precondition: ${asked}, ${what} in object meta: ${found}`,
      );
    if (uid !== undefined && uid !== metadata.uid) {
      throw ownWords("UID", uid, metadata.uid ?? "");
    }
    if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
      throw ownWords("ResourceVersion", resourceVersion, metadata.resourceVersion ?? "");
    }
  }
  if (uid !== undefined && uid !== metadata.uid) {
    const why = "The object might have been deleted and then recreated";
    throw refuse("UID", uid, metadata.uid ?? "", why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = "The object might have been modified";
    throw refuse("ResourceVersion", resourceVersion, metadata.resourceVersion ?? "", why);
  }
}

function setFinalizers({ metadata }: ApiObject, finalizers: string[]): void {
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
}

/**
 * The resources, as `plural.group`, whose DELETE is answered with the deleted object rather than a
 * `Status`.
 */
const ANSWERED = new Set([
  "namespaces.",
  "persistentvolumeclaims.",
  "persistentvolumes.",
  "pods.",
  "podtemplates.",
  "resourcequotas.",
  "serviceaccounts.",
  "services.",
  "csidrivers.storage.k8s.io",
  "csinodes.storage.k8s.io",
  "storageclasses.storage.k8s.io",
  "volumeattachments.storage.k8s.io",
  "volumeattributesclasses.storage.k8s.io",
  "deviceclasses.resource.k8s.io",
  "devicetaintrules.resource.k8s.io",
  "resourceclaims.resource.k8s.io",
  "resourceclaimtemplates.resource.k8s.io",
  "resourceslices.resource.k8s.io",
]);

function outcome({ resource }: VerbContext, object: ApiObject): ApiObject {
  return ANSWERED.has(`${resource.plural}.${resource.group}`)
    ? object
    : successStatus(resource, object);
}

function successStatus({ group, plural }: ApiResource, { metadata }: ApiObject): ApiObject {
  const { name, uid } = metadata;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(group && { group }), kind: plural, ...(uid && { uid }) },
  };
}
