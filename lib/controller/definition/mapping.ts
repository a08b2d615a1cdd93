import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import type { ObservedObject } from "../../cache/events/observed_object.ts";
import {
  formatKey,
  type KubeObject,
  type ObjectKey,
  refersTo,
  type ResourceType,
} from "@xca/apimachinery/meta";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";

/** The second argument of a mapping function ({@linkcode MapFunction}), after the object. */
export interface MappingContext {
  /**
   * The cache of the mapping function's controller. The cache is complete: no mapping function of
   * `watches` is called before all its resources have been listed.
   */
  readonly cache: CacheReader;
}

/**
 * Object keys as an array, a set, or a generator. A string is a single key and does not compile.
 */
export type ObjectKeys = Iterable<ObjectKey> & object;

/**
 * A function that maps an object that changed to the keys to reconcile, in any order; duplicates
 * collapse. The function is called once for an addition, a deletion and an unchanged object, and
 * twice for an update, with the old and with the new object.
 *
 * A function that throws, rejects, or whose promise takes longer than the controller's `timeoutMs`,
 * is called again: after 5 ms, doubled per failure up to 1000 s. A result that is not an iterable
 * of keys is a failure until the object changes or is deleted, and so is a value in it that cannot
 * be a key of the controller's resource; the valid keys beside such a value are queued.
 */
export type MapFunction<T extends KubeObject = KubeObject> = (
  object: ObservedObject<T>,
  context: MappingContext,
) => ObjectKeys | Promise<ObjectKeys>;

/**
 * A mapping function that maps an object to its own key.
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

/** Options of {@linkcode toOwner}, which creates a function that maps an object to its owners. */
export interface ToOwnerOptions {
  /**
   * Sets whether owners whose reference is not marked as the controller (`controller: true`) count
   * too.
   *
   * @default {false}
   */
  readonly anyOwner?: boolean;
}

/** The names of all options of {@linkcode toOwner}. */
const TO_OWNER_OPTIONS: OptionNames<ToOwnerOptions> = {
  anyOwner: true,
};

/**
 * Returns a mapping function that maps an object to its owner of one resource that is marked as its
 * controller; with `anyOwner`, to all of its owners of that resource. Group and kind must match;
 * the version may differ. The result is empty if there is no such owner; owners need not exist.
 *
 * The namespace of a namespaced owner is that of the object; a cluster-scoped object has no
 * namespaced owner, so such references are left out.
 *
 * @throws {TypeError} When an option is unknown.
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
  checkOptionNames("Cannot map to owners", options, TO_OWNER_OPTIONS);
  return (object) => {
    const keys = new Set<ObjectKey>();
    for (const owner of object.ownerReferences) {
      if (!options.anyOwner && owner.controller !== true) continue;
      if (!refersTo(owner, ownerType)) continue;
      const namespace = ownerType.scope === "Namespaced" ? object.namespace : "";
      // A namespaced object cannot own a cluster-scoped one, whatever the reference says.
      if (ownerType.scope === "Namespaced" && namespace === "") continue;
      keys.add(formatKey({ namespace, name: owner.name }));
    }
    return keys;
  };
}
