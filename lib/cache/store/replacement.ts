import type { KubeObject } from "@xca/apimachinery/meta";
import type { TextPool } from "../packed/arena.ts";
import { DifferenceNotes, type Differences } from "./differences.ts";
import type { IndexError } from "./index_error.ts";
import type { IndexTable } from "./index_table.ts";
import { KeyedObjects } from "./keyed_objects.ts";
import { growsNext } from "./map_growth.ts";
import { isSameText, PackedEntry } from "../packed/packed_entry.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/** So many objects are worked on between two looks at the clock. */
const STEP = 32;

/** What a {@linkcode Replacement} is made of. */
export interface ReplacementOptions<T extends KubeObject> {
  /** The state that there is. */
  readonly before: KeyedObjects<T>;
  /** The objects of the new state. */
  readonly objects: Iterable<PackedObject<T>>;
  /** Counts one as stored. */
  readonly retain: (object: PackedObject<T>) => void;
}

/** How a {@linkcode Replacement} takes objects in. */
export interface TakeOptions {
  /** Whether what is there of the same version stays as it is. */
  readonly reuse: boolean;
  /** Whether to note what is unchanged too. */
  readonly noteUnchanged: boolean;
}

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
  /** The objects there will be. */
  readonly objects: KeyedObjects<T>;
  readonly #given: Iterable<PackedObject<T>>;
  readonly #retain: (object: PackedObject<T>) => void;
  readonly #before: KeyedObjects<T>;
  readonly #notes: DifferenceNotes<T>;
  /** How many of the objects were compared, and count as stored where they are new. */
  #taken = 0;
  /** Where something was released. */
  #released: TextPool | undefined;

  /**
   * Makes a state beside another. {@linkcode KeyedObjects} are taken over themselves: of many objects
   * second ones are much, in time and memory.
   */
  constructor({ before, objects, retain }: ReplacementOptions<T>) {
    this.#before = before;
    this.#retain = retain;
    const isKeyed = objects instanceof KeyedObjects;
    this.objects = isKeyed ? objects : new KeyedObjects();
    this.#given = isKeyed ? [] : objects;
    this.#notes = new DifferenceNotes(before, this.objects);
  }

  /** Takes the objects in, and notes what they change. */
  *take({ reuse, noteUnchanged }: TakeOptions): Generator<boolean, void> {
    const { objects } = this;
    const before = this.#before;
    let count = 0;
    for (const object of this.#given) {
      objects.set(object);
      if (count++ % STEP === 0) yield false;
    }
    let known = 0;
    for (const object of objects) {
      const { key } = object;
      const old = before.get(key);
      if (old !== undefined) known++;
      if (reuse && old?.sameVersionAs(object)) {
        objects.set(old);
        if (noteUnchanged) this.#notes.unchanged(key);
      } else {
        if (old === undefined || !isSameText(old, object)) this.#retain(object);
        this.#notes.changed(key, old, object);
      }
      this.#taken++;
      if (count++ % STEP === 0) yield false;
    }
    for (const old of known < before.size ? before : []) {
      if (!objects.has(old.key)) this.#notes.changed(old.key, old, undefined);
      if (count++ % STEP === 0) yield false;
    }
  }

  /** Builds the successor of an index; the index function runs on what is new alone. */
  *index(name: string, before: IndexTable<T>): Generator<boolean, void> {
    const table = before.emptied();
    let count = 0;
    for (const now of this.objects) {
      const old = this.#before.get(now.key);
      if (old !== undefined && isSameText(old, now)) table.takeOver(now, before);
      else {
        const error = table.file(now);
        if (error !== undefined) this.errors.push(error);
      }
      if (growsNext(table.grown)) yield true;
      else if (count++ % STEP === 0) yield false;
    }
    this.indexes.set(name, table);
  }

  /** What the replacement does, once everything is taken in. */
  differences(): Generator<boolean, Differences<T>> {
    return this.#notes.end();
  }

  /** Instead of the swap: what was taken in does not count as stored. */
  abandon(): void {
    for (const now of this.objects) {
      if (this.#taken-- <= 0) return;
      this.#releaseUnless(this.#before.get(now.key), now);
    }
  }

  /** After the swap: what is no longer there does not count as stored any more. */
  *release(): Generator<boolean, void> {
    let count = 0;
    for (const old of this.#before) {
      this.#releaseUnless(this.objects.get(old.key), old);
      if (count++ % STEP === 0) yield false;
    }
  }

  /** After that: reclaims the memory of what was released, a block in each step. */
  *compact(): Generator<boolean, void> {
    while (this.#released?.compact()) yield false;
  }

  /** Counts an object as no longer stored, unless the other state has it too. */
  #releaseUnless(kept: PackedObject<T> | undefined, object: PackedObject<T>): void {
    const isKept = kept !== undefined && isSameText(kept, object);
    if (isKept || !(object instanceof PackedEntry)) return;
    this.#released = object.arena.pool;
    this.#released.release(object);
  }
}
