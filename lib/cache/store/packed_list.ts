import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { PickedRows, Place } from "./entry_rows.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/**
 * Packed objects in order, as they were at one moment. It belongs to who asked for it, and keeps the
 * memory of these objects for as long as it is kept itself.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createPacker, Indexer } from "@xca/operator/cache";
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
  /** `undefined` where there is none, and where one was let go of. */
  readonly #places: (Place<T> | undefined)[];
  readonly #rows: PickedRows<T>;

  /** Takes over all three; nobody else has these. */
  constructor(
    keys: readonly ObjectKey[],
    places: (Place<T> | undefined)[],
    rows: PickedRows<T>,
  ) {
    this.#keys = keys;
    this.#places = places;
    this.#rows = rows;
  }

  /** How many there are, those among them that are none. */
  get length(): number {
    return this.#places.length;
  }

  /** One of them, if there is one. */
  at(index: number): PackedObject<T> | undefined {
    const place = this.#places[index];
    return place === undefined ? undefined : this.#rows.at(place, this.#keys[index]!);
  }

  /** Lets go of one: it is not there any more. */
  letGo(index: number): void {
    const place = this.#places[index];
    if (place === undefined) return;
    this.#places[index] = undefined;
    this.#rows.remove(place);
  }

  /** All that there are. */
  *[Symbol.iterator](): Generator<PackedObject<T>, void> {
    for (let index = 0; index < this.length; index++) {
      const object = this.at(index);
      if (object !== undefined) yield object;
    }
  }
}
