import type { ApiObject } from "../machinery/api_object.ts";
import { alreadyExists, invalidObject, type StatusError } from "../machinery/status_error.ts";
import { mutate, validate } from "./admit.ts";
import type { RegistryCore } from "./registry_core.ts";
import type { RequestScope } from "./request_scope.ts";
import { collectionName, storageKey } from "./keys.ts";
import { validateMetadata } from "./metadata_rules.ts";
import { fillSystemFields, matchNamespace, wipeSystemFields } from "./object_meta.ts";
import { isStoredForm, toStorage } from "./versions.ts";
import { storeText, type Written } from "./written.ts";

/** How often a taken name is made anew, as the real server does. */
const NAME_ATTEMPTS = 8;

/** Creates an object; `make` gives it, anew each time. */
export async function createObject(
  registry: RegistryCore,
  scope: RequestScope,
  make: () => ApiObject,
): Promise<Written> {
  const object = make();
  wipeSystemFields(object.metadata);
  matchNamespace(object, scope);
  // [managed fields]
  const admitted = await mutate(registry, scope, "CREATE", object, undefined);
  const generated = Boolean(admitted.metadata.generateName && !admitted.metadata.name);
  for (let attempt = 1;; attempt++) {
    const again = generated && attempt < NAME_ATTEMPTS ? structuredClone(admitted) : undefined;
    try {
      return await tryCreate(registry, scope, admitted);
    } catch (error) {
      if (!again || (error as StatusError).reason !== "AlreadyExists") throw error;
      Object.assign(admitted, again);
    }
  }
}

async function tryCreate(
  registry: RegistryCore,
  scope: RequestScope,
  object: ApiObject,
): Promise<Written> {
  fillSystemFields(object.metadata, scope);
  prepareCreate(registry, scope, object);
  await validate(registry, scope, "CREATE", object, undefined);
  return await commitCreate(registry, scope, object);
}

/** What every new object passes before validating admission. */
export function prepareCreate(
  registry: RegistryCore,
  scope: RequestScope,
  object: ApiObject,
): void {
  const { strategy, kind, group, namespaced } = scope.resource;
  matchNamespace(object, scope);
  strategy.prepareForCreate?.(object, scope, registry);
  const refuse = (errors: ReturnType<typeof validateMetadata>): void => {
    if (errors.length > 0) throw invalidObject({ group, kind }, object.metadata.name ?? "", errors);
  };
  refuse([...strategy.validateCreate?.(object, scope, registry) ?? []]);
  refuse(validateMetadata(object.metadata, namespaced, strategy));
  for (const text of strategy.warnings?.(object, undefined) ?? []) scope.warn(text);
}

/** Stores a new object. @throws {StatusError} 409 when the name is taken. */
export async function commitCreate(
  registry: RegistryCore,
  scope: RequestScope,
  object: ApiObject,
): Promise<Written> {
  const { resource } = scope;
  const { strategy } = resource;
  const { metadata } = object;
  delete metadata.resourceVersion;
  const stored = isStoredForm(resource) ? object : await toStorage(resource, object);
  const collection = registry.log.collection(collectionName(resource));
  const key = storageKey(metadata.namespace ?? "", metadata.name!);
  const taken = collection.get(key);
  if (taken) throw takenName(scope, metadata.name!, taken.tree());
  if (scope.dryRun) return { object, text: undefined, created: true };
  strategy.allocate?.(stored, undefined, scope, registry);
  const text = storeText(registry, resource, object, stored);
  registry.log.put(collection, key, text);
  return { object, text: stored === object ? text : undefined, created: true };
}

function takenName(scope: RequestScope, name: string, taken: ApiObject): StatusError {
  const { group, plural } = scope.resource;
  return alreadyExists(
    { group, resource: plural },
    name,
    Boolean(taken.metadata.deletionTimestamp),
  );
}
