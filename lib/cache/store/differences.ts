import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { Place } from "./entry_rows.ts";
import type { KeyedObjects } from "./keyed_objects.ts";
import { isSameObject } from "../packed/packed_entry.ts";
import type { PackedList } from "./packed_list.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/** What a replacement of all objects did. */
export interface Differences<T extends KubeObject = KubeObject> {
  /** What changed, as it is now; none where something is gone. */
  readonly now: PackedList<T>;
  /** What changed, as it was, at the same places; none where something is new, not at all if all is. */
  readonly before: PackedList<T> | undefined;
  /** What stayed as it was. */
  readonly unchanged: PackedList<T>;
}

/**
 * Notes what a replacement does to each key, as places in the two states. An object of another UID
 * under the same key is one that is gone and one that is new.
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

  /** Notes nothing yet. */
  constructor(before: KeyedObjects<T>, now: KeyedObjects<T>) {
    this.#before = before;
    this.#now = now;
  }

  /** Of a key that has other objects now than before. */
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

  /** Of a key whose object stays as it is. */
  unchanged(key: ObjectKey): void {
    this.#unchanged.keys.push(key);
    this.#unchanged.places.push(this.#before.placeOf(key)!);
  }

  /** What was noted, of the two states as they are when it ends; it yields where others may have a turn. */
  *end(): Generator<boolean, Differences<T>> {
    const { keys, before, now } = this.#changed;
    return {
      now: yield* this.#now.listOf(keys, now),
      before: before.length > 0 ? yield* this.#before.listOf(keys, before) : undefined,
      unchanged: yield* this.#before.listOf(this.#unchanged.keys, this.#unchanged.places),
    };
  }

  /** Of a state that was empty all is new: that needs no second list. */
  #note(key: ObjectKey, before: Place<T> | undefined, now: Place<T> | undefined): void {
    this.#changed.keys.push(key);
    this.#changed.now.push(now);
    if (this.#before.size > 0) this.#changed.before.push(before);
  }
}
