import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { PackedObject, PackedObjects } from "../packed/packed_object.ts";

/** Options for {@linkcode ReflectorSink.replace}. */
export interface ReplaceOptions {
  /**
   * Whether the server's history was replaced (a restored backup): an object with a version that
   * the sink has may then be a different one.
   *
   * @default {false}
   */
  readonly anew?: boolean;
  /**
   * The keys of objects that exist as of the version and could not be decoded, and of which no earlier
   * version is known; `undefined` stands for objects whose key could not be decoded either.
   *
   * @default none
   */
  readonly lost?: ReadonlySet<ObjectKey | undefined>;
}

/**
 * The receiver of a reflector's objects. Every call is synchronous.
 *
 * A call that throws does not end the watch: the reflector reports the error, continues, and lists
 * again later, because the sink may then miss a change.
 */
export interface ReflectorSink<T extends KubeObject = KubeObject> {
  /** Adds an object, which the sink may know already. */
  add(object: PackedObject<T>): void;
  /** Updates an object, which the sink may not know yet. */
  update(object: PackedObject<T>): void;
  /** Deletes an object; the argument is its last state. */
  delete(object: PackedObject<T>): void;
  /**
   * Replaces all objects by the given ones, as of `resourceVersion`. One call per list, however
   * large, so that a reader never sees half of it.
   */
  replace(objects: PackedObjects<T>, resourceVersion: string, options?: ReplaceOptions): void;
  /**
   * An object was added or changed and could not be decoded: until the next event of its key, or the next
   * `replace`, its absence from the sink means nothing. `key` is `undefined` when it could not be decoded
   * either.
   */
  lost?(key: ObjectKey | undefined): void;
  /** Reports that nothing else changed up to `resourceVersion`. */
  bookmark(resourceVersion: string): void;
  /**
   * Returns the newest version of an object that was handed over, stored already or not;
   * `undefined` if there is none or its deletion was handed over.
   *
   * With it a list reuses unchanged objects instead of packing them again, an object whose new
   * state cannot be decoded keeps its last one, and duplicate or late events are recognized.
   */
  lastKnown?(key: ObjectKey): PackedObject<T> | undefined;
}
