import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { Arena } from "../packed/arena.ts";
import { EntryRows, type Place } from "./entry_rows.ts";
import { PackedList } from "./packed_list.ts";
import type { PackedObject, PackedObjects } from "../packed/packed_object.ts";

/**
 * A collection of packed objects by key, in the order in which the keys were added. Equivalent to a
 * map of packed objects, but only the keys are on V8's heap; see {@linkcode EntryRows}.
 */
export class KeyedObjects<T extends KubeObject = KubeObject> implements PackedObjects<T> {
  readonly #places = new Map<ObjectKey, Place<T>>();
  readonly #rows = new EntryRows<T>();
  /**
   * Reports whether a holder that may add and remove objects has taken the collection over;
   * {@linkcode KeyedObjects.own} then copies.
   */
  #isOwned = false;

  /** Creates a collection of packed objects; of two with the same key the last counts. */
  constructor(objects: Iterable<PackedObject<T>> = []) {
    for (const object of objects) this.set(object);
  }

  /**
   * Returns packed objects as a collection for a holder that may add and remove objects: the
   * argument itself if it is a `KeyedObjects` without such a holder, otherwise a copy. A second map
   * of many objects would cost much time and memory.
   */
  static own<T extends KubeObject>(objects: Iterable<PackedObject<T>>): KeyedObjects<T> {
    const isFree = objects instanceof KeyedObjects && !objects.#isOwned;
    const own: KeyedObjects<T> = isFree ? objects : new KeyedObjects(objects);
    own.#isOwned = true;
    return own;
  }

  /** Number of objects in the collection. */
  get size(): number {
    return this.#places.size;
  }

  /** Reports whether the collection has an object with the given key. */
  has(key: ObjectKey): boolean {
    return this.#places.has(key);
  }

  /** Returns the packed object of a key; `undefined` if the collection has none. */
  get(key: ObjectKey): PackedObject<T> | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#rows.at(place, key);
  }

  /**
   * Returns the location (row or object) of a key's object, for {@linkcode KeyedObjects.listOf};
   * `undefined` if the collection has no such object.
   */
  placeOf(key: ObjectKey): Place<T> | undefined {
    return this.#places.get(key);
  }

  /** Adds a packed object to the collection, or replaces the one with the same key. */
  set(object: PackedObject<T>): void {
    const { key } = object;
    const place = this.#places.get(key);
    const now = place === undefined ? this.#rows.add(object) : this.#rows.replace(place, object);
    if (now !== place) this.#places.set(key, now);
  }

  /** Removes the object of a key from the collection, if there is one. */
  delete(key: ObjectKey): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    this.#places.delete(key);
    this.#rows.remove(place);
  }

  /** Returns the keys of all objects in the collection. */
  keys(): IterableIterator<ObjectKey> {
    return this.#places.keys();
  }

  /**
   * Iterates over the packed objects of the live collection, in the order in which their keys were
   * added; each is created anew.
   */
  *[Symbol.iterator](): Generator<PackedObject<T>, void> {
    for (const [key, place] of this.#places) yield this.#rows.at(place, key);
  }

  /** Returns a list of all packed objects of the collection as they are now. */
  list(): PackedList<T> {
    const [keys, places] = [[...this.#places.keys()], [...this.#places.values()]];
    return new PackedList(keys, places, this.#rows.pickAll());
  }

  /**
   * Returns a list with an entry for each key, in the given order: the packed object at the
   * location with the same index, as the rows are when the generator ends; no object where the
   * location is `undefined`. See {@linkcode EntryRows.pick}.
   */
  *listOf(
    keys: readonly ObjectKey[],
    places: (Place<T> | undefined)[],
  ): Generator<boolean, PackedList<T>> {
    return new PackedList(keys, places, yield* this.#rows.pick(places));
  }

  /**
   * The counts of the collection's rows, in use or not, and of the distinct arenas and shared
   * metadata records that the rows refer to; for tests of memory.
   */
  get usage(): { readonly rows: number; readonly arenas: number; readonly commonFacts: number } {
    return { rows: this.#rows.length, ...this.#rows.references };
  }

  /** Moves the collection's texts out of an arena; see {@linkcode EntryRows.evacuate}. */
  evacuate(from: Arena, write: (offset: number, extent: number) => Arena): void {
    this.#rows.evacuate(from, write);
  }
}
