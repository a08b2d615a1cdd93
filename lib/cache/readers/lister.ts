import { type Clock, systemClock } from "@xca/apimachinery/base";
import { TimeSlice } from "@xca/apimachinery/internal/base";
import {
  type DeepReadonly,
  formatKey,
  type KubeObject,
  type LabelSelector,
  matchesLabels,
  type ObjectKey,
  parseKey,
  parseKeyOf,
  parseLabelSelector,
  type ResourceType,
} from "@xca/apimachinery/meta";
import { CacheReadError } from "./cache_read_error.ts";
import { checkListerOptions, type ListerOptions } from "./lister_options.ts";
import { NAMESPACE_INDEX } from "../store/indexer.ts";
import type { PackedObject } from "../packed/packed_object.ts";
import type { SharedStore } from "../store/store.ts";

const NO_LABELS: Readonly<Record<string, string>> = {};

/**
 * A reader of the cached objects of one namespace, which {@linkcode Lister.namespace} returns. Its
 * methods throw, or reject with, the errors of the methods of {@linkcode Lister}.
 */
export interface NamespaceLister<T extends KubeObject = KubeObject> {
  /**
   * Returns a fresh copy, which the caller may change, of the cached object with the given name in
   * this namespace; `undefined` if the cache has none.
   */
  get(name: string): T | undefined;
  /** Returns the cached objects of the namespace, parsed anew; see {@linkcode Lister.list}. */
  list(options?: Omit<ListerOptions, "index" | "namespace">): Promise<T[]>;
  /** Returns the keys (`namespace/name`) of all cached objects of the namespace. */
  keys(): ObjectKey[];
}

/**
 * A reader of a cache without copies: all readers of one version of an object share one parsed
 * object, which the cache keeps while it is read often. A `get` of a kept object takes less than a
 * hundredth of the time of a copy.
 *
 * - The objects are read-only by type. At run time nothing prevents code from changing an object,
 *   except with {@linkcode InformerOptions.freeze}, for tests. To change an object, take a copy by
 *   {@linkcode Lister.get}.
 * - An object that a caller keeps does not change: the cache shares a new object for a new version.
 * - {@linkcode InformerOptions.sharedBytes} limits the memory of the kept objects.
 */
export interface SharedLister<T extends KubeObject = KubeObject> {
  /**
   * Returns the shared cached object of a key; `undefined` when the cache has none.
   *
   * @throws {CacheReadError} If a single namespace is cached, and the key is of another; or if the
   * object exists but could not be decoded or transformed.
   * @throws {TypeError} If the key cannot be one of the resource, such as a key without a namespace
   * for a namespaced resource.
   * @throws {DecodeError} If the text of the object is not JSON.
   */
  get(key: ObjectKey): DeepReadonly<T> | undefined;
  /**
   * Returns the selected cached objects as of the call, shared and read-only; later changes do not
   * affect the result. Lets other work run every 10 ms. The order is not defined.
   *
   * @throws {CacheReadError} If a single namespace is cached and another is requested; or if the
   * index function threw on an object that it may have listed under the value; or if an object
   * could not be decoded or transformed.
   * @throws {TypeError} If the selector cannot be parsed, or an option is unknown or not valid.
   * @throws {RangeError} If there is no index of that name.
   * @throws {DecodeError} If the text of an object is not JSON.
   * @throws {unknown} The reason of the option `signal`, if it is or becomes aborted.
   */
  list(options?: ListerOptions): Promise<DeepReadonly<T>[]>;
}

/** A reader of one informer's cache: objects by key, namespace, label selector and index. */
export interface Lister<T extends KubeObject = KubeObject> {
  /**
   * Returns the cached object of a key, parsed anew: the caller may change it; `undefined` when the
   * cache has none.
   *
   * @throws {CacheReadError} If a single namespace is cached, and the key is of another; or if the
   * object exists but could not be decoded or transformed.
   * @throws {TypeError} If the key cannot be one of the resource, such as a key without a namespace
   * for a namespaced resource.
   * @throws {DecodeError} If the text of the object is not JSON.
   */
  get(key: ObjectKey): T | undefined;
  /**
   * Returns the selected cached objects as of the call, parsed anew: the caller may change them.
   * Later changes do not affect the result. Labels are matched before an object is parsed. Lets
   * other work run every 10 ms. The order is not defined.
   *
   * @throws {CacheReadError} If a single namespace is cached and another is requested; or if the
   * index function threw on an object that it may have listed under the value; or if an object
   * could not be decoded or transformed.
   * @throws {TypeError} If the selector cannot be parsed, or an option is unknown or not valid.
   * @throws {RangeError} If there is no index of that name.
   * @throws {DecodeError} If the text of an object is not JSON.
   * @throws {unknown} The reason of the option `signal`, if it is or becomes aborted.
   */
  list(options?: ListerOptions): Promise<T[]>;
  /**
   * Returns a reader of the cached objects of one namespace, live like this lister; the empty
   * namespace stands for all that are cached.
   *
   * @throws {CacheReadError} If a single other namespace is cached.
   */
  namespace(namespace: string): NamespaceLister<T>;
  /**
   * Returns the keys (`namespace/name` or `name`) of all objects in the lister's cache as of the
   * call.
   *
   * @throws {CacheReadError} If an object could not be decoded or transformed.
   */
  keys(): ObjectKey[];
  /** The reader of cached objects without copies: all readers share one parsed object. */
  readonly shared: SharedLister<T>;
}

/** Options of {@linkcode createLister}, which creates a reader of a store. */
export interface CreateListerOptions {
  /**
   * The clock that determines when a long list of cached objects lets other work run.
   *
   * @default {systemClock}
   */
  readonly clock?: Clock | undefined;
  /**
   * The resource of the store's objects, against whose scope the key of a read of an absent object
   * is checked.
   *
   * @default any
   */
  readonly type?: Pick<ResourceType, "id" | "scope"> | undefined;
  /**
   * The namespace of the store's objects, if the store holds a single one.
   *
   * @default all namespaces
   */
  readonly namespace?: string | undefined;
  /** The name of the lister's cache in error messages. @default {"this cache"} */
  readonly name?: string | undefined;
}

/**
 * Returns a lister, which reads objects from a store that has the namespace index. The lister does
 * not check whether the store is synced.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createLister } from "./lister.ts";
 * import { createPacker } from "../packed/packer.ts";
 * import { Indexer } from "../store/indexer.ts";
 * import { Pod } from "@xca/operator/meta";
 *
 * const store = new Indexer();
 * const metadata = { namespace: "default", name: "web", labels: { app: "web" } };
 * store.upsert(createPacker({ type: Pod }).packObject({ metadata }));
 *
 * const lister = createLister(store);
 * assert.equal((await lister.list({ labelSelector: "app=web" })).length, 1);
 * assert.equal(lister.namespace("default").get("web")?.metadata.name, "web");
 * ```
 */
export function createLister<T extends KubeObject>(
  store: SharedStore<T>,
  { clock = systemClock, type, namespace: cached, name = "this cache" }: CreateListerOptions = {},
): Lister<T> {
  const covered = (namespace: string): string => {
    if (cached === undefined || namespace === cached || namespace === "") return namespace;
    throw new CacheReadError(
      `Cannot read namespace ${namespace} from ${name}: it holds namespace ${cached} alone; ` +
        `watch the other one too, or read it with the client`,
    );
  };
  const coveredKey = (key: ObjectKey): ObjectKey => {
    const parsed = type === undefined ? parseKey(key) : parseKeyOf(type, key);
    covered(parsed.namespace ?? "");
    return key;
  };
  const coveredList = (options: ListerOptions): void => {
    checkListerOptions(name, options);
    const { namespace = "", index } = options;
    covered(namespace);
    if (index?.name === NAMESPACE_INDEX) covered(index.value);
  };
  const found = <Found>(key: ObjectKey, object: Found | undefined): Found | undefined => {
    // Only the key of an absent object is checked: that of a stored object is valid.
    if (object === undefined) checkStored(store, name, coveredKey(key));
    return object;
  };
  const list = async (options: ListerOptions = {}): Promise<T[]> => {
    coveredList(options);
    checkComplete(store, name, options.namespace);
    return await listStore(store, clock, options);
  };
  const keys = (namespace?: string): ObjectKey[] => {
    checkComplete(store, name, namespace);
    return namespace ? store.indexKeys(NAMESPACE_INDEX, namespace) : store.keys();
  };
  const get = (key: ObjectKey): T | undefined => found(key, store.get(key));
  return {
    get,
    list,
    keys: () => keys(),
    shared: {
      get: (key) => found(key, store.shared.get(key)),
      list: async (options = {}) => {
        coveredList(options);
        checkComplete(store, name, options.namespace);
        return await listShared(store, clock, options);
      },
    },
    namespace: (given) => {
      const namespace = covered(given);
      return {
        get: (name) => get(formatKey({ namespace, name })),
        list: (options = {}) => list({ ...options, namespace }),
        keys: () => keys(namespace),
      };
    },
  };
}

/**
 * Throws if an absent object may be missing in the store only because it could not be decoded or
 * transformed.
 *
 * @throws {CacheReadError} If the object, or an object whose key is unknown, could not be stored.
 */
function checkStored(store: SharedStore, cache: string, key: ObjectKey): void {
  const { lost } = store;
  if (lost.size === 0 || !(lost.has(key) || lost.has(undefined))) return;
  throw new CacheReadError(
    `Cannot read ${key} from ${cache}: ` +
      (lost.has(key)
        ? "the object exists, but could not be decoded or transformed"
        : "an object whose name could not be decoded is missing there, and it may be this one") +
      " (the log says why); read it with the client",
  );
}

/**
 * Throws unless the store has all received objects of a namespace; of all namespaces if `namespace`
 * is `undefined` or empty.
 *
 * @throws {CacheReadError} If such an object, or one whose key is unknown, could not be stored.
 */
function checkComplete(store: SharedStore, cache: string, namespace: string | undefined): void {
  if (store.lost.size === 0) return;
  for (const key of store.lost) {
    if (namespace && key !== undefined && !key.startsWith(`${namespace}/`)) continue;
    throw new CacheReadError(
      `Cannot list from ${cache}: ${
        key ?? "an object whose name could not be decoded"
      } is missing ` +
        `there, because it could not be decoded or transformed (the log says why); list with the client`,
    );
  }
}

async function listStore<T extends KubeObject>(
  store: SharedStore<T>,
  clock: Clock,
  { namespace, labelSelector, index, signal }: ListerOptions,
): Promise<T[]> {
  signal?.throwIfAborted();
  const selector = labelSelector === undefined ? undefined : parseLabelSelector(labelSelector);
  const snapshot: Iterable<PackedObject<T>> = index
    ? filedUnder(store, index, namespace)
    : namespace
    ? store.byIndex(NAMESPACE_INDEX, namespace)
    : store.packed();
  const objects: T[] = [];
  const slice = new TimeSlice(clock);
  for (const packed of snapshot) {
    if (selector === undefined || matchesLabels(selector, packed.labels)) {
      objects.push(packed.read());
    }
    if (slice.used) await slice.next(signal);
  }
  return objects;
}

async function listShared<T extends KubeObject>(
  store: SharedStore<T>,
  clock: Clock,
  { namespace, labelSelector, index, signal }: ListerOptions,
): Promise<DeepReadonly<T>[]> {
  signal?.throwIfAborted();
  const selector = labelSelector === undefined ? undefined : parseLabelSelector(labelSelector);
  const keys = index
    ? filedUnder(store, index, namespace).map(({ key }) => key)
    : namespace
    ? store.indexKeys(NAMESPACE_INDEX, namespace)
    : store.keys();
  const { objects, missing } = lookUp(store, keys, selector);
  const slice = new TimeSlice(clock);
  for (const { index, packed } of missing) {
    objects[index] = store.shared.read(packed);
    if (slice.used) await slice.next(signal);
  }
  return objects;
}

/**
 * Returns the packed objects of a store that an index lists under a value, only those of the
 * namespace if one is given.
 *
 * @throws {CacheReadError} If the index function threw on an object of the namespace, so that it
 * is unknown whether the object belongs under the value.
 */
function filedUnder<T extends KubeObject>(
  store: SharedStore<T>,
  { name, value }: NonNullable<ListerOptions["index"]>,
  namespace: string | undefined,
): readonly PackedObject<T>[] {
  const failed = store.indexFailures(name)
    .find((key) => !namespace || key.startsWith(`${namespace}/`));
  if (failed !== undefined) {
    throw new CacheReadError(
      `Cannot read index ${name} from this cache: its function threw on ${failed}, so objects may be ` +
        `missing; fix the function (the log has its error)`,
    );
  }
  const filed = store.byIndex(name, value);
  return namespace ? filed.filter((object) => object.namespace === namespace) : filed;
}

/** An object of a shared list that must still be parsed, and its index in the list. */
interface Missing<T extends KubeObject> {
  readonly index: number;
  readonly packed: PackedObject<T>;
}

/**
 * Returns the objects of the keys that match the label selector (all without one): in `objects`
 * those that are kept parsed, with a hole for each object of `missing`, which the caller must still
 * parse. The search is one synchronous step, so that the list shows the cache at one moment.
 */
function lookUp<T extends KubeObject>(
  store: SharedStore<T>,
  keys: readonly ObjectKey[],
  selector: LabelSelector | undefined,
): { objects: DeepReadonly<T>[]; missing: Missing<T>[] } {
  const objects: DeepReadonly<T>[] = [];
  const missing: Missing<T>[] = [];
  for (const key of keys) {
    const kept = store.shared.peek(key);
    const packed = kept === undefined ? store.getPacked(key) : undefined;
    const labels = kept === undefined ? packed?.labels : labelsOf(kept);
    if (selector !== undefined && !matchesLabels(selector, labels ?? NO_LABELS)) continue;
    if (kept !== undefined) {
      objects.push(kept);
    } else if (packed !== undefined) {
      missing.push({ index: objects.length, packed });
      objects.length++; // Filled in once the object is parsed.
    }
  }
  return { objects, missing };
}

function labelsOf(object: DeepReadonly<KubeObject>): Readonly<Record<string, string>> | undefined {
  return object.metadata.labels;
}
