// Mirrors `registry/generic/registry/store.go, Store.Create`.
import { completeObject } from "../../decode/complete.ts";
import {
  alreadyExists,
  type FieldError,
  invalidObjectInSteps,
  mergeDeclaredInSteps,
  StatusError,
} from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { cloneAsItCame } from "../../machinery/empty_maps.ts";
import type { ApiResource } from "../../machinery/resource.ts";
import type { Findings } from "../../machinery/strategy.ts";
import { mutate, validate } from "./admit.ts";
import { collectionName, storageKey, storedKind } from "../../machinery/keys.ts";
import { hasDeclaredRules, validateNewMetadata } from "./metadata_rules.ts";
import { matchNamespace } from "./object_identity.ts";
import { fillSystemFields, wipeSystemFields } from "./object_meta.ts";
import { dedupOwners } from "./owner_references.ts";
import type { RegistryCore } from "./registry_core.ts";
import type { VerbContext } from "./verb_context.ts";
import { isStoredForm, shownForm, toStorage } from "./versions.ts";
import { storesLoose } from "./loose_form.ts";
import { storeText, surelyFits, type Written } from "./written.ts";

/**
 * The number of attempts to generate a free name for an object with `generateName`
 * (`registry/store.go, maxNameGenerationCreateAttempts`).
 */
const NAME_ATTEMPTS = 8;

/**
 * Creates an object in the registry, after admission and validation; the caller must not use the
 * passed object afterwards (`registry/store.go`, `Store.Create`).
 *
 * @throws {StatusError} 400 for an object of another namespace; 422 for an invalid object; 409 if
 * the name is taken; 500 if the object is too large, cannot be converted or has a resourceVersion;
 * the error of an admission plugin.
 */
export async function createObject(
  registry: RegistryCore,
  context: VerbContext,
  object: ApiObject,
): Promise<Written> {
  wipeSystemFields(object.metadata);
  matchNamespace(object, context);
  dedupOwners(object, context, false);
  const manager = registry.managers.of(context.resource, context.subresource);
  const claim = manager.updateInSteps(undefined, object, context.fieldManager, context.now);
  await context.work.run(claim);
  const admitted = (await mutate(registry, context, "CREATE", object, undefined))!;
  dedupOwners(admitted, context, true);
  const { generateName, name } = admitted.metadata;
  if (!generateName || name) return await tryCreate(registry, context, admitted);
  for (let attempt = 1;; attempt++) {
    try {
      return await tryCreate(registry, context, cloneAsItCame(admitted));
    } catch (error) {
      const taken = error instanceof StatusError && error.reason === "AlreadyExists";
      if (!taken || attempt === NAME_ATTEMPTS) throw error;
    }
  }
}

async function tryCreate(
  registry: RegistryCore,
  context: VerbContext,
  object: ApiObject,
): Promise<Written> {
  fillSystemFields(object.metadata, context);
  await prepareCreate(registry, context, object);
  if (context.work.used) await context.work.next();
  await validate(registry, context, "CREATE", object, undefined);
  if (object.metadata.resourceVersion && !context.dryRun) {
    const why = "resourceVersion should not be set on objects to be created";
    throw new StatusError(500, "", why);
  }
  return await commitCreate(registry, context, object);
}

/**
 * Prepares a new object, in place, validates the object, and adds the warnings about the object to
 * the response, before the validating admission plugins run (`rest.BeforeCreate`).
 *
 * @throws {StatusError} 400 if the object has another namespace than the request; 422 for an
 * invalid object; the error of the strategy that prepares the object.
 */
export async function prepareCreate(
  registry: RegistryCore,
  context: VerbContext,
  object: ApiObject,
): Promise<void> {
  const { resource } = context;
  const { strategy } = resource;
  matchNamespace(object, context);
  strategy.prepareForCreate?.(object, context, registry);
  const found = await context.work.run(validateNewMetadata(object.metadata, resource));
  const findings = strategy.validateCreate?.(object, context, registry, found) ?? [];
  const own = await findingsOf(context, findings);
  // Kinds that do not validate metadata themselves report its errors only if there are no others.
  const last = strategy.metadataOfUpdate === "none" && own.length > 0;
  const errors = last || strategy.placesMetadataErrors ? own : found.concat(own);
  if (errors.length > 0) {
    throw await context.work.run(refusalInSteps(resource, object.metadata.name, errors));
  }
  const warnings = strategy.warnings?.(object, undefined) ?? [];
  for (const text of await findingsOf(context, warnings)) context.warn(text);
}

/** Returns the 422 error about an invalid object of a resource, which is made in steps. */
export function* refusalInSteps(
  resource: ApiResource,
  name: string | undefined,
  errors: readonly FieldError[],
): Generator<void, StatusError> {
  const all = hasDeclaredRules(resource) ? yield* mergeDeclaredInSteps(errors) : errors;
  return yield* invalidObjectInSteps(storedKind(resource), name ?? "", all);
}

/** Returns the errors or warnings of a kind's validation; a long one yields to other requests. */
export function findingsOf<T>(
  context: VerbContext,
  findings: Findings<T>,
): readonly T[] | Promise<readonly T[]> {
  if (findings instanceof Promise) return findings.then((steps) => findingsOf(context, steps));
  return "next" in findings ? context.work.run(findings) : findings;
}

/**
 * Reports whether an object is certainly below the size limit of stored objects; false if the
 * object may be too large. Yields to other requests before it returns if the request has used its
 * time.
 */
export async function fitsAfterTurn(
  { work }: VerbContext,
  stored: ApiObject,
): Promise<boolean> {
  const fits = surelyFits(stored);
  if (work.used) await work.next();
  return fits;
}

/**
 * Stores a new object, after admission and validation. A dry run stores nothing.
 *
 * @throws {StatusError} 409 if the name is taken; 500 if the object is too large or cannot be
 * converted; the error of the strategy that allocates addresses and ports.
 */
export async function commitCreate(
  registry: RegistryCore,
  context: VerbContext,
  created: ApiObject,
): Promise<Written> {
  const { resource } = context;
  const { strategy } = resource;
  const readsMore = strategy.readsMoreThanStored?.(created) ?? false;
  if (readsMore) strategy.defaults?.(created);
  const readsOther = strategy.readBack !== undefined &&
    await context.work.run(strategy.readBack(created));
  if (context.work.used) await context.work.next();
  const object = completeObject(resource.schema(), created, { stored: true });
  if (context.work.used) await context.work.next();
  const { metadata } = object;
  // A dry run answers with the resourceVersion that was sent.
  if (!context.dryRun) delete metadata.resourceVersion;
  const stored = isStoredForm(resource) ? object : await toStorage(resource, object);
  if (context.work.used) await context.work.next();
  const fits = context.work.isLong && await fitsAfterTurn(context, stored);
  const collection = registry.log.collection(collectionName(resource));
  const key = storageKey(metadata.namespace ?? "", metadata.name!);
  const taken = collection.get(key);
  if (taken) {
    const deleting = Boolean(taken.tree().metadata.deletionTimestamp);
    const generated = Boolean(metadata.generateName);
    // The error about a generated name names the group of the storage.
    const { group } = generated ? storedKind(resource) : resource;
    const about = { group, resource: resource.plural };
    throw alreadyExists(about, metadata.name!, { deleting, generated });
  }
  if (context.dryRun) {
    return { object: await shownForm(resource, object, stored), created: true };
  }
  strategy.allocate?.(stored, undefined, context, registry);
  const made = registry.log.put(collection, key, storeText(registry.log, object, stored, fits));
  if (readsMore || readsOther || storesLoose(resource, created)) made.isLoose = true;
  if (stored === object) return { object, stored: made, created: true };
  return { object: await shownForm(resource, object, stored), created: true };
}
