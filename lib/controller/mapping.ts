import type { ObservedObject } from "../cache/events/observed_object.ts";
import {
  formatKey,
  type KubeObject,
  type ObjectKey,
  refersTo,
  type ResourceType,
} from "@xca/apimachinery/meta";
import type { CacheReader } from "../cache/readers/cache_reader.ts";

/** What a mapping function is given beside the object. */
export interface MappingContext {
  /** The controller's cache. Complete: no mapping function is called before every resource in it is listed. */
  readonly cache: CacheReader;
}

/** Keys in an array, a set, or what a generator yields; not one key by itself, a string. */
export type ObjectKeys = Iterable<ObjectKey> & object;

/**
 * Says which objects to reconcile because this one changed: their keys, in any order. Keys given
 * twice collapse. For an update it is asked twice, with the old and with the new object.
 *
 * When it throws, rejects, or takes longer than the controller's `timeoutMs`, it is called again: after
 * 5 ms, twice that at each further failure, up to 1000 s. What it returns that cannot be a key of the
 * controller's resource counts as failed, too, until the object changes.
 */
export type MapFunction<T extends KubeObject = KubeObject> = (
  object: ObservedObject<T>,
  context: MappingContext,
) => ObjectKeys | Promise<ObjectKeys>;

/**
 * The object itself.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { controllerFor, toSelf } from "@xca/operator/controller";
 * import { Deployment, Service } from "@xca/operator/meta";
 *
 * // A Service wakes the Deployment of the same namespace and name.
 * const controller = controllerFor(Deployment).watches(Service, toSelf).reconcile(() => {});
 * assert.equal(controller.sources[1]?.map, toSelf);
 * ```
 */
export const toSelf: MapFunction = (object: ObservedObject<KubeObject>): ObjectKey[] => [
  object.key,
];

/** Options for {@linkcode toOwner}. */
export interface ToOwnerOptions {
  /** Also owners that are not the object's controller. @default {false} */
  readonly anyOwner?: boolean;
}

/**
 * The owners of a given resource: group and kind must match, the version may differ.
 *
 * A namespaced owner lives in the namespace of what it owns.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { type MappingContext, toOwner } from "@xca/operator/controller";
 * import type { ObservedObject } from "@xca/operator/cache";
 * import { Deployment } from "@xca/operator/meta";
 *
 * const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "1", controller: true };
 * const child = { namespace: "default", ownerReferences: [owner] } as unknown as ObservedObject;
 * const keys = await toOwner(Deployment)(child, {} as MappingContext);
 * assert.deepEqual([...keys], ["default/web"]);
 * ```
 */
export function toOwner(ownerType: ResourceType, options: ToOwnerOptions = {}): MapFunction {
  return (object) => {
    const keys = new Set<ObjectKey>();
    for (const owner of object.ownerReferences) {
      if (!options.anyOwner && owner.controller !== true) continue;
      if (!refersTo(owner, ownerType)) continue;
      const namespace = ownerType.scope === "Namespaced" ? object.namespace : "";
      // A cluster-scoped object cannot be owned by a namespaced one, whatever its references say.
      if (ownerType.scope === "Namespaced" && namespace === "") continue;
      keys.add(formatKey({ namespace, name: owner.name }));
    }
    return keys;
  };
}
