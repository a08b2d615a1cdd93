// Mirrors `controller/controller_utils.go, AddPodControllerIndexer`.
import {
  controllerOf,
  type DeepReadonly,
  formatKey,
  type KubeObject,
  type LabelSelector,
  matchesLabels,
  type ObjectKey,
  type OwnerReference,
  refersTo,
  type ResourceType,
} from "@xca/apimachinery/meta";
import type { MapFunction } from "../../controller/definition/mapping.ts";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";

/** The name of the cache index of objects by their controller. */
const CONTROLLER_INDEX = "controller";

/** The metadata by which an object is indexed under its controller. */
interface Owned {
  readonly namespace: string;
  readonly ownerReferences: readonly OwnerReference[];
}

/**
 * The cache index of objects by the UID of their controller, or by their namespace when they have
 * no controller, as a record for the option `indexes` of a source. {@linkcode ownedOrOrphaned}
 * reads the index.
 */
export const controllerIndex: Readonly<Record<string, (object: Owned) => readonly string[]>> = {
  [CONTROLLER_INDEX]: (object) => [controllerOf(object)?.uid ?? orphansOf(object.namespace)],
};

/** Returns the index value of the objects in a namespace that have no controller. */
function orphansOf(namespace: string): string {
  return `/${namespace}`;
}

/**
 * Returns the cached objects of a resource that an owner controls, and the objects without a
 * controller in its namespace, which the owner may adopt. The source of the resource must have
 * {@linkcode controllerIndex}.
 */
export async function ownedOrOrphaned<T extends KubeObject>(
  cache: CacheReader,
  type: ResourceType<T>,
  { metadata: { uid = "", namespace = "" } }: DeepReadonly<KubeObject>,
): Promise<DeepReadonly<T>[]> {
  const owned = await cache.shared.byIndex(type, CONTROLLER_INDEX, uid);
  const orphans = await cache.shared.byIndex(type, CONTROLLER_INDEX, orphansOf(namespace));
  return [...owned, ...orphans];
}

/**
 * Returns the cached objects of a resource that an owner controls. The source of the resource must
 * have {@linkcode controllerIndex}.
 */
export async function ownedBy<T extends KubeObject>(
  cache: CacheReader,
  type: ResourceType<T>,
  { metadata: { uid = "" } }: DeepReadonly<KubeObject>,
): Promise<DeepReadonly<T>[]> {
  return await cache.shared.byIndex(type, CONTROLLER_INDEX, uid);
}

/**
 * Returns a mapping function that maps an object to its controller of a given resource or, when it
 * has no controller, to the objects of that resource in the same namespace whose selectors match
 * the object. An object with a controller of another resource is mapped to none.
 */
export function toClaimants<Owner extends KubeObject>(
  ownerType: ResourceType<Owner>,
  selectorOf: (owner: DeepReadonly<Owner>) => LabelSelector | undefined,
): MapFunction {
  return async (object, { cache }) => {
    const { namespace, labels } = object;
    const controller = controllerOf(object);
    if (controller) {
      return refersTo(controller, ownerType)
        ? [formatKey({ namespace, name: controller.name })]
        : [];
    }
    const keys: ObjectKey[] = [];
    for (const owner of await cache.shared.list(ownerType, { namespace })) {
      const selector = selectorOf(owner);
      if (selector === undefined || !matchesLabels(selector, labels)) continue;
      keys.push(formatKey({ namespace, name: owner.metadata.name ?? "" }));
    }
    return keys;
  };
}
