import { type Clock, systemClock } from "../base/clock.ts";
import type { KubeObject } from "../meta/object.ts";
import { formatKey, type ObjectKey } from "../meta/object_key.ts";
import { type LabelSelector, matchesLabels, parseLabelSelector } from "../meta/label_selector.ts";
import { NAMESPACE_INDEX } from "./indexer.ts";
import type { PackedObject } from "./packed_object.ts";
import type { StoreReader } from "./store.ts";
import { TimeSlice } from "../base/time_slice.ts";

/** Which objects of a namespace to list. */
export interface NamespaceListOptions {
  /** Only objects whose labels match: a selector as text or parsed. @default all */
  readonly labelSelector?: string | LabelSelector | undefined;
  /** Ends the listing early; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Which objects to list. */
export interface ListerOptions extends NamespaceListOptions {
  /** Only objects of this namespace. @default all */
  readonly namespace?: string | undefined;
}

/** Reads one namespace of a cache. */
export interface NamespaceLister<T extends KubeObject = KubeObject> {
  /** The object of a name, parsed anew: it belongs to the caller. */
  get(name: string): T | undefined;
  /** Like {@linkcode Lister.list}, in this namespace. */
  list(options?: NamespaceListOptions): Promise<T[]>;
  /** The keys (`namespace/name`) of all objects of the namespace. */
  keys(): ObjectKey[];
}

/** Reads a cache; cannot change it. */
export interface Lister<T extends KubeObject = KubeObject> {
  /**
   * The object of a key, parsed anew: it belongs to the caller.
   *
   * @throws {DecodeError} When the object's text proves not to be JSON.
   */
  get(key: ObjectKey): T | undefined;
  /**
   * The objects as they are at the call, parsed anew: they belong to the caller. Later changes do not
   * show. Labels are compared before anything is parsed. Lets other work run every 10 ms.
   *
   * @throws {TypeError} When the selector cannot be parsed.
   * @throws {DecodeError} When an object's text proves not to be JSON.
   */
  list(options?: ListerOptions): Promise<T[]>;
  /** The same for one namespace. */
  namespace(namespace: string): NamespaceLister<T>;
  /** The keys of all objects. */
  keys(): ObjectKey[];
}

/**
 * Makes a lister over a store that has the namespace index.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createLister, createPacker, Indexer } from "@xca/operator/cache";
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
  store: StoreReader<T>,
  clock: Clock = systemClock,
): Lister<T> {
  const list = (options: ListerOptions = {}): Promise<T[]> => listStore(store, clock, options);
  return {
    get: (key) => store.get(key),
    list,
    keys: () => store.keys(),
    namespace: (namespace) => ({
      get: (name) => store.get(formatKey({ namespace, name })),
      list: (options = {}) => list({ ...options, namespace }),
      keys: () => store.indexKeys(NAMESPACE_INDEX, namespace),
    }),
  };
}

async function listStore<T extends KubeObject>(
  store: StoreReader<T>,
  clock: Clock,
  { namespace, labelSelector, signal }: ListerOptions,
): Promise<T[]> {
  signal?.throwIfAborted();
  const selector = labelSelector === undefined ? undefined : parseLabelSelector(labelSelector);
  const snapshot: Iterable<PackedObject<T>> = namespace
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
