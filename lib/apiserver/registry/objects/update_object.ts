// Mirrors `registry/generic/registry/store.go, Store.Update`.
import {
  conflict,
  FieldPath,
  internalError,
  invalid,
  invalidObject,
  notFound,
} from "@xca/apimachinery/internal/errors";
import { type ApiObject, jsonEqual } from "@xca/apimachinery/internal/values";
import { keepTimesOfNoChange } from "../../managed_fields/unchanged_times.ts";
import { completeObject } from "../../decode/complete.ts";
import type { KindStrategy } from "../../machinery/strategy.ts";
import type { StoredObject } from "../../storage/arena.ts";
import type { Collection } from "../../storage/collection.ts";
import { mutate, validate } from "./admit.ts";
import {
  commitCreate,
  findingsOf,
  fitsAfterTurn,
  prepareCreate,
  refusalInSteps,
} from "./create_object.ts";
import { collectionName, registryPath, storageKey } from "../../machinery/keys.ts";
import { validateChangedMetadata } from "./metadata_rules.ts";
import { matchNamespace } from "./object_identity.ts";
import { fillSystemFields, wipeSystemFields } from "./object_meta.ts";
import { dedupOwners } from "./owner_references.ts";
import type { RegistryCore } from "./registry_core.ts";
import type { VerbContext } from "./verb_context.ts";
import { hasNilBytes, storesLoose } from "./loose_form.ts";
import { objectRevision } from "../handlers/revisions.ts";
import { fromStorage, isStoredForm, shownForm, toStorage } from "./versions.ts";
import { lastText, storeText, type Written } from "./written.ts";

const OPTIMISTIC_LOCK =
  "the object has been modified; please apply your changes to the latest version and try again";

/**
 * An updated object, or a generator that makes the object in steps and yields to other requests
 * between the steps.
 */
export type Changed = ApiObject | Generator<void, ApiObject>;

/** The parameters of an update of an object in the registry. */
export interface UpdateRequest {
  /**
   * Returns the new object for the current object, which the function must not change, or for
   * `undefined` if the object is to be created. The function is called again with the newest object
   * after a concurrent write. The result must not share mutable values with the current object.
   */
  readonly change: (current: ApiObject | undefined) => Changed;
  /**
   * Sets whether the update creates a missing object. A write of a subresource creates the object
   * only if its kind has `allowCreateOnUpdate`.
   *
   * @default {`allowCreateOnUpdate` of its kind}
   */
  readonly create?: boolean;
  /** The uid that the stored object must have for the update; any uid if absent or empty. */
  readonly uid?: string | undefined;
  /**
   * Sets whether the function `change` also sets the managed fields of the object, so that the
   * update leaves these fields unchanged.
   *
   * @default {false}
   */
  readonly managed?: boolean;
  /**
   * Checks that the user may create the missing object, since permission to update does not include
   * creation. Without this function there is no check.
   *
   * @throws {StatusError} 403
   */
  readonly authorizeCreate?: () => void;
}

/**
 * Updates an object of the registry, or creates the object if that is allowed (`registry/store.go,
 * Update`). An update that changes nothing is not stored; one that takes the last finalizer or hold
 * from an object that is being deleted removes the object.
 *
 * @throws {StatusError} 404 if the object is missing and must not be created; 409 if the object has
 * another uid or resourceVersion than the update requires; 422 for an invalid object; 500 if the
 * object is too large or cannot be converted; the error of an admission plugin, of `change` and of
 * `authorizeCreate`.
 */
export async function updateObject(
  registry: RegistryCore,
  context: VerbContext,
  request: UpdateRequest,
): Promise<Written> {
  const { resource, name } = context;
  const collection = registry.log.collection(collectionName(resource));
  const key = storageKey(resource.namespaced ? context.namespace : "", name);
  // A kind that allows creation by PUT allows it by a PUT of the status as well.
  const { allowCreateOnUpdate = false } = resource.strategy;
  const { create = allowCreateOnUpdate } = request;
  const mayCreate = create && (allowCreateOnUpdate || context.subresource === "");
  for (;;) {
    const stored = collection.get(key);
    if (!stored && !mayCreate) {
      throw notFound({ group: resource.group, resource: resource.plural }, name);
    }
    const written = stored
      ? await tryUpdate(registry, context, collection, stored, request)
      : await tryCreate(registry, context, collection, key, request);
    if (written) return written;
  }
}

/**
 * Creates the missing object of an update. Returns `undefined` if another write created the object
 * in the meantime.
 */
async function tryCreate(
  registry: RegistryCore,
  context: VerbContext,
  collection: Collection,
  key: string,
  request: UpdateRequest,
): Promise<Written | undefined> {
  checkUid(context, key, request.uid, "");
  const made = await changedOf(context, request.change(undefined));
  if (!request.managed) await claim(registry, context, undefined, made);
  const object = (await mutate(registry, context, "CREATE", made, undefined))!;
  dedupOwners(object, context, true);
  wipeSystemFields(object.metadata);
  fillSystemFields(object.metadata, context);
  await prepareCreate(registry, context, object);
  request.authorizeCreate?.();
  await validate(registry, context, "CREATE", object, undefined);
  if (collection.get(key)) return undefined;
  return await commitCreate(registry, context, object);
}

/**
 * Updates a stored object. Returns `undefined` if another write changed the object in the meantime.
 */
async function tryUpdate(
  registry: RegistryCore,
  context: VerbContext,
  collection: Collection,
  stored: StoredObject,
  request: UpdateRequest,
): Promise<Written | undefined> {
  const { resource } = context;
  const [old] = await fromStorage(resource, [stored]);
  checkUid(context, stored.key, request.uid, old!.metadata.uid ?? "");
  if (context.work.used) await context.work.next();
  const made = await changedOf(context, request.change(old));
  if (context.work.used) await context.work.next();
  if (!request.managed) await claim(registry, context, old, made);
  if (context.work.used) await context.work.next();
  const object = (await mutate(registry, context, "UPDATE", made, old))!;
  dedupOwners(object, context, true);
  checkVersion(context, object, old!);
  await prepareUpdate(registry, context, object, old!);
  keepTimesOfNoChange(object, old!);
  if (context.work.used) await context.work.next();
  await validate(registry, context, "UPDATE", object, old);
  if (collection.get(stored.key)?.revision !== stored.revision) return undefined;
  return await commitUpdate(registry, context, collection, stored, object, old!);
}

/**
 * Returns the updated object; a generator is run to its end. (No field of an object is a function.)
 */
function changedOf({ work }: VerbContext, changed: Changed): ApiObject | Promise<ApiObject> {
  const isSteps = (each: Changed): each is Generator<void, ApiObject> =>
    typeof each.next === "function";
  return isSteps(changed) ? work.run(changed) : changed;
}

async function claim(
  registry: RegistryCore,
  context: VerbContext,
  old: ApiObject | undefined,
  object: ApiObject,
): Promise<void> {
  const manager = registry.managers.of(context.resource, context.subresource);
  await context.work.run(manager.updateInSteps(old, object, context.fieldManager, context.now));
}

/**
 * Checks that the stored object has the uid that the caller sent, if any.
 *
 * @throws {StatusError} 409
 */
function checkUid(
  { resource, name, dryRun }: VerbContext,
  key: string,
  uid: string | undefined,
  found: string,
): void {
  if (!uid || uid === found) return;
  throw conflict(
    { group: resource.group, resource: resource.plural },
    name,
    `StorageError: invalid object, Code: 4, Key: ${registryPath(resource, key, dryRun)}, ` +
      "ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: " +
      `UID in precondition: ${uid}, UID in object meta: ${found}`,
  );
}

/**
 * Checks that the stored object has the resourceVersion that the caller sent. If the caller sent
 * none or 0, sets that of the stored object in the updated object.
 *
 * @throws {StatusError} 409 for another resourceVersion; 422 if the caller sent none and the kind
 * requires one; 500 for an invalid one.
 */
function checkVersion(context: VerbContext, object: ApiObject, old: ApiObject): void {
  const { group, plural, strategy } = context.resource;
  const { metadata } = object;
  const current = old.metadata.resourceVersion!;
  if (metadata.resourceVersion === current) return;
  const asked = objectRevision(metadata.resourceVersion);
  if (asked !== 0) {
    if (asked === Number(current)) return;
    throw conflict({ group, resource: plural }, context.name, OPTIMISTIC_LOCK);
  }
  if (strategy.allowUnconditionalUpdate === false) {
    const path = FieldPath.of("metadata", "resourceVersion");
    throw invalidObject({ group, kind: plural }, context.name, [
      invalid(path, 0, "must be specified for an update"),
    ]);
  }
  metadata.resourceVersion = current;
}

/**
 * Returns the strategy of an update's endpoint: of the object itself, its status or another
 * subresource; an empty one for a subresource without rules.
 */
function stepsOf({ resource, subresource }: VerbContext): Pick<
  KindStrategy,
  "prepareForUpdate" | "validateChange" | "validateUpdate" | "warnings"
> {
  const { strategy } = resource;
  // An update of a scale writes the scaled object.
  if (subresource === "" || subresource === "scale") return strategy;
  if (subresource === "status") return strategy.status ?? {};
  return strategy.subresources?.[subresource] ?? {};
}

/**
 * Prepares an updated object, in place, validates the object, and adds the warnings about the
 * object to the response, before the validating admission plugins run (`rest.BeforeUpdate`).
 *
 * @throws {StatusError} 400 if the object has another namespace than the request; 422 for an
 * invalid object; 500 for an object without `apiVersion`; the error of the strategy that prepares
 * the object.
 */
async function prepareUpdate(
  registry: RegistryCore,
  context: VerbContext,
  object: ApiObject,
  old: ApiObject,
): Promise<void> {
  const { resource } = context;
  const steps = stepsOf(context);
  const before = old.metadata;
  if (!object.apiVersion) {
    throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  }
  matchNamespace(object, context);
  if (before.generation === undefined) delete object.metadata.generation;
  else object.metadata.generation = before.generation;
  steps.prepareForUpdate?.(object, old, context, registry);
  // The strategy of a subresource may have restored the metadata of the old object.
  const { metadata } = object;
  if (!metadata.uid) metadata.uid = before.uid!;
  if (before.creationTimestamp) metadata.creationTimestamp = before.creationTimestamp;
  if (before.deletionTimestamp) metadata.deletionTimestamp = before.deletionTimestamp;
  if (before.deletionGracePeriodSeconds !== undefined) {
    metadata.deletionGracePeriodSeconds ??= before.deletionGracePeriodSeconds;
  }
  const found = await context.work.run(validateChangedMetadata(metadata, before, context));
  const places = resource.strategy.placesMetadataErrors && context.subresource === "";
  const ofMetadata = found.general.concat(
    places ? [] : found.before,
    steps.validateChange?.(object, old) ?? [],
    places ? [] : found.after,
  );
  const known = places ? found.before : ofMetadata;
  const own = steps.validateUpdate?.(object, old, context, registry, known) ?? [];
  const errors = ofMetadata.concat(await findingsOf(context, own));
  if (errors.length > 0) {
    throw await context.work.run(refusalInSteps(resource, metadata.name, errors));
  }
  const warnings = steps.warnings?.(object, old) ?? [];
  for (const text of await findingsOf(context, warnings)) context.warn(text);
}

async function commitUpdate(
  registry: RegistryCore,
  context: VerbContext,
  collection: Collection,
  current: StoredObject,
  changed: ApiObject,
  old: ApiObject,
): Promise<Written | undefined> {
  const { resource } = context;
  const object = completeObject(resource.schema(), changed, { stored: true });
  if (context.work.used) await context.work.next();
  if (collection.get(current.key)?.revision !== current.revision) return undefined;
  if (goesNow(context, object, old)) {
    if (!context.dryRun) {
      const last = current.tree();
      registry.log.delete(collection, current.key, lastText(registry.log, last));
      resource.strategy.release?.(last, registry);
    }
    return { object, created: false, gone: true };
  }
  const same = jsonEqual(object, old) && !hasNilBytes(resource, changed);
  const readAsStored = same && !current.isLoose;
  if (readAsStored && isStoredForm(resource)) {
    return { object: old, created: false };
  }
  if (context.work.used) await context.work.next();
  const { readBack } = resource.strategy;
  const readsOther = readBack !== undefined && await context.work.run(readBack(object));
  if (context.work.used) await context.work.next();
  const stored = isStoredForm(resource) ? object : await toStorage(resource, object);
  if (context.dryRun) {
    return { object: await shownForm(resource, object, stored), created: false };
  }
  // An object that is stored in an old version or schema is written again, though it changes
  // nothing.
  if (readAsStored && jsonEqual(stored, current.tree())) {
    return { object: old, created: false };
  }
  if (context.work.used) await context.work.next();
  const fits = context.work.isLong && await fitsAfterTurn(context, stored);
  if (collection.get(current.key)?.revision !== current.revision) return undefined;
  resource.strategy.allocate?.(stored, old, context, registry);
  const made = registry.log.put(
    collection,
    current.key,
    storeText(registry.log, object, stored, fits),
  );
  if (readsOther || !same && storesLoose(resource, changed)) made.isLoose = true;
  if (stored === object) return { object, stored: made, created: false };
  return { object: await shownForm(resource, object, stored), created: false };
}

/**
 * Reports whether an update removes an object that is being deleted: its grace period is 0 or
 * absent, and the updated object has no finalizer or hold.
 */
function goesNow(context: VerbContext, object: ApiObject, old: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = old.metadata;
  return Boolean(deletionTimestamp) && !deletionGracePeriodSeconds &&
    !object.metadata.finalizers?.length && !context.resource.strategy.heldBack?.(object);
}
