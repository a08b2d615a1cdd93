import type { KubeObject } from "../meta/object.ts";
import type { ObjectKey } from "../meta/object_key.ts";
import type { IndexError } from "./index_error.ts";
import type { IndexTable } from "./index_table.ts";
import { PackedEntry } from "./packed_entry.ts";
import type { PackedObject } from "./packed_object.ts";

/** So many objects are worked on between two looks at the clock. */
const STEP = 32;

/**
 * The state that takes the place of another, built beside it: who reads the store sees the old one
 * whole until the references are swapped.
 *
 * Its methods yield between steps that are short enough to let others run.
 */
export class Replacement<T extends KubeObject> {
  /** The objects there will be. */
  readonly objects: Map<ObjectKey, PackedObject<T>> = new Map();
  /** The indexes over them. */
  readonly indexes: Map<string, IndexTable<T>> = new Map();
  /** What index functions threw. */
  readonly errors: IndexError[] = [];
  readonly #before: ReadonlyMap<ObjectKey, PackedObject<T>>;

  /** Makes an empty state beside another. */
  constructor(before: ReadonlyMap<ObjectKey, PackedObject<T>>) {
    this.#before = before;
  }

  /** Takes the objects in; with `reuse`, what is there of the same version stays as it is. */
  *take(objects: Iterable<PackedObject<T>>, reuse: boolean): Generator<void, void> {
    let count = 0;
    for (const object of objects) {
      const old = reuse ? this.#before.get(object.key) : undefined;
      this.objects.set(object.key, old?.sameVersionAs(object) ? old : object);
      if (count++ % STEP === 0) yield;
    }
    for (const [key, now] of this.objects) {
      if (this.#before.get(key) !== now) retain(now);
      if (count++ % STEP === 0) yield;
    }
  }

  /** Builds the successor of an index; the index function runs on what is new alone. */
  *index(name: string, before: IndexTable<T>): Generator<void, void> {
    const table = before.emptied();
    let count = 0;
    for (const [key, now] of this.objects) {
      if (this.#before.get(key) === now) table.takeOver(key, before);
      else {
        const error = table.file(now);
        if (error !== undefined) this.errors.push(error);
      }
      if (count++ % STEP === 0) yield;
    }
    this.indexes.set(name, table);
  }

  /** After the swap: gives back the memory of what is no longer there. */
  *release(): Generator<void, void> {
    let count = 0;
    let released: PackedEntry | undefined;
    for (const [key, old] of this.#before) {
      if (old instanceof PackedEntry && this.objects.get(key) !== old) {
        old.arena.pool.release(released = old);
      }
      if (count++ % STEP === 0) yield;
    }
    released?.arena.pool.compact();
  }
}

function retain(object: PackedObject): void {
  if (object instanceof PackedEntry) object.arena.pool.retain(object);
}
