import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { PickedRows, Place } from "./entry_rows.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/**
 * A list of packed objects as they were at one moment. A list belongs to the caller that requested
 * it, and keeps the memory of its objects until {@linkcode PackedList.release} releases them or the
 * list is garbage-collected.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createPacker } from "../packed/packer.ts";
 * import { Indexer } from "./indexer.ts";
 * import { Pod } from "@xca/operator/meta";
 *
 * const store = new Indexer();
 * store.upsert(createPacker({ type: Pod }).packObject({ metadata: { name: "web" } }));
 * const list = store.list();
 * store.delete("web");
 * assert.equal(list.at(0)?.name, "web");
 * ```
 */
export class PackedList<T extends KubeObject = KubeObject> implements Iterable<PackedObject<T>> {
  readonly #keys: readonly ObjectKey[];
  /**
   * The locations (rows) of the list's objects; `undefined` for an entry without an object, and for
   * a released one.
   */
  readonly #places: (Place<T> | undefined)[];
  readonly #rows: PickedRows<T>;

  constructor(
    keys: readonly ObjectKey[],
    places: (Place<T> | undefined)[],
    rows: PickedRows<T>,
  ) {
    this.#keys = keys;
    this.#places = places;
    this.#rows = rows;
  }

  /** Number of entries in the list, including those without an object. */
  get length(): number {
    return this.#places.length;
  }

  /**
   * Returns the packed object at an index of the list, from 0; `undefined` if the entry has no
   * object or was released, or the index is out of range.
   */
  at(index: number): PackedObject<T> | undefined {
    const place = this.#places[index];
    return place === undefined ? undefined : this.#rows.at(place, this.#keys[index]!);
  }

  /**
   * Releases the memory of the packed object at an index of the list, which then has no object;
   * does nothing if it has none already.
   */
  release(index: number): void {
    const place = this.#places[index];
    if (place === undefined) return;
    this.#places[index] = undefined;
    this.#rows.remove(place);
  }

  /**
   * Iterates over the packed objects of the list, in its order; entries without an object are
   * skipped.
   */
  *[Symbol.iterator](): Generator<PackedObject<T>, void> {
    for (let index = 0; index < this.length; index++) {
      const object = this.at(index);
      if (object !== undefined) yield object;
    }
  }
}
