import { LabelIndexes } from "./label_index.ts";
import type { Arena, StoredObject } from "./arena.ts";

/** A write in a collection's history: an object that was added, modified or deleted. */
export interface LogEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The name of the collection that was written: plural and group, such as `deployments.apps`. */
  readonly collection: string;
  /** The storage key of the written object: `namespace/name`, or the name alone. */
  readonly key: string;
  readonly revision: number;
  /**
   * The object after the write; for a deletion its last state, with the revision of the deletion.
   */
  readonly object: StoredObject;
  /** The stored object before the write; absent if the write created it. */
  readonly previous: StoredObject | undefined;
}

/**
 * The minimum number of new keys of a collection at which a write sorts them; in a collection of
 * more than 65 536 keys, a sixteenth of the sorted keys.
 */
const MIN_UNSORTED = 4096;

/**
 * A collection of the storage: all current objects of one resource, and its history since the last
 * compaction.
 */
export class Collection {
  readonly name: string;
  /** The indexes of the collection's objects by the values of their labels. */
  readonly labels: LabelIndexes = new LabelIndexes(this);
  readonly #objects = new Map<string, StoredObject>();
  /**
   * The writes of the collection in the order of revisions; `undefined` for compacted ones at the
   * beginning.
   */
  #events: (LogEvent | undefined)[] = [];
  /**
   * The number of entries at the beginning of `#events` that are `undefined`, since they were
   * compacted.
   */
  #forgotten = 0;
  /**
   * The keys of the collection at the last sort, in sorted order. Keys of objects that were deleted
   * since then are still among them; if such an object was created again, its key is also in
   * `#unsorted`.
   */
  #sorted: string[] = [];
  #unsorted = new Set<string>();
  #stale = false;

  constructor(name: string) {
    this.name = name;
  }

  /** The number of current objects in the collection. */
  get size(): number {
    return this.#objects.size;
  }

  /** Returns the current object of a key; `undefined` if the collection has none. */
  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /**
   * Returns the keys of the collection that begin with `prefix`, sorted by UTF-16 code units. The
   * caller must not change the array.
   */
  keys(prefix: string): string[] {
    this.#sort();
    const start = lowerBound(this.#sorted, prefix);
    if (prefix === "") return this.#sorted;
    let end = start;
    while (end < this.#sorted.length && this.#sorted[end]!.startsWith(prefix)) end++;
    return this.#sorted.slice(start, end);
  }

  /**
   * Returns the last key that begins with `prefix`, by UTF-16 code units; `undefined` if there is
   * none.
   */
  lastKey(prefix: string): string | undefined {
    return this.keys(prefix).at(-1);
  }

  /** Returns the current objects whose keys begin with `prefix`, in key order. */
  list(prefix: string): StoredObject[] {
    return this.keys(prefix).map((key) => this.#objects.get(key)!);
  }

  /**
   * Returns the objects whose keys begin with `prefix` as they were at a revision that is not
   * compacted, in key order.
   */
  listAt(prefix: string, revision: number): StoredObject[] {
    const then = new Map<string, StoredObject | undefined>();
    for (const event of this.eventsAfter(revision)) {
      if (event.key.startsWith(prefix) && !then.has(event.key)) {
        then.set(event.key, event.previous);
      }
    }
    if (then.size === 0) return this.list(prefix);
    const keys = new Set(this.keys(prefix));
    for (const [key, object] of then) {
      if (object) keys.add(key);
      else keys.delete(key);
    }
    return [...keys].sort().map((key) => then.get(key) ?? this.#objects.get(key)!);
  }

  /**
   * Returns the object of a key as it was at a revision that is not compacted; `undefined` if the
   * key had no object then.
   */
  getAt(key: string, revision: number): StoredObject | undefined {
    const later = this.eventsAfter(revision).find((event) => event.key === key);
    return later ? later.previous : this.get(key);
  }

  /**
   * Returns the collection's writes after a revision that is not compacted, in the order of
   * revisions.
   */
  eventsAfter(revision: number): LogEvent[] {
    return this.#events.slice(this.#firstAfter(revision)) as LogEvent[];
  }

  /**
   * Returns the index of the first write after a revision in `#events`; its length if there is
   * none.
   */
  #firstAfter(revision: number): number {
    let low = this.#forgotten;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Records a write of one object in the collection. Called by the revision log only. */
  apply(event: LogEvent): void {
    this.#events.push(event);
    this.labels.note(event.previous, event.type === "DELETED" ? undefined : event.object);
    if (event.type === "DELETED") {
      this.#objects.delete(event.key);
      if (!this.#unsorted.delete(event.key)) this.#stale = true;
    } else {
      if (event.type === "ADDED") this.#unsorted.add(event.key);
      this.#objects.set(event.key, event.object);
      this.#sortMany();
    }
  }

  /**
   * Adds an object to the collection without a write in its history. Called by the revision log
   * only.
   */
  load(object: StoredObject): void {
    this.#unsorted.add(object.key);
    this.#objects.set(object.key, object);
    this.#sortMany();
  }

  /**
   * Drops the collection's history up to and including a revision, and releases its objects in the
   * arena. Called by the revision log only.
   */
  compact(revision: number, arena: Arena): void {
    const kept = this.#firstAfter(revision);
    for (; this.#forgotten < kept; this.#forgotten++) {
      const { type, object, previous } = this.#events[this.#forgotten]!;
      if (previous) arena.release(previous);
      if (type === "DELETED") arena.release(object);
      this.#events[this.#forgotten] = undefined;
    }
    // The array is shortened only when most of it is empty, since this copies the rest.
    if (this.#forgotten * 2 < this.#events.length) return;
    this.#events = this.#events.slice(this.#forgotten);
    this.#forgotten = 0;
  }

  /**
   * Sorts the new keys of a collection when a batch of them has accumulated, so that a list does
   * not have to sort many keys at once, which would block the event loop.
   */
  #sortMany(): void {
    if (this.#unsorted.size >= Math.max(MIN_UNSORTED, this.#sorted.length / 16)) this.#sort();
  }

  #sort(): void {
    if (!this.#stale && this.#unsorted.size === 0) return;
    const old = this.#stale
      ? this.#sorted.filter((key) => this.#objects.has(key) && !this.#unsorted.has(key))
      : this.#sorted;
    this.#sorted = merge(old, [...this.#unsorted].sort());
    this.#unsorted.clear();
    this.#stale = false;
  }
}

/** Returns the index in a sorted array of texts of the first text that is not less than `key`. */
function lowerBound(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function merge(a: readonly string[], b: readonly string[]): string[] {
  if (b.length === 0) return [...a];
  const merged: string[] = [];
  let i = 0;
  for (const key of b) {
    while (i < a.length && a[i]! < key) merged.push(a[i++]!);
    merged.push(key);
  }
  while (i < a.length) merged.push(a[i++]!);
  return merged;
}
