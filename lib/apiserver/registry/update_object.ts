import {
  conflict,
  type FieldError,
  FieldPath,
  internalError,
  invalid,
  invalidObject,
  notFound,
} from "@xca/apimachinery/internal/errors";
import { type ApiObject, jsonEqual } from "@xca/apimachinery/internal/values";
import { keepTimesOfNoChange } from "../managed_fields/unchanged_times.ts";
import { completeObject } from "../decode/complete.ts";
import type { KindStrategy } from "../machinery/strategy.ts";
import type { StoredObject } from "../storage/arena.ts";
import type { Collection } from "../storage/collection.ts";
import { mutate, validate } from "./admit.ts";
import { commitCreate, findingsOf, prepareCreate } from "./create_object.ts";
import { collectionName, registryPath, storageKey, storedKind } from "../machinery/keys.ts";
import { validateChangedMetadata } from "./metadata_rules.ts";
import { matchNamespace } from "./object_identity.ts";
import { fillSystemFields } from "./object_meta.ts";
import { dedupOwners } from "./owner_references.ts";
import type { RegistryCore } from "./registry_core.ts";
import type { RequestScope } from "./request_scope.ts";
import { hasNilBytes, isLoose, noteLoose, storesLoose } from "./loose_form.ts";
import { objectRevision } from "./revisions.ts";
import { fromStorage, isStoredForm, shownForm, toStorage } from "./versions.ts";
import { storeText, type Written } from "./written.ts";

const OPTIMISTIC_LOCK =
  "the object has been modified; please apply your changes to the latest version and try again";

/**
 * A changed object, or a generator that makes it in steps and yields to other requests between
 * them.
 */
export type Changed = ApiObject | Generator<void, ApiObject>;

/** The parameters of an update. */
export interface UpdateRequest {
  /**
   * Returns the new object for the current one, which it must not change; `undefined` if there is
   * none and the object is to be created. Called again with the newest object after a concurrent
   * write. Later changes of the result must not reach the current object.
   */
  readonly change: (current: ApiObject | undefined) => Changed;
  /** Whether a missing object is created. @default {`allowCreateOnUpdate` of its kind} */
  readonly create?: boolean;
  /** The uid that the current object must have. */
  readonly uid?: string | undefined;
  /** Whether `change` updates the managed fields itself. @default {false} */
  readonly managed?: boolean;
  /**
   * Called before a missing object is created, since permission to update does not include
   * creation. @throws {StatusError} 403
   */
  readonly authorizeCreate?: () => void;
}

/** Updates an object (`registry/store.go, Update`). @throws {StatusError} */
export async function updateObject(
  registry: RegistryCore,
  scope: RequestScope,
  request: UpdateRequest,
): Promise<Written> {
  const { resource, name } = scope;
  const collection = registry.log.collection(collectionName(resource));
  const key = storageKey(resource.namespaced ? scope.namespace : "", name);
  // A kind that allows creation by PUT allows it by a PUT of the status as well.
  const { allowCreateOnUpdate = false } = resource.strategy;
  const { create = allowCreateOnUpdate } = request;
  const mayCreate = create && (allowCreateOnUpdate || scope.subresource === "");
  for (;;) {
    const stored = collection.get(key);
    if (!stored && !mayCreate) {
      throw notFound({ group: resource.group, resource: resource.plural }, name);
    }
    const written = stored
      ? await tryUpdate(registry, scope, collection, stored, request)
      : await tryCreate(registry, scope, collection, key, request);
    if (written) return written;
  }
}

/** Creates the missing object. Returns `undefined` if it appeared in the meantime. */
async function tryCreate(
  registry: RegistryCore,
  scope: RequestScope,
  collection: Collection,
  key: string,
  request: UpdateRequest,
): Promise<Written | undefined> {
  checkUid(scope, key, request.uid, "");
  const made = await changedOf(scope, request.change(undefined));
  if (!request.managed) await claim(registry, scope, undefined, made);
  const object = (await mutate(registry, scope, "CREATE", made, undefined))!;
  dedupOwners(object, scope, true);
  fillSystemFields(object.metadata, scope);
  await prepareCreate(registry, scope, object);
  request.authorizeCreate?.();
  await validate(registry, scope, "CREATE", object, undefined);
  if (collection.get(key)) return undefined;
  return await commitCreate(registry, scope, object);
}

/** Updates the stored object. Returns `undefined` if another write changed it in the meantime. */
async function tryUpdate(
  registry: RegistryCore,
  scope: RequestScope,
  collection: Collection,
  stored: StoredObject,
  request: UpdateRequest,
): Promise<Written | undefined> {
  const { resource } = scope;
  const [old] = await fromStorage(resource, [stored]);
  checkUid(scope, stored.key, request.uid, old!.metadata.uid ?? "");
  const made = await changedOf(scope, request.change(old));
  if (scope.work.used) await scope.work.next();
  if (!request.managed) await claim(registry, scope, old, made);
  if (scope.work.used) await scope.work.next();
  const object = (await mutate(registry, scope, "UPDATE", made, old))!;
  dedupOwners(object, scope, true);
  checkVersion(scope, object, old!);
  await prepareUpdate(registry, scope, object, old!);
  keepTimesOfNoChange(object, old!);
  if (scope.work.used) await scope.work.next();
  await validate(registry, scope, "UPDATE", object, old);
  if (collection.get(stored.key)?.revision !== stored.revision) return undefined;
  return await commitUpdate(registry, scope, collection, stored, object, old!);
}

/** Returns the changed object, after running its steps. (No field of an object is a function.) */
function changedOf({ work }: RequestScope, changed: Changed): ApiObject | Promise<ApiObject> {
  const isSteps = (each: Changed): each is Generator<void, ApiObject> =>
    typeof each.next === "function";
  return isSteps(changed) ? work.run(changed) : changed;
}

async function claim(
  registry: RegistryCore,
  scope: RequestScope,
  old: ApiObject | undefined,
  object: ApiObject,
): Promise<void> {
  const manager = registry.managers.of(scope.resource, scope.subresource);
  await scope.work.run(manager.updateInSteps(old, object, scope.fieldManager, scope.now));
}

/** Checks that the object has the uid that the caller sent. @throws {StatusError} 409 */
function checkUid(
  { resource, name, dryRun }: RequestScope,
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
 * Checks that the object has the resourceVersion that the caller sent. @throws {StatusError} 409
 */
function checkVersion(scope: RequestScope, object: ApiObject, old: ApiObject): void {
  const { group, plural, strategy } = scope.resource;
  const { metadata } = object;
  const current = old.metadata.resourceVersion!;
  if (metadata.resourceVersion === current) return;
  const asked = objectRevision(metadata.resourceVersion);
  if (asked !== 0) {
    if (asked === Number(current)) return;
    throw conflict({ group, resource: plural }, scope.name, OPTIMISTIC_LOCK);
  }
  if (strategy.allowUnconditionalUpdate === false) {
    const path = FieldPath.of("metadata", "resourceVersion");
    throw invalidObject({ group, kind: plural }, scope.name, [
      invalid(path, 0, "must be specified for an update"),
    ]);
  }
  metadata.resourceVersion = current;
}

/**
 * Returns the strategy of the endpoint: of the object itself, its status or another subresource.
 */
function stepsOf({ resource, subresource }: RequestScope): Pick<
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
 * Prepares and validates a changed object before validating admission (`rest.BeforeUpdate`).
 * @throws {StatusError} 422
 */
async function prepareUpdate(
  registry: RegistryCore,
  scope: RequestScope,
  object: ApiObject,
  old: ApiObject,
): Promise<void> {
  const { resource } = scope;
  const steps = stepsOf(scope);
  const before = old.metadata;
  if (!object.apiVersion) {
    throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  }
  matchNamespace(object, scope);
  if (before.generation === undefined) delete object.metadata.generation;
  else object.metadata.generation = before.generation;
  steps.prepareForUpdate?.(object, old, scope, registry);
  // The strategy of a subresource may have restored the metadata of the old object.
  const { metadata } = object;
  if (!metadata.uid) metadata.uid = before.uid!;
  if (before.creationTimestamp) metadata.creationTimestamp = before.creationTimestamp;
  if (before.deletionTimestamp) metadata.deletionTimestamp = before.deletionTimestamp;
  if (before.deletionGracePeriodSeconds !== undefined) {
    metadata.deletionGracePeriodSeconds ??= before.deletionGracePeriodSeconds;
  }
  const found = validateChangedMetadata(metadata, before, scope);
  const places = resource.strategy.placesMetadataErrors && scope.subresource === "";
  const errors: FieldError[] = [...found.general, ...(places ? [] : found.before)];
  errors.push(...steps.validateChange?.(object, old) ?? []);
  if (!places) errors.push(...found.after);
  const known = places ? found.before : errors;
  const own = steps.validateUpdate?.(object, old, scope, registry, known) ?? [];
  errors.push(...await findingsOf(scope, own));
  if (errors.length > 0) throw invalidObject(storedKind(resource), metadata.name ?? "", errors);
  for (const text of steps.warnings?.(object, old) ?? []) scope.warn(text);
}

async function commitUpdate(
  registry: RegistryCore,
  scope: RequestScope,
  collection: Collection,
  current: StoredObject,
  changed: ApiObject,
  old: ApiObject,
): Promise<Written | undefined> {
  const { resource } = scope;
  const object = completeObject(resource.schema(), changed, { stored: true });
  if (scope.work.used) await scope.work.next();
  if (collection.get(current.key)?.revision !== current.revision) return undefined;
  if (goesNow(scope, object, old)) {
    if (!scope.dryRun) {
      const last = current.tree();
      registry.log.delete(collection, current.key, storeText(registry.log, last, last));
      resource.strategy.release?.(last, registry);
    }
    return { object, created: false, gone: true };
  }
  const same = jsonEqual(object, old) && !hasNilBytes(resource, changed);
  const readAsStored = same && !isLoose(current);
  if (readAsStored && isStoredForm(resource)) {
    return { object: old, created: false };
  }
  const readsOther = resource.strategy.readBack?.(object) ?? false;
  const stored = isStoredForm(resource) ? object : await toStorage(resource, object);
  if (scope.dryRun) {
    return { object: await shownForm(resource, object, stored), created: false };
  }
  // An object that is stored in an old version or schema is written again, though it changes
  // nothing.
  if (readAsStored && jsonEqual(stored, current.tree())) {
    return { object: old, created: false };
  }
  if (collection.get(current.key)?.revision !== current.revision) return undefined;
  resource.strategy.allocate?.(stored, old, scope, registry);
  const made = registry.log.put(collection, current.key, storeText(registry.log, object, stored));
  if (readsOther || !same && storesLoose(resource, changed)) noteLoose(made);
  if (stored === object) return { object, stored: made, created: false };
  return { object: await shownForm(resource, object, stored), created: false };
}

/** Reports whether the update removed the last thing that held an object that is being deleted. */
function goesNow(scope: RequestScope, object: ApiObject, old: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = old.metadata;
  return Boolean(deletionTimestamp) && !deletionGracePeriodSeconds &&
    !object.metadata.finalizers?.length && !scope.resource.strategy.heldBack?.(object);
}
