import type { KubeObject } from "../meta/object.ts";
import type { ObjectKey } from "../meta/object_key.ts";
import type { PackedObject } from "./packed_object.ts";

type ByKey<T extends KubeObject> = Map<ObjectKey, PackedObject<T>>;

/** The maps that lists of objects were made of: for many objects, making one anew takes long. */
const maps = new WeakMap<readonly PackedObject[], ByKey<KubeObject>>();

/** The objects of a map, which then belongs to whoever asks for it by {@linkcode byKey}. */
export function objectsOf<T extends KubeObject>(map: ByKey<T>): PackedObject<T>[] {
  const objects = [...map.values()];
  maps.set(objects, map as ByKey<KubeObject>);
  return objects;
}

/** Objects by their keys, in a map of the caller's own; of two with one key, the last. */
export function byKey<T extends KubeObject>(objects: readonly PackedObject<T>[]): ByKey<T> {
  const known = maps.get(objects) as ByKey<T> | undefined;
  maps.delete(objects);
  return known ?? new Map(objects.map((object) => [object.key, object]));
}
