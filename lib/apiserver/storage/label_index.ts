import type { StoredObject } from "./arena.ts";
import { storedLabels } from "./stored_labels.ts";

/** The most labels that are indexed per collection: those used last. */
const MAX_INDEXES = 16;
/** The number of objects read between two checks of the slice. */
const STEP = 64;

/** The keys of the objects of one collection, by the value that one label has. */
export class LabelIndex {
  readonly #label: string;
  readonly #keys = new Map<string, Set<string>>();

  constructor(label: string) {
    this.#label = label;
  }

  /** Returns the number of objects that have one of the values. */
  count(values: readonly string[]): number {
    return values.reduce((sum, value) => sum + (this.#keys.get(value)?.size ?? 0), 0);
  }

  /** The keys of the objects that have one of the values and begin with `prefix`, in their order. */
  keys(values: readonly string[], prefix: string): string[] {
    const keys: string[] = [];
    for (const value of new Set(values)) {
      for (const key of this.#keys.get(value) ?? []) if (key.startsWith(prefix)) keys.push(key);
    }
    return keys.sort();
  }

  /** Takes an object in; one that it has already stays. */
  add(object: StoredObject): void {
    const value = this.#valueOf(object);
    if (value === undefined) return;
    let keys = this.#keys.get(value);
    if (!keys) this.#keys.set(value, keys = new Set());
    keys.add(object.key);
  }

  /** Takes an object out; one that it has not yet is let alone. */
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

/** The objects that an index is built of. */
export interface IndexedObjects {
  keys(prefix: string): readonly string[];
  get(key: string): StoredObject | undefined;
}

/** Runs steps to their end, perhaps with waits between. */
export type RunSteps = <T>(steps: Generator<unknown, T>) => T | Promise<T>;

/** The indexes of one collection: each is built when it is first asked for, and kept up from then on. */
export class LabelIndexes {
  readonly #objects: IndexedObjects;
  /** By label, the one that was asked for last at the end. */
  readonly #indexes = new Map<string, LabelIndex | Promise<LabelIndex>>();
  /** The same, those that are being built among them. */
  readonly #kept = new Map<string, LabelIndex>();

  constructor(objects: IndexedObjects) {
    this.#objects = objects;
  }

  /** The index of a label; a promise where building it takes long. */
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

  /** The index of a label, where it is built. */
  known(label: string): LabelIndex | undefined {
    const index = this.#indexes.get(label);
    return index instanceof Promise ? undefined : index;
  }

  /** Notes a write: what stood at the key, and what stands there now. */
  note(before: StoredObject | undefined, now: StoredObject | undefined): void {
    for (const index of this.#kept.values()) {
      if (before) index.remove(before);
      if (now) index.add(now);
    }
  }

  #build(label: string, run: RunSteps): LabelIndex | Promise<LabelIndex> {
    const index = new LabelIndex(label);
    this.#kept.set(label, index);
    const built = run(this.#fill(index));
    if (!(built instanceof Promise)) return built;
    return built.then((built) => {
      if (this.#kept.get(label) === index) this.#indexes.set(label, built);
      return built;
    }, (error) => {
      if (this.#kept.get(label) === index) this.#drop(label);
      throw error;
    });
  }

  /** Writes that come between are noted by {@linkcode LabelIndexes.note}. */
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
