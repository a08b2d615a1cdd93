import { compareResourceVersions, type KubeObject, type ObjectKey } from "@xca/apimachinery/meta";
import type { TextHolder, TextPool } from "../packed/arena.ts";
import type { Differences } from "./differences.ts";
import type { IndexError } from "./index_error.ts";
import { type IndexFunc, IndexTable } from "./index_table.ts";
import { KeyedObjects } from "./keyed_objects.ts";
import { isSameText, PackedEntry } from "../packed/packed_entry.ts";
import type { PackedList } from "./packed_list.ts";
import type { PackedObject } from "../packed/packed_object.ts";
import { Replacement } from "./replacement.ts";
import { SharedObjects } from "./shared_objects.ts";
import type { SharedReads, SharedStore } from "./store.ts";

export type { IndexFunc } from "./index_table.ts";
export { IndexError } from "./index_error.ts";

/**
 * The name of the index by namespace, which every store has. The index lists cluster-scoped objects
 * under `""`.
 */
export const NAMESPACE_INDEX = "namespace";

/** Options of the class {@linkcode Indexer}, a store of packed objects with indexes. */
export interface IndexerOptions {
  /**
   * Receives the errors that index functions of the store throw. Without it the call that changed
   * the store throws the first of its errors, after the change is complete.
   *
   * @default none
   */
  readonly onIndexError?: ((error: IndexError) => void) | undefined;
  /**
   * Limit in bytes of JSON text whose parsed objects the store keeps for
   * {@linkcode Indexer.shared}. The parsed objects take about twice as many bytes of memory. 0
   * keeps none.
   *
   * @default {16777216}
   */
  readonly sharedBytes?: number | undefined;
  /**
   * Sets whether the store's shared parsed objects are deeply frozen, so that code that changes one
   * throws.
   *
   * @default {false}
   */
  readonly freeze?: boolean | undefined;
}

/**
 * Options of {@linkcode Indexer.replaceInSlices}, which replaces all objects of a store in slices.
 */
export interface ReplaceInSlicesOptions<T extends KubeObject = KubeObject> {
  /**
   * The resourceVersion of the list that replaces the store's objects, which becomes that of the
   * store; an empty one leaves the store's resourceVersion unchanged.
   */
  readonly resourceVersion: string;
  /**
   * The time slice of the event loop: `used` is read after each step, and `next()` is awaited when
   * `used` is true or the next step is a long one.
   */
  readonly slice: { readonly used: boolean; next(signal?: AbortSignal): Promise<void> };
  /**
   * The signal that cancels the replacement of the store's objects, at the next wait for a slice.
   *
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Sets whether a stored object is kept instead of a given object with the same key, UID and
   * nonempty resourceVersion. Must be false when the server may have reused a version for another
   * state.
   *
   * @default {true}
   */
  readonly reuse?: boolean | undefined;
  /**
   * The keys of objects that exist on the server and are not among those given; see {@linkcode
   * StoreReader.lost}.
   *
   * @default none
   */
  readonly lost?: ReadonlySet<ObjectKey | undefined> | undefined;
  /**
   * Sets whether {@linkcode ReplaceInSlicesOptions.onSwap} receives the unchanged objects too.
   *
   * @default {false}
   */
  readonly noteUnchanged?: boolean | undefined;
  /**
   * Receives the differences between the store's old and new state in the synchronous step that
   * swaps them: the store has the new state already, but no other code has run since the swap.
   *
   * @default none
   */
  readonly onSwap?: ((differences: Differences<T>) => void) | undefined;
}

type Replacing<T extends KubeObject> = Omit<ReplaceInSlicesOptions<T>, "slice" | "signal">;

/**
 * A store of packed objects with named indexes: the content of a cache.
 *
 * - Every change is one synchronous step: a reader sees all of it or nothing.
 * - When an index function throws, the object is stored and is in every other index; the
 *   {@linkcode IndexError} names the index and the key.
 * - The indexer retains and releases the texts of its objects in their arena pools, and triggers
 *   the compaction of the pools.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createPacker } from "../packed/packer.ts";
 * import { Indexer } from "./indexer.ts";
 * import { ConfigMap } from "@xca/operator/meta";
 *
 * const packer = createPacker({ type: ConfigMap });
 * const indexer = new Indexer({ byApp: (object) => object.labels.app ? [object.labels.app] : [] });
 * indexer.upsert(packer.packObject({ metadata: { name: "a", labels: { app: "web" } } }));
 * assert(indexer.indexKeys("byApp", "web").join() === "a");
 * ```
 */
export class Indexer<T extends KubeObject = KubeObject> implements SharedStore<T> {
  readonly #onIndexError: ((error: IndexError) => void) | undefined;
  /** The recently read objects of the store, parsed, for readers that share them. */
  readonly shared: SharedReads<T>;
  readonly #shared: SharedObjects<T>;
  #indexes: Map<string, IndexTable<T>> = new Map();
  #objects = new KeyedObjects<T>();
  #resourceVersion = "";
  #lost = new Set<ObjectKey | undefined>();
  /**
   * The replacement of the store's objects that is in progress; `undefined` if there is none. Other
   * changes are refused meanwhile, because the swap would lose them.
   */
  #replacement: Replacement<T> | undefined;
  /**
   * The arena pools that hold the texts of stored objects, and in which this store is registered.
   */
  readonly #pools = new WeakSet<TextPool>();
  /**
   * The arena pools in which the store is registered, to sum their sizes; a single pool, unless
   * several packers filled the store. Pools that were garbage-collected are skipped.
   */
  #poolRefs: WeakRef<TextPool>[] = [];
  readonly #holder: TextHolder = {
    isReplacing: () =>
      this.#replacement !== undefined && this.#replacement.objects !== this.#objects,
    evacuate: (from, write) => this.#objects.evacuate(from, write),
  };

  /**
   * Creates an empty store with the namespace index and `indexers`.
   *
   * @throws {RangeError} If `sharedBytes` is negative or not a number, or an index is named
   * `namespace`.
   */
  constructor(indexers: Record<string, IndexFunc<T>> = {}, options: IndexerOptions = {}) {
    this.shared = this.#shared = new SharedObjects<T>({
      current: (key) => this.#objects.get(key),
      maxBytes: options.sharedBytes,
      freeze: options.freeze,
    });
    this.#onIndexError = options.onIndexError;
    const byNamespace = new IndexTable<T>(NAMESPACE_INDEX, {
      factOf: ({ namespace }) => namespace,
    });
    this.#indexes.set(NAMESPACE_INDEX, byNamespace);
    this.addIndexers(indexers);
  }

  /** Number of objects in the indexed store. */
  get size(): number {
    return this.#objects.size;
  }

  /**
   * The resourceVersion of the store: that of the last list, or a newer one of an event or bookmark
   * received since; empty before the first of these.
   */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /**
   * The keys of objects that exist on the server and could not be stored; see {@linkcode
   * StoreReader.lost}.
   */
  get lost(): ReadonlySet<ObjectKey | undefined> {
    return this.#lost;
  }

  /**
   * Returns the stored object of a key, parsed anew at each call: the caller may change it.
   * `undefined` if the store has none.
   *
   * @throws {DecodeError} If the text of the object is not JSON.
   */
  get(key: ObjectKey): T | undefined {
    return this.#objects.get(key)?.read();
  }

  /**
   * Returns the stored packed object of a key, created anew at each call; `undefined` if the store
   * has none.
   */
  getPacked(key: ObjectKey): PackedObject<T> | undefined {
    return this.#objects.get(key);
  }

  /**
   * Returns the keys of all objects in the indexed store, in the order in which they were added.
   */
  keys(): ObjectKey[] {
    return [...this.#objects.keys()];
  }

  /**
   * Returns an iterator over all stored packed objects as of the call; later changes of the store
   * do not affect it.
   */
  packed(): IterableIterator<PackedObject<T>> {
    return this.#objects.list()[Symbol.iterator]();
  }

  /**
   * Returns a list of all stored packed objects as of the call; later changes of the store do not
   * affect it.
   */
  list(): PackedList<T> {
    return this.#objects.list();
  }

  /**
   * Returns the stored packed objects that an index lists under a value; empty if there are none.
   *
   * @throws {RangeError} If there is no index of that name.
   */
  byIndex(index: string, value: string): PackedObject<T>[] {
    const found: PackedObject<T>[] = [];
    for (const key of this.#index(index).keys(value)) {
      const object = this.#objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  /**
   * Returns the keys of the stored objects that an index lists under a value; empty if there are
   * none.
   *
   * @throws {RangeError} If there is no index of that name.
   */
  indexKeys(index: string, value: string): ObjectKey[] {
    return this.#index(index).keys(value);
  }

  /**
   * Returns every value under which an index lists at least one stored object.
   *
   * @throws {RangeError} If there is no index of that name.
   */
  listIndexFuncValues(index: string): string[] {
    return this.#index(index).values();
  }

  /**
   * Returns the keys of the stored objects that an index does not list because its function threw
   * on them.
   *
   * @throws {RangeError} If there is no index of that name.
   */
  indexFailures(index: string): ObjectKey[] {
    return this.#index(index).failed();
  }

  /**
   * Adds indexes to the store, and lists the stored objects in them.
   *
   * @throws {RangeError} If an index of that name exists; none is added then.
   * @throws {IndexError} If a function throws and there is no
   * {@linkcode IndexerOptions.onIndexError}; the indexes are added all the same.
   */
  addIndexers(indexers: Record<string, IndexFunc<T>>): void {
    const added = Object.entries(indexers);
    for (const [name] of added) {
      if (this.#indexes.has(name)) {
        throw new RangeError(`Cannot add index ${name}: an index of that name exists`);
      }
    }
    const errors: IndexError[] = [];
    for (const [name, valuesOf] of added) {
      const table = new IndexTable<T>(name, { valuesOf });
      this.#indexes.set(name, table);
      for (const object of this.#objects) collect(errors, table.file(object));
    }
    this.#report(errors);
  }

  /**
   * Stores a version of an object, also an older one, and returns the version that it replaces;
   * `undefined` if there is none. An object that is stored already changes nothing and is returned.
   *
   * @throws {IndexError} See {@linkcode IndexerOptions.onIndexError}.
   * @throws {Error} While {@linkcode Indexer.replaceInSlices} runs.
   */
  upsert(object: PackedObject<T>): PackedObject<T> | undefined {
    this.#refuseWhileReplacing(`store ${object.key}`);
    const old = this.#objects.get(object.key);
    if (old !== undefined && isSameText(old, object)) return old;
    this.#objects.set(object);
    if (this.#lost.size > 0) this.#lost.delete(object.key);
    this.#shared.drop(object.key);
    this.#retain(object);
    if (old !== undefined) release(old);
    this.noteResourceVersion(object.resourceVersion);
    const errors: IndexError[] = [];
    for (const table of this.#indexes.values()) collect(errors, table.file(object));
    if (old !== undefined) compact(old);
    this.#report(errors);
    return old;
  }

  /**
   * Removes the object of a key, and the key from {@linkcode Indexer.lost}; returns the object, or
   * `undefined` if there is none. `resourceVersion`, if known, is that of the deletion; it becomes
   * the store's if it is newer.
   *
   * @throws {Error} While {@linkcode Indexer.replaceInSlices} runs.
   */
  delete(key: ObjectKey, resourceVersion?: string): PackedObject<T> | undefined {
    this.#refuseWhileReplacing(`delete ${key}`);
    if (resourceVersion !== undefined) this.noteResourceVersion(resourceVersion);
    this.#lost.delete(key);
    const old = this.#objects.get(key);
    if (old === undefined) return undefined;
    this.#objects.delete(key);
    this.#shared.drop(key);
    for (const table of this.#indexes.values()) table.remove(old);
    release(old);
    compact(old);
    return old;
  }

  /**
   * Replaces all stored objects by the given ones, in one step, and empties {@linkcode
   * Indexer.lost}. A stored object with the same key, UID and nonempty resourceVersion is kept with
   * its bytes. Of two objects with the same key the last counts.
   *
   * @throws {IndexError} See {@linkcode IndexerOptions.onIndexError}.
   * @throws {Error} While {@linkcode Indexer.replaceInSlices} runs.
   */
  replace(objects: Iterable<PackedObject<T>>, resourceVersion: string): void {
    const steps = this.#replace(objects, { resourceVersion });
    while (!steps.next().done);
  }

  /**
   * Replaces all stored objects by many others without blocking the event loop: builds the new
   * state and its indexes beside the old state, then swaps them in one step. Readers see the whole
   * old state until then. Until the promise settles, upserts, deletions and other replacements
   * throw; indexes may be added. A {@linkcode KeyedObjects} is not copied: the store takes it over.
   *
   * @throws {IndexError} See {@linkcode IndexerOptions.onIndexError}.
   * @throws {Error} If a replacement is running already.
   * @throws {unknown} The reason of the signal, if it is aborted at a wait for the slice. Nothing
   * has changed if that wait was before the swap.
   */
  async replaceInSlices(
    objects: Iterable<PackedObject<T>>,
    options: ReplaceInSlicesOptions<T>,
  ): Promise<void> {
    const { slice, signal } = options;
    for (const isLongNext of this.#replace(objects, options)) {
      if (isLongNext || slice.used) await slice.next(signal);
    }
  }

  *#replace(
    objects: Iterable<PackedObject<T>>,
    { resourceVersion, lost, reuse = true, noteUnchanged = false, onSwap }: Replacing<T>,
  ): Generator<boolean, void> {
    this.#refuseWhileReplacing("replace the store");
    const replacement = this.#replacement = new Replacement<T>({
      before: this.#objects,
      objects,
      retain: (object) => this.#retain(object),
    });
    const releasing = replacement.release();
    try {
      yield* replacement.take({ reuse, noteUnchanged });
      const differences = onSwap && (yield* replacement.differences());
      for (const [name, table] of this.#indexes) yield* replacement.index(name, table);
      this.#objects = replacement.objects;
      this.#lost = new Set(lost);
      this.#shared.clear();
      this.#indexes = replacement.indexes;
      if (resourceVersion !== "") this.#resourceVersion = resourceVersion;
      if (differences !== undefined) onSwap?.(differences);
      while (!releasing.next().done) yield false;
      yield* replacement.compact();
    } finally {
      if (this.#objects === replacement.objects) { while (!releasing.next().done); }
      else replacement.abandon();
      this.#replacement = undefined;
    }
    this.#report(replacement.errors);
  }

  /**
   * Records that an object exists and could not be stored, until its key is stored or deleted or the
   * store is replaced. `undefined` stands for an object whose key is not known.
   */
  noteLost(key: ObjectKey | undefined): void {
    this.#lost.add(key);
  }

  /**
   * Records a resourceVersion that the server reported, for example in a bookmark, as that of the
   * store. An older or empty resourceVersion changes nothing; one that cannot be compared is
   * recorded.
   */
  noteResourceVersion(resourceVersion: string): void {
    if (resourceVersion === "") return;
    const order = compareResourceVersions(resourceVersion, this.#resourceVersion);
    if (order === undefined || order > 0) this.#resourceVersion = resourceVersion;
  }

  /**
   * Size in bytes of the texts and encoded metadata of the stored objects in the store's arena
   * pools, objects that other stores keep in the same pools included.
   */
  get storedBytes(): number {
    return this.#sumOfPools((pool) => pool.liveBytes);
  }

  /** Size in bytes of the memory blocks of the store's arena pools, free space included. */
  get allocatedBytes(): number {
    return this.#sumOfPools((pool) => pool.allocatedBytes);
  }

  #sumOfPools(bytes: (pool: TextPool) => number): number {
    return this.#poolRefs.reduce((sum, ref) => {
      const pool = ref.deref();
      return pool ? sum + bytes(pool) : sum;
    }, 0);
  }

  /**
   * Retains the arena text of an object that was stored, and registers the store with the pool of
   * the text.
   */
  #retain(object: PackedObject<T>): void {
    if (!(object instanceof PackedEntry)) return;
    const { pool } = object.arena;
    if (!this.#pools.has(pool)) {
      this.#pools.add(pool);
      this.#poolRefs = [...this.#poolRefs.filter((ref) => ref.deref()), new WeakRef(pool)];
      pool.join(this.#holder);
    }
    pool.retain(object);
  }

  #index(name: string): IndexTable<T> {
    const table = this.#indexes.get(name);
    if (table !== undefined) return table;
    const names = [...this.#indexes.keys()].join(", ");
    throw new RangeError(`Cannot read index ${name}: the store has only the indexes ${names}`);
  }

  #refuseWhileReplacing(what: string): void {
    if (this.#replacement === undefined) return;
    throw new Error(
      `Cannot ${what}: the store is being replaced; wait for replaceInSlices() to end`,
    );
  }

  #report(errors: readonly IndexError[]): void {
    if (errors.length === 0) return;
    if (this.#onIndexError === undefined) throw errors[0]!;
    for (const error of errors) this.#onIndexError(error);
  }
}

function collect(errors: IndexError[], error: IndexError | undefined): void {
  if (error !== undefined) errors.push(error);
}

function release(object: PackedObject): void {
  if (object instanceof PackedEntry) object.arena.pool.release(object);
}

function compact(object: PackedObject): void {
  if (object instanceof PackedEntry) object.arena.pool.compact();
}
