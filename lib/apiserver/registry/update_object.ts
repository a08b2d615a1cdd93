import type { ApiObject } from "../machinery/api_object.ts";
import { invalid } from "../machinery/field_error.ts";
import { FieldPath } from "../machinery/field_path.ts";
import { conflict, invalidObject, notFound } from "../machinery/status_error.ts";
import type { StoredObject } from "../storage/arena.ts";
import type { Collection } from "../storage/collection.ts";
import { mutate, validate } from "./admit.ts";
import { commitCreate, prepareCreate } from "./create_object.ts";
import { collectionName, storageKey } from "./keys.ts";
import { validateMetadata, validateMetadataUpdate } from "./metadata_rules.ts";
import { fillSystemFields, matchNamespace, wipeSystemFields } from "./object_meta.ts";
import type { RegistryCore } from "./registry_core.ts";
import type { RequestScope } from "./request_scope.ts";
import { sameObject } from "./same_object.ts";
import { fromStorage, isStoredForm, toStorage } from "./versions.ts";
import { storeText, type Written } from "./written.ts";

const OPTIMISTIC_LOCK =
  "the object has been modified; please apply your changes to the latest version and try again";

/** How an update is made. */
export interface UpdateRequest {
  /** A name that is not there is created, though the kind does not say so. @default {false} */
  readonly create?: boolean;
}

/**
 * Changes an object: `change` makes the new one of the current one, and is called again with the
 * newest when another write came between.
 */
export async function updateObject(
  registry: RegistryCore,
  scope: RequestScope,
  change: (current: ApiObject | undefined) => ApiObject,
  request: UpdateRequest = {},
): Promise<Written> {
  const { resource, name } = scope;
  const collection = registry.log.collection(collectionName(resource));
  const key = storageKey(resource.namespaced ? scope.namespace : "", name);
  const mayCreate = request.create || resource.strategy.allowCreateOnUpdate;
  for (;;) {
    const stored = collection.get(key);
    if (!stored && !mayCreate) {
      throw notFound({ group: resource.group, resource: resource.plural }, name);
    }
    const written = stored
      ? await tryUpdate(registry, scope, collection, stored, change)
      : await tryCreate(registry, scope, collection, key, change);
    if (written) return written;
  }
}

/** `undefined`: the object came to be meanwhile. */
async function tryCreate(
  registry: RegistryCore,
  scope: RequestScope,
  collection: Collection,
  key: string,
  change: (current: ApiObject | undefined) => ApiObject,
): Promise<Written | undefined> {
  const made = change(undefined);
  matchNamespace(made, scope);
  const object = await mutate(registry, scope, "CREATE", made, undefined);
  wipeSystemFields(object.metadata);
  fillSystemFields(object.metadata, scope);
  prepareCreate(registry, scope, object);
  await validate(registry, scope, "CREATE", object, undefined);
  if (collection.get(key)) return undefined;
  return await commitCreate(registry, scope, object);
}

/** `undefined`: the object moved meanwhile. */
async function tryUpdate(
  registry: RegistryCore,
  scope: RequestScope,
  collection: Collection,
  stored: StoredObject,
  change: (current: ApiObject | undefined) => ApiObject,
): Promise<Written | undefined> {
  const { resource } = scope;
  const [old] = await fromStorage(resource, [stored]);
  const [current] = await fromStorage(resource, [stored]);
  const made = change(current);
  matchNamespace(made, scope);
  const object = await mutate(registry, scope, "UPDATE", made, old);
  checkVersion(scope, object, old!);
  prepareUpdate(registry, scope, object, old!);
  await validate(registry, scope, "UPDATE", object, old);
  if (collection.get(stored.key)?.revision !== stored.revision) return undefined;
  return await commitUpdate(registry, scope, collection, stored, object, old!);
}

/** @throws {StatusError} 409 when the object was changed since the caller read it. */
function checkVersion(scope: RequestScope, object: ApiObject, old: ApiObject): void {
  const { group, plural, strategy } = scope.resource;
  const about = { group, resource: plural };
  const { metadata } = object;
  const asked = metadata.resourceVersion ?? "";
  if (asked === "" || asked === "0") {
    if (strategy.allowUnconditionalUpdate === false) {
      throw invalidObject({ group, kind: plural }, scope.name, [
        invalid(
          FieldPath.of("metadata", "resourceVersion"),
          0,
          "must be specified for an update",
        ),
      ]);
    }
    metadata.resourceVersion = old.metadata.resourceVersion!;
  } else if (asked !== old.metadata.resourceVersion) {
    throw conflict(about, scope.name, OPTIMISTIC_LOCK);
  }
}

/** What every changed object passes before validating admission. */
function prepareUpdate(
  registry: RegistryCore,
  scope: RequestScope,
  object: ApiObject,
  old: ApiObject,
): void {
  const { group, kind, namespaced, strategy } = scope.resource;
  const steps = scope.subresource === "status"
    ? strategy.status ?? {}
    : strategy.subresources?.[scope.subresource] ?? strategy;
  const { metadata } = object;
  const before = old.metadata;
  matchNamespace(object, scope);
  if (before.generation === undefined) delete metadata.generation;
  else metadata.generation = before.generation;
  steps.prepareForUpdate?.(object, old, scope, registry);
  if (!metadata.uid) metadata.uid = before.uid!;
  if (before.creationTimestamp) metadata.creationTimestamp = before.creationTimestamp;
  if (before.deletionTimestamp) metadata.deletionTimestamp = before.deletionTimestamp;
  if (before.deletionGracePeriodSeconds !== undefined) {
    metadata.deletionGracePeriodSeconds ??= before.deletionGracePeriodSeconds;
  }
  const errors = [
    ...validateMetadata(metadata, namespaced, strategy),
    ...validateMetadataUpdate(metadata, before),
    ...steps.validateUpdate?.(object, old, scope, registry) ?? [],
  ];
  if (errors.length > 0) throw invalidObject({ group, kind }, metadata.name ?? "", errors);
  for (const text of steps.warnings?.(object, old) ?? []) scope.warn(text);
}

async function commitUpdate(
  registry: RegistryCore,
  scope: RequestScope,
  collection: Collection,
  current: StoredObject,
  object: ApiObject,
  old: ApiObject,
): Promise<Written | undefined> {
  const { resource } = scope;
  if (goesNow(scope, object, old)) {
    if (!scope.dryRun) {
      const last = await toStorage(resource, object);
      if (collection.get(current.key)?.revision !== current.revision) return undefined;
      const text = storeText(registry, resource, object, last);
      object.metadata.resourceVersion = old.metadata.resourceVersion!;
      registry.log.delete(collection, current.key, text);
      resource.strategy.release?.(object, registry);
    }
    return { object, text: undefined, created: false };
  }
  if (sameObject(object, old)) return { object: old, text: undefined, created: false };
  if (scope.dryRun) return { object, text: undefined, created: false };
  const stored = isStoredForm(resource) ? object : await toStorage(resource, object);
  if (collection.get(current.key)?.revision !== current.revision) return undefined;
  resource.strategy.allocate?.(stored, old, scope, registry);
  const text = storeText(registry, resource, object, stored);
  registry.log.put(collection, current.key, text);
  return { object, text: stored === object ? text : undefined, created: false };
}

/** Whether the update took away the last thing that held a deleted object. */
function goesNow(scope: RequestScope, object: ApiObject, old: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = old.metadata;
  return Boolean(deletionTimestamp) && !deletionGracePeriodSeconds &&
    !object.metadata.finalizers?.length && !scope.resource.strategy.heldBack?.(object);
}
