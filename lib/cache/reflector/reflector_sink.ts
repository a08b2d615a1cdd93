import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { PackedObject, PackedObjects } from "../packed/packed_object.ts";

/** Options of {@linkcode ReflectorSink.replace}, which receives a list result. */
export interface ReplaceOptions {
  /**
   * A flag that is true if the server was restored from a backup: an object may then have a
   * resourceVersion that the sink knows, and differ from the object that the sink has.
   *
   * @default {false}
   */
  readonly anew?: boolean;
  /**
   * The keys of listed objects that could not be decoded or transformed, and of which no earlier
   * version is known; `undefined` stands for objects whose key could not be decoded either.
   *
   * @default none
   */
  readonly lost?: ReadonlySet<ObjectKey | undefined>;
}

/**
 * The receiver of a reflector's objects, such as a cache. Every call is synchronous.
 *
 * A call that throws does not end the watch: the reflector reports the error, continues, and lists
 * again later, because the sink may then miss a change.
 */
export interface ReflectorSink<T extends KubeObject = KubeObject> {
  /** Adds an object to the reflector's sink, which may know the object already. */
  add(object: PackedObject<T>): void;
  /**
   * Updates an object in the reflector's sink, which may not know the object yet, or know the same
   * version.
   */
  update(object: PackedObject<T>): void;
  /**
   * Deletes an object from the reflector's sink, which may not know the object; the argument is the
   * object's last state.
   */
  delete(object: PackedObject<T>): void;
  /**
   * Replaces all objects of the sink by the given ones, as of `resourceVersion`; the sink may take
   * the collection over. The reflector calls it once per list, however large, so that a reader
   * never sees half of a list.
   */
  replace(objects: PackedObjects<T>, resourceVersion: string, options?: ReplaceOptions): void;
  /**
   * Notes that an object was added or changed and could not be decoded or transformed: until the
   * next event of its key, or the next `replace`, the absence of the object from the sink does not
   * mean that the object does not exist. `key` is `undefined` when the key could not be decoded
   * either.
   */
  lost?(key: ObjectKey | undefined): void;
  /** Notifies the reflector's sink that no other change happened up to `resourceVersion`. */
  bookmark(resourceVersion: string): void;
  /**
   * Returns the newest version of an object that the reflector passed to the sink; `undefined` if
   * there is none or the last one was a deletion.
   *
   * With it a list reuses unchanged objects instead of packing them again, an object whose new
   * state cannot be decoded or transformed keeps its last state, and duplicate or late events are
   * recognized.
   */
  lastKnown?(key: ObjectKey): PackedObject<T> | undefined;
}
