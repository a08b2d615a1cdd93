import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { Place } from "./entry_rows.ts";
import type { KeyedObjects } from "./keyed_objects.ts";
import { isSameObject } from "../packed/packed_entry.ts";
import type { PackedList } from "./packed_list.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/** The difference between a store's content before and after a replacement of all its objects. */
export interface Differences<T extends KubeObject = KubeObject> {
  /**
   * The changed and added objects of the store in their new state; no object at the index of a
   * deleted object.
   */
  readonly now: PackedList<T>;
  /**
   * The changed and deleted objects of the store in their old state, at the indexes of `now`; no
   * object at the index of an added object. `undefined` if the store was empty before, or no object
   * changed.
   */
  readonly before: PackedList<T> | undefined;
  /**
   * The objects of the store that the replacement did not change; also empty unless `noteUnchanged`
   * was set (see {@linkcode ReplaceInSlicesOptions.noteUnchanged}).
   */
  readonly unchanged: PackedList<T>;
}

/**
 * A record of how a replacement changes each object of a store, as the locations of the object in
 * the old and the new state. An object whose UID differs from the one before it under the same key
 * is recorded as a deletion and an addition.
 */
export class DifferenceNotes<T extends KubeObject = KubeObject> {
  readonly #before: KeyedObjects<T>;
  readonly #now: KeyedObjects<T>;
  readonly #changed = {
    keys: [] as ObjectKey[],
    before: [] as (Place<T> | undefined)[],
    now: [] as (Place<T> | undefined)[],
  };
  readonly #unchanged = { keys: [] as ObjectKey[], places: [] as Place<T>[] };

  constructor(before: KeyedObjects<T>, now: KeyedObjects<T>) {
    this.#before = before;
    this.#now = now;
  }

  /**
   * Records an object that the replacement of the store's objects changed, added (`old` undefined)
   * or deleted (`object` undefined), by its key.
   */
  changed(
    key: ObjectKey,
    old: PackedObject<T> | undefined,
    object: PackedObject<T> | undefined,
  ): void {
    const before = old && this.#before.placeOf(key);
    const now = object && this.#now.placeOf(key);
    if (old === undefined || object === undefined || isSameObject(old, object)) {
      return this.#note(key, before, now);
    }
    this.#note(key, before, undefined);
    this.#note(key, undefined, now);
  }

  /** Records the key of an object that the replacement of the store's objects did not change. */
  unchanged(key: ObjectKey): void {
    this.#unchanged.keys.push(key);
    this.#unchanged.places.push(this.#before.placeOf(key)!);
  }

  /**
   * Returns the recorded objects of a replacement, in their old and new state, as the rows are when
   * the generator ends. The generator yields `false` between steps, so that other work can run.
   */
  *end(): Generator<boolean, Differences<T>> {
    const { keys, before, now } = this.#changed;
    return {
      now: yield* this.#now.listOf(keys, now),
      before: before.length > 0 ? yield* this.#before.listOf(keys, before) : undefined,
      unchanged: yield* this.#before.listOf(this.#unchanged.keys, this.#unchanged.places),
    };
  }

  /**
   * Records the locations of a changed object in the old and the new state. If the old state has no
   * objects, no list of old locations is kept.
   */
  #note(key: ObjectKey, before: Place<T> | undefined, now: Place<T> | undefined): void {
    this.#changed.keys.push(key);
    this.#changed.now.push(now);
    if (this.#before.size > 0) this.#changed.before.push(before);
  }
}
