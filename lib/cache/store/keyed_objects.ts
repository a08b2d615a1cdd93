import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { Arena } from "../packed/arena.ts";
import { EntryRows, type Place } from "./entry_rows.ts";
import { PackedList } from "./packed_list.ts";
import type { PackedObject, PackedObjects } from "../packed/packed_object.ts";

/**
 * Packed objects by their keys, in the order in which the keys came. What a map of objects would be, but
 * of each only the key is an object of V8's heap; see {@linkcode EntryRows}.
 */
export class KeyedObjects<T extends KubeObject = KubeObject> implements PackedObjects<T> {
  readonly #places = new Map<ObjectKey, Place<T>>();
  readonly #rows = new EntryRows<T>();
  /** Whether somebody has them who may change which they are. */
  #isOwned = false;

  /** Begins with some objects; of two with one key the last counts. */
  constructor(objects: Iterable<PackedObject<T>> = []) {
    for (const object of objects) this.set(object);
  }

  /**
   * Some objects, for somebody who may change which they are: themselves when they are keyed and nobody
   * else asked before, since of many objects a second map is much in time and memory.
   */
  static own<T extends KubeObject>(objects: Iterable<PackedObject<T>>): KeyedObjects<T> {
    const isFree = objects instanceof KeyedObjects && !objects.#isOwned;
    const own: KeyedObjects<T> = isFree ? objects : new KeyedObjects(objects);
    own.#isOwned = true;
    return own;
  }

  /** How many there are. */
  get size(): number {
    return this.#places.size;
  }

  /** Whether there is one of a key. */
  has(key: ObjectKey): boolean {
    return this.#places.has(key);
  }

  /** The one of a key. */
  get(key: ObjectKey): PackedObject<T> | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#rows.at(place, key);
  }

  /** Where the one of a key is kept, for {@linkcode KeyedObjects.listOf}. */
  placeOf(key: ObjectKey): Place<T> | undefined {
    return this.#places.get(key);
  }

  /** Adds an object, or puts it in the place of the one with its key. */
  set(object: PackedObject<T>): void {
    const { key } = object;
    const place = this.#places.get(key);
    const now = place === undefined ? this.#rows.add(object) : this.#rows.replace(place, object);
    if (now !== place) this.#places.set(key, now);
  }

  /** Takes the one of a key out. */
  delete(key: ObjectKey): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    this.#places.delete(key);
    this.#rows.remove(place);
  }

  /** Every key. */
  keys(): IterableIterator<ObjectKey> {
    return this.#places.keys();
  }

  /** Every object. */
  *[Symbol.iterator](): Generator<PackedObject<T>, void> {
    for (const [key, place] of this.#places) yield this.#rows.at(place, key);
  }

  /** All of them as they are now. */
  list(): PackedList<T> {
    const [keys, places] = [[...this.#places.keys()], [...this.#places.values()]];
    return new PackedList(keys, places, this.#rows.pickAll());
  }

  /** Those of some places, with their keys, as they are when it ends. See {@linkcode EntryRows.pick}. */
  *listOf(
    keys: readonly ObjectKey[],
    places: (Place<T> | undefined)[],
  ): Generator<boolean, PackedList<T>> {
    return new PackedList(keys, places, yield* this.#rows.pick(places));
  }

  /** How many rows and what refers to how many; for those who look after its memory. */
  get usage(): { readonly rows: number; readonly arenas: number; readonly kins: number } {
    return { rows: this.#rows.length, ...this.#rows.references };
  }

  /** See {@linkcode EntryRows.evacuate}. */
  evacuate(from: Arena, write: (offset: number, extent: number) => Arena): void {
    this.#rows.evacuate(from, write);
  }
}
