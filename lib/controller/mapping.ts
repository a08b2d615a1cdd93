import type { ObservedObject } from "../cache/observed_object.ts";
import type { KubeObject } from "../meta/object.ts";
import { formatKey, type ObjectKey } from "../meta/object_key.ts";
import { refersTo } from "../meta/owner_reference.ts";
import type { ResourceType } from "../meta/resource_type.ts";
import type { CacheReader } from "../cache/cache_reader.ts";

/** What a mapping function is given beside the object. */
export interface MappingContext {
  /** The controller's cache; resources that have not synced yet are incomplete in it. */
  readonly cache: CacheReader;
}

/**
 * Says which objects to reconcile because this one changed: their keys, in any order. Keys given
 * twice collapse. For an update it is asked twice, with the old and with the new object.
 */
export type MapFunction<T extends KubeObject = KubeObject> = (
  object: ObservedObject<T>,
  context: MappingContext,
) => Iterable<ObjectKey> | Promise<Iterable<ObjectKey>>;

/** The object itself. */
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
 */
export function toOwner(ownerType: ResourceType, options: ToOwnerOptions = {}): MapFunction {
  return (object) => {
    const keys = new Set<ObjectKey>();
    for (const owner of object.ownerReferences) {
      if (!options.anyOwner && owner.controller !== true) continue;
      if (!refersTo(owner, ownerType)) continue;
      const namespace = ownerType.scope === "Namespaced" ? object.namespace : "";
      keys.add(formatKey({ namespace, name: owner.name }));
    }
    return keys;
  };
}
