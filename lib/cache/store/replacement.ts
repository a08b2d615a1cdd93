import type { KubeObject } from "@xca/apimachinery/meta";
import type { TextPool } from "../packed/arena.ts";
import { DifferenceNotes, type Differences } from "./differences.ts";
import type { IndexError } from "./index_error.ts";
import type { IndexTable } from "./index_table.ts";
import { KeyedObjects } from "./keyed_objects.ts";
import { growsNext } from "./map_growth.ts";
import { isSameText, PackedEntry } from "../packed/packed_entry.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/** Number of objects that a replacement processes between two yields to other work. */
const STEP = 32;

/**
 * Options of the class {@linkcode Replacement}, which replaces all objects of a store in slices.
 */
export interface ReplacementOptions<T extends KubeObject> {
  /** The current objects of the store. */
  readonly before: KeyedObjects<T>;
  /**
   * The objects that replace those of the store. A {@linkcode KeyedObjects} is not copied, but
   * becomes the new state.
   */
  readonly objects: Iterable<PackedObject<T>>;
  /** Adds the store's reference to the arena text of an object that is to be stored. */
  readonly retain: (object: PackedObject<T>) => void;
}

/**
 * Options of {@linkcode Replacement.take}, which takes over the objects of a new list in slices.
 */
export interface TakeOptions {
  /**
   * Sets whether a stored object is kept instead of a new object with the same key, UID and
   * nonempty resourceVersion.
   */
  readonly reuse: boolean;
  /** Sets whether unchanged objects of the replacement are recorded too. */
  readonly noteUnchanged: boolean;
}

/**
 * A new state of a store, built beside the current one to replace it. Readers see the whole current
 * state until the references are swapped.
 *
 * The methods, except for {@linkcode Replacement.abandon}, are generators that yield between short
 * steps; they yield `true` when the next step takes long by itself.
 */
export class Replacement<T extends KubeObject> {
  /**
   * The indexes of the store after the replacement, by name; filled by {@linkcode
   * Replacement.index}.
   */
  readonly indexes: Map<string, IndexTable<T>> = new Map();
  /** The errors that index functions threw during the replacement. */
  readonly errors: IndexError[] = [];
  /**
   * The objects of the store after the replacement; complete once {@linkcode Replacement.take}
   * ended.
   */
  readonly objects: KeyedObjects<T>;
  readonly #given: Iterable<PackedObject<T>>;
  readonly #retain: (object: PackedObject<T>) => void;
  readonly #before: KeyedObjects<T>;
  readonly #notes: DifferenceNotes<T>;
  /**
   * Number of objects of the new state that `take` has compared with the old state so far; the
   * texts among them that the old state lacks are retained.
   */
  #taken = 0;
  /**
   * The arena pool of the last text that the replacement released; `undefined` before the first.
   */
  #released: TextPool | undefined;

  constructor({ before, objects, retain }: ReplacementOptions<T>) {
    this.#before = before;
    this.#retain = retain;
    const isKeyed = objects instanceof KeyedObjects;
    this.objects = isKeyed ? objects : new KeyedObjects();
    this.#given = isKeyed ? [] : objects;
    this.#notes = new DifferenceNotes(before, this.objects);
  }

  /**
   * Fills {@linkcode Replacement.objects} with the replacing objects, or, where `reuse` permits,
   * with the stored ones in their place; retains the texts that the old state lacks, and records
   * the differences.
   */
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

  /**
   * Builds the index of the new state that succeeds an index of the store, and adds it to
   * `indexes`, after {@linkcode Replacement.take} ended. The index function does not run on objects
   * that were kept from the old state.
   */
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

  /**
   * Returns the differences between the store's old and new state, after {@linkcode
   * Replacement.take} ended.
   */
  differences(): Generator<boolean, Differences<T>> {
    return this.#notes.end();
  }

  /**
   * Releases the objects that the replacement retained, when the replacement ends before the swap.
   */
  abandon(): void {
    for (const now of this.objects) {
      if (this.#taken-- <= 0) return;
      this.#releaseUnless(this.#before.get(now.key), now);
    }
  }

  /**
   * Releases the objects of the store's old state that the new state does not have. The store runs
   * the generator after the swap.
   */
  *release(): Generator<boolean, void> {
    let count = 0;
    for (const old of this.#before) {
      this.#releaseUnless(this.objects.get(old.key), old);
      if (count++ % STEP === 0) yield false;
    }
  }

  /**
   * Reclaims the memory of the store's released objects, one arena per step. Called after
   * {@linkcode Replacement.release}.
   */
  *compact(): Generator<boolean, void> {
    while (this.#released?.compact()) yield false;
  }

  /**
   * Releases an object of the store's old or new state, unless the other state refers to the same
   * text.
   */
  #releaseUnless(kept: PackedObject<T> | undefined, object: PackedObject<T>): void {
    const isKept = kept !== undefined && isSameText(kept, object);
    if (isKept || !(object instanceof PackedEntry)) return;
    this.#released = object.arena.pool;
    this.#released.release(object);
  }
}
