import type { ApiObject } from "../machinery/api_object.ts";
import { notFound } from "../machinery/status_error.ts";
import { validate } from "./admit.ts";
import { collectionName, storageKey } from "./keys.ts";
import type { RegistryCore } from "./registry_core.ts";
import type { RequestScope } from "./request_scope.ts";
import { fromStorage, toStorage } from "./versions.ts";
import { storeText } from "./written.ts";

/** The `DeleteOptions` of a call. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** What a deletion came to. */
export interface Deleted {
  /** The object when it stays, or when its kind answers so; else a `Status`. */
  readonly object: ApiObject | Record<string, unknown>;
  /** Whether it is gone. */
  readonly deleted: boolean;
}

/** Deletes an object, or begins to. */
export async function deleteObject(
  registry: RegistryCore,
  scope: RequestScope,
  _options: DeleteOptions,
): Promise<Deleted> {
  const { resource, name } = scope;
  const about = { group: resource.group, resource: resource.plural };
  const collection = registry.log.collection(collectionName(resource));
  const key = storageKey(resource.namespaced ? scope.namespace : "", name);
  for (;;) {
    const stored = collection.get(key);
    if (!stored) throw notFound(about, name);
    const [object] = await fromStorage(resource, [stored]);
    await validate(registry, scope, "DELETE", undefined, object);
    const last = await toStorage(resource, object!);
    if (collection.get(key)?.revision !== stored.revision) continue;
    if (!scope.dryRun) {
      registry.log.delete(collection, key, storeText(registry, resource, object!, last));
      resource.strategy.release?.(object!, registry);
    }
    return { object: successOf(scope, object!), deleted: true };
  }
}

function successOf(scope: RequestScope, object: ApiObject): Record<string, unknown> {
  const { group, plural } = scope.resource;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      name: object.metadata.name,
      ...(group && { group }),
      kind: plural,
      uid: object.metadata.uid,
    },
  };
}
