import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { PackedObject, PackedObjects } from "../packed/packed_object.ts";

/** Options for {@linkcode ReflectorSink.replace}. */
export interface ReplaceOptions {
  /**
   * Whether the server's history was replaced (a restored backup): an object of a version that the
   * sink has may then be another.
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
 * What a reflector writes to. Every call is synchronous.
 *
 * A call that throws does not end the watch: the reflector reports the error, goes on, and lists
 * again later, because the sink may then miss a change.
 */
export interface ReflectorSink<T extends KubeObject = KubeObject> {
  /** An object appeared; it may be one that the sink knows already. */
  add(object: PackedObject<T>): void;
  /** An object changed; it may be one that the sink does not know yet. */
  update(object: PackedObject<T>): void;
  /** An object is gone; this is its last state. */
  delete(object: PackedObject<T>): void;
  /**
   * These, and no others, are the objects as of `resourceVersion`. One call per list, however large:
   * a reader never sees half of it.
   */
  replace(objects: PackedObjects<T>, resourceVersion: string, options?: ReplaceOptions): void;
  /**
   * An object was added or changed and could not be decoded: until the next event of its key, or the next
   * `replace`, its absence from the sink means nothing. `key` is `undefined` when it could not be decoded
   * either.
   */
  lost?(key: ObjectKey | undefined): void;
  /** Nothing else changed up to `resourceVersion`. */
  bookmark(resourceVersion: string): void;
  /**
   * The newest version of an object that was handed over, be it taken up already or waiting;
   * `undefined` when there is none or its deletion was handed over.
   *
   * With it a list reuses what did not change instead of packing it again, an object whose new state
   * cannot be decoded keeps its last one, and events that come twice or too late are recognised.
   */
  lastKnown?(key: ObjectKey): PackedObject<T> | undefined;
}
