import type { StoredObject } from "./arena.ts";
import { storedLabels } from "./stored_labels.ts";

/**
 * The maximum number of labels that are indexed per collection of the storage; the least recently
 * used index is dropped first.
 */
const MAX_INDEXES = 16;
/** The number of objects read between two checks of the time slice while a label index is built. */
const STEP = 64;

/** An index of one collection's keys by the value of one label. */
export class LabelIndex {
  readonly #label: string;
  readonly #keys = new Map<string, Set<string>>();

  constructor(label: string) {
    this.#label = label;
  }

  /**
   * Returns the number of objects of the collection whose label has one of the values; a repeated
   * value counts again.
   */
  count(values: readonly string[]): number {
    return values.reduce((sum, value) => sum + (this.#keys.get(value)?.size ?? 0), 0);
  }

  /**
   * Returns the sorted keys that begin with `prefix` of the objects whose label has one of the
   * values.
   */
  keys(values: readonly string[], prefix: string): string[] {
    const keys: string[] = [];
    for (const value of new Set(values)) {
      for (const key of this.#keys.get(value) ?? []) if (key.startsWith(prefix)) keys.push(key);
    }
    return keys.sort();
  }

  /** Adds an object to the label index if it has the label; adding it again has no effect. */
  add(object: StoredObject): void {
    const value = this.#valueOf(object);
    if (value === undefined) return;
    let keys = this.#keys.get(value);
    if (!keys) this.#keys.set(value, keys = new Set());
    keys.add(object.key);
  }

  /** Removes an object from the label index, if the index contains the object. */
  remove(object: StoredObject): void {
    const value = this.#valueOf(object);
    if (value === undefined) return;
    const keys = this.#keys.get(value);
    keys?.delete(object.key);
    if (keys?.size === 0) this.#keys.delete(value);
  }

  #valueOf(object: StoredObject): string | undefined {
    const labels = storedLabels(object.bytes());
    return Object.hasOwn(labels, this.#label) ? labels[this.#label] : undefined;
  }
}

/** The collection of objects that a label index is built from: a `Collection` of the storage. */
export interface IndexedObjects {
  keys(prefix: string): readonly string[];
  get(key: string): StoredObject | undefined;
}

/**
 * A function that runs a generator to its end, possibly with waits between its steps, and returns
 * the generator's result, or a promise of it if there were waits.
 */
export type RunSteps = <T>(steps: Generator<unknown, T>) => T | Promise<T>;

/** The label indexes of one collection. Each is built at its first use and updated from then on. */
export class LabelIndexes {
  readonly #objects: IndexedObjects;
  /**
   * The label indexes by label, or promises of those that are being built, the most recently used
   * last.
   */
  readonly #indexes = new Map<string, LabelIndex | Promise<LabelIndex>>();
  /**
   * All label indexes that a write updates, by label, including those that are still being built.
   */
  readonly #kept = new Map<string, LabelIndex>();

  constructor(objects: IndexedObjects) {
    this.#objects = objects;
  }

  /**
   * Returns the index of a label for the collection, or a promise of it while it is being built. An
   * index whose construction fails is dropped, so that the next call builds it again.
   */
  of(label: string, run: RunSteps): LabelIndex | Promise<LabelIndex> {
    let index = this.#indexes.get(label);
    if (!index) {
      index = this.#build(label, run);
      this.#forgetOldest();
    }
    this.#indexes.delete(label);
    this.#indexes.set(label, index);
    return index;
  }

  /**
   * Returns the index of a label; `undefined` unless it is already built. Does not count as a use.
   */
  known(label: string): LabelIndex | undefined {
    const index = this.#indexes.get(label);
    return index instanceof Promise ? undefined : index;
  }

  /**
   * Updates the label indexes by a write: the object before it, `undefined` for a creation, and the
   * object after it, `undefined` for a deletion.
   */
  note(before: StoredObject | undefined, now: StoredObject | undefined): void {
    for (const index of this.#kept.values()) {
      if (before) index.remove(before);
      if (now) index.add(now);
    }
  }

  #build(label: string, run: RunSteps): LabelIndex | Promise<LabelIndex> {
    const index = new LabelIndex(label);
    this.#kept.set(label, index);
    const fail = (error: unknown): never => {
      if (this.#kept.get(label) === index) this.#drop(label);
      throw error;
    };
    let built: LabelIndex | Promise<LabelIndex>;
    try {
      built = run(this.#fill(index));
    } catch (error) {
      return fail(error);
    }
    if (!(built instanceof Promise)) return built;
    return built.then((built) => {
      if (this.#kept.get(label) === index) this.#indexes.set(label, built);
      return built;
    }, fail);
  }

  /**
   * Adds all objects of the collection to a new label index, in steps, and returns the index.
   * {@linkcode LabelIndexes.note} adds concurrent writes.
   */
  *#fill(index: LabelIndex): Generator<void, LabelIndex> {
    let step = 0;
    for (const key of this.#objects.keys("")) {
      const object = this.#objects.get(key);
      if (object) index.add(object);
      if (++step % STEP === 0) yield;
    }
    return index;
  }

  #forgetOldest(): void {
    if (this.#indexes.size < MAX_INDEXES) return;
    const [oldest] = this.#indexes.keys();
    this.#drop(oldest!);
  }

  #drop(label: string): void {
    this.#indexes.delete(label);
    this.#kept.delete(label);
  }
}
