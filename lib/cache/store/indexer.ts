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
import type { SharedReads, StoreReader } from "./store.ts";

export type { IndexFunc } from "./index_table.ts";
export { IndexError } from "./index_error.ts";

/** The index by namespace, which every indexer has. Cluster-scoped objects are filed under `""`. */
export const NAMESPACE_INDEX = "namespace";

/** Options for {@linkcode Indexer}. */
export interface IndexerOptions {
  /**
   * Gets the errors of index functions. Without it the call that changed the store throws the first of
   * them, after the whole change is made.
   *
   * @default none
   */
  readonly onIndexError?: ((error: IndexError) => void) | undefined;
  /**
   * The bytes of JSON text whose parsed objects {@linkcode Indexer.shared} keeps; their trees take about
   * twice that. 0 keeps none.
   *
   * @default {16777216}
   */
  readonly sharedBytes?: number | undefined;
  /** Whether shared objects are frozen, deeply, so that a reader that changes one is found out. @default {false} */
  readonly freeze?: boolean | undefined;
}

/** Options for {@linkcode Indexer.replaceInSlices}. */
export interface ReplaceInSlicesOptions<T extends KubeObject = KubeObject> {
  /** The version the new state is of; empty when it has none. */
  readonly resourceVersion: string;
  /** The share of the event loop's time that it may take: asked after each step, and awaited when used. */
  readonly slice: { readonly used: boolean; next(signal?: AbortSignal): Promise<void> };
  /** Ends it. @default none */
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether what is there of the same UID and resourceVersion stays; not so when the server may have
   * used a version again for another state.
   *
   * @default {true}
   */
  readonly reuse?: boolean | undefined;
  /** The keys of objects that exist and are not among those given; see {@linkcode StoreReader.lost}. @default none */
  readonly lost?: ReadonlySet<ObjectKey | undefined> | undefined;
  /** Whether {@linkcode ReplaceInSlicesOptions.onSwap} is told of what is unchanged too. @default {false} */
  readonly noteUnchanged?: boolean | undefined;
  /**
   * Called in the same step as the swap, with what it changes: no reader sees the new state before.
   *
   * @default none
   */
  readonly onSwap?: ((differences: Differences<T>) => void) | undefined;
}

type Replacing<T extends KubeObject> = Omit<ReplaceInSlicesOptions<T>, "slice" | "signal">;

/**
 * A store with named indexes, and its writer's side.
 *
 * - Every change is one synchronous step: a reader sees all of it or nothing.
 * - When an index function throws, the object is stored all the same and is in every other index; the
 *   {@linkcode IndexError} names index and key.
 * - It says which texts are live, and has the memory of replaced ones reclaimed little by little.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createPacker, Indexer } from "@xca/operator/cache";
 * import { ConfigMap } from "@xca/operator/meta";
 *
 * const packer = createPacker({ type: ConfigMap });
 * const indexer = new Indexer({ byApp: (object) => object.labels.app ? [object.labels.app] : [] });
 * indexer.upsert(packer.packObject({ metadata: { name: "a", labels: { app: "web" } } }));
 * assert(indexer.indexKeys("byApp", "web").join() === "a");
 * ```
 */
export class Indexer<T extends KubeObject = KubeObject> implements StoreReader<T> {
  readonly #onIndexError: ((error: IndexError) => void) | undefined;
  /** The objects that were read lately, parsed, for readers that share them. */
  readonly shared: SharedReads<T>;
  readonly #shared: SharedObjects<T>;
  #indexes: Map<string, IndexTable<T>> = new Map();
  #objects = new KeyedObjects<T>();
  #resourceVersion = "";
  #lost = new Set<ObjectKey | undefined>();
  /** The replacement that is being built: what is changed meanwhile would be lost. */
  #replacement: Replacement<T> | undefined;
  /** The pools whose texts were stored here. */
  readonly #pools = new WeakSet<TextPool>();
  readonly #holder: TextHolder = {
    evacuate: (from, write) => {
      this.#objects.evacuate(from, write);
      if (this.#replacement?.objects !== this.#objects) {
        this.#replacement?.objects.evacuate(from, write);
      }
    },
  };

  /**
   * Makes an empty store with the namespace index and `indexers`.
   *
   * @throws {RangeError} When `sharedBytes` is negative or no number.
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

  /** How many objects there are. */
  get size(): number {
    return this.#objects.size;
  }

  /** The newest version the store has seen; empty at first. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** The keys of objects that exist and could not be stored; see {@linkcode StoreReader.lost}. */
  get lost(): ReadonlySet<ObjectKey | undefined> {
    return this.#lost;
  }

  /**
   * The object of a key, parsed anew at each call: it belongs to the caller.
   *
   * @throws {DecodeError} When the object's text proves not to be JSON.
   */
  get(key: ObjectKey): T | undefined {
    return this.#objects.get(key)?.read();
  }

  /** The packed object of a key, made anew at each call. */
  getPacked(key: ObjectKey): PackedObject<T> | undefined {
    return this.#objects.get(key);
  }

  /** Every key. */
  keys(): ObjectKey[] {
    return [...this.#objects.keys()];
  }

  /** Every packed object, as they are now: later changes do not show. */
  packed(): IterableIterator<PackedObject<T>> {
    return this.#objects.list()[Symbol.iterator]();
  }

  /** Every packed object, as they are now, by their places. */
  list(): PackedList<T> {
    return this.#objects.list();
  }

  /**
   * The packed objects that an index files under a value.
   *
   * @throws {RangeError} When there is no such index.
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
   * The keys that an index files under a value.
   *
   * @throws {RangeError} When there is no such index.
   */
  indexKeys(index: string, value: string): ObjectKey[] {
    return this.#index(index).keys(value);
  }

  /**
   * Every value that an index files at least one object under.
   *
   * @throws {RangeError} When there is no such index.
   */
  listIndexFuncValues(index: string): string[] {
    return this.#index(index).values();
  }

  /**
   * The keys of the objects that an index files nowhere because its function threw on them.
   *
   * @throws {RangeError} When there is no such index.
   */
  indexFailures(index: string): ObjectKey[] {
    return this.#index(index).failed();
  }

  /**
   * Adds indexes; the objects already there are filed at once.
   *
   * @throws {RangeError} When an index of that name exists; none is added then.
   * @throws {IndexError} When a function throws; the indexes are added all the same.
   */
  addIndexers(indexers: Record<string, IndexFunc<T>>): void {
    const added = Object.entries(indexers);
    for (const [name] of added) {
      if (this.#indexes.has(name)) {
        throw new RangeError(`Cannot add index ${name}: there is one of that name`);
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
   * Stores a version of an object, and returns the one it replaces.
   *
   * @throws {IndexError} See {@linkcode IndexerOptions.onIndexError}.
   * @throws {Error} While {@linkcode Indexer.replaceInSlices} is at work.
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
   * Removes an object and returns it. `resourceVersion` is that of the deletion, when it is known.
   *
   * @throws {Error} While {@linkcode Indexer.replaceInSlices} is at work.
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
   * Makes the store hold these objects and no others, in one step. What it already has of the same UID
   * and resourceVersion stays as it is, bytes and all. Of two objects with one key the last counts.
   *
   * @throws {IndexError} See {@linkcode IndexerOptions.onIndexError}.
   * @throws {Error} While {@linkcode Indexer.replaceInSlices} is at work.
   */
  replace(objects: Iterable<PackedObject<T>>, resourceVersion: string): void {
    const steps = this.#replace(objects, { resourceVersion });
    while (!steps.next().done);
  }

  /**
   * The same for many objects, without holding up the event loop: the new state and its indexes are
   * built beside the old one, then take its place in one step. Until then readers see the old state
   * whole. Nothing else may change the store until it resolves; indexes may be added. What a FIFO hands
   * out as {@linkcode ReplacedAll.objects} is not copied: it becomes the store's own.
   *
   * @throws {IndexError} See {@linkcode IndexerOptions.onIndexError}.
   * @throws {Error} When the store is being replaced already.
   * @throws {unknown} The reason of the signal, when it is or becomes aborted. Before the swap nothing
   * has changed.
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
   * Records that an object exists and could not be stored, until its key is stored or deleted or the store
   * is replaced. `undefined` stands for an object whose key is not known.
   */
  noteLost(key: ObjectKey | undefined): void {
    this.#lost.add(key);
  }

  /** Notes a version seen otherwise, such as by a bookmark. An older one changes nothing. */
  noteResourceVersion(resourceVersion: string): void {
    if (resourceVersion === "") return;
    const order = compareResourceVersions(resourceVersion, this.#resourceVersion);
    if (order === undefined || order > 0) this.#resourceVersion = resourceVersion;
  }

  /** Counts an object as stored. */
  #retain(object: PackedObject<T>): void {
    if (!(object instanceof PackedEntry)) return;
    const { pool } = object.arena;
    if (!this.#pools.has(pool)) {
      this.#pools.add(pool);
      pool.join(this.#holder);
    }
    pool.retain(object);
  }

  #index(name: string): IndexTable<T> {
    const table = this.#indexes.get(name);
    if (table !== undefined) return table;
    const names = [...this.#indexes.keys()].join(", ");
    throw new RangeError(`Cannot read index ${name}: there is none of that name, only ${names}`);
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
