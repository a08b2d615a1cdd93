import type { KubeObject } from "../meta/object.ts";
import type { ObjectKey } from "../meta/object_key.ts";
import type { IndexError } from "./index_error.ts";
import type { IndexTable } from "./index_table.ts";
import { growsNext } from "./map_growth.ts";
import { PackedEntry } from "./packed_entry.ts";
import type { PackedObject } from "./packed_object.ts";

/** So many objects are worked on between two looks at the clock. */
const STEP = 32;

/** The objects of a new state; a map of them, by their keys, is given away. */
export type NewState<T extends KubeObject> =
  | Iterable<PackedObject<T>>
  | Map<ObjectKey, PackedObject<T>>;

/**
 * The state that takes the place of another, built beside it: who reads the store sees the old one
 * whole until the references are swapped.
 *
 * Its methods yield between steps that are short enough to let others run, and say whether the next
 * step takes long by itself.
 */
export class Replacement<T extends KubeObject> {
  /** The indexes over them. */
  readonly indexes: Map<string, IndexTable<T>> = new Map();
  /** What index functions threw. */
  readonly errors: IndexError[] = [];
  #objects: Map<ObjectKey, PackedObject<T>> = new Map();
  readonly #before: ReadonlyMap<ObjectKey, PackedObject<T>>;

  /** Makes an empty state beside another. */
  constructor(before: ReadonlyMap<ObjectKey, PackedObject<T>>) {
    this.#before = before;
  }

  /** The objects there will be. */
  get objects(): Map<ObjectKey, PackedObject<T>> {
    return this.#objects;
  }

  /**
   * Takes the objects in; with `reuse`, what is there of the same version stays as it is. A map of them
   * by key is taken over itself: of many objects a second one is much, in time and memory.
   */
  *take(objects: NewState<T>, reuse: boolean): Generator<boolean, void> {
    let count = 0;
    const isMap = objects instanceof Map;
    if (isMap) this.#objects = objects;
    for (const object of isMap ? objects.values() : objects) {
      const old = this.#before.get(object.key);
      const now = reuse && old?.sameVersionAs(object) ? old : object;
      if (!isMap || now !== object) this.#objects.set(object.key, now);
      if (isMap && now !== old) retain(now);
      if (count++ % STEP === 0) yield false;
    }
    // Of two with one key in a list, the first is not stored.
    for (const now of isMap ? [] : this.#objects.values()) {
      if (this.#before.get(now.key) !== now) retain(now);
      if (count++ % STEP === 0) yield false;
    }
  }

  /** Builds the successor of an index; the index function runs on what is new alone. */
  *index(name: string, before: IndexTable<T>): Generator<boolean, void> {
    const table = before.emptied();
    let count = 0;
    for (const now of this.#objects.values()) {
      if (this.#before.get(now.key) === now) table.takeOver(now, before);
      else {
        const error = table.file(now);
        if (error !== undefined) this.errors.push(error);
      }
      if (growsNext(table.grown)) yield true;
      else if (count++ % STEP === 0) yield false;
    }
    this.indexes.set(name, table);
  }

  /** Instead of the swap: what was taken in does not count as stored. */
  abandon(): void {
    for (const now of this.#objects.values()) {
      const isNew = this.#before.get(now.key) !== now;
      if (isNew && now instanceof PackedEntry) now.arena.pool.release(now);
    }
  }

  /** After the swap: gives back the memory of what is no longer there. */
  *release(): Generator<boolean, void> {
    let count = 0;
    let released: PackedEntry | undefined;
    for (const old of this.#before.values()) {
      if (old instanceof PackedEntry && this.#objects.get(old.key) !== old) {
        old.arena.pool.release(released = old);
      }
      if (count++ % STEP === 0) yield false;
    }
    released?.arena.pool.compact();
  }
}

function retain(object: PackedObject): void {
  if (object instanceof PackedEntry) object.arena.pool.retain(object);
}
