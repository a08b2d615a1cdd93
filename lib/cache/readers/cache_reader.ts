import {
  compareResourceVersions,
  type DeepReadonly,
  type KubeObject,
  type ObjectKey,
  parseKeyOf,
  type ResourceType,
} from "@xca/apimachinery/meta";
import { CacheReadError } from "./cache_read_error.ts";
import { type InformerScope, isUnfiltered } from "./informer_key.ts";
import { NAMESPACE_INDEX } from "../store/indexer.ts";
import type { Lister, ListerOptions } from "./lister.ts";

/**
 * Reads informers by resource, without copies: all readers share one parsed object, for reading only;
 * see {@linkcode SharedLister}. To change an object, take a copy: {@linkcode CacheReader.get}.
 */
export interface SharedCacheReader {
  /**
   * Returns the object of a key, `undefined` when the cache has none.
   *
   * @throws {CacheReadError} As {@linkcode CacheReader.get} does.
   * @throws {TypeError} As {@linkcode CacheReader.get} does.
   */
  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): DeepReadonly<T> | undefined;
  /**
   * Returns the objects as they are at the call; see {@linkcode SharedLister.list}.
   *
   * @throws {CacheReadError} As {@linkcode CacheReader.list} does.
   * @throws {TypeError} As {@linkcode CacheReader.list} does.
   */
  list<T extends KubeObject>(
    type: ResourceType<T>,
    options?: ListerOptions,
  ): Promise<DeepReadonly<T>[]>;
  /**
   * Returns the objects that an index files under a value; see {@linkcode CacheReader.byIndex}.
   *
   * @throws {CacheReadError} As {@linkcode CacheReader.byIndex} does.
   * @throws {TypeError} As {@linkcode CacheReader.byIndex} does.
   */
  byIndex<T extends KubeObject>(
    type: ResourceType<T>,
    index: string,
    value: string,
    options?: ListerOptions,
  ): Promise<DeepReadonly<T>[]>;
}

/**
 * Reads informers by resource. What it returns is parsed anew and belongs to the caller; it may be
 * older than the server's.
 *
 * An informer without selectors answers alone. When there are only informers with selectors, what
 * they hold together is the answer, so objects that none of them selects do not show. What no informer
 * covers is an error, never an absence.
 */
export interface CacheReader {
  /**
   * The object of a key, `undefined` when the cache has none.
   *
   * @throws {CacheReadError} When no informer holds that resource in that namespace, or it has not
   * synced yet.
   * @throws {TypeError} When the key is no key of that resource: `name` of a namespaced one, say.
   */
  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): T | undefined;
  /**
   * The objects as they are at the call; see {@linkcode Lister.list}. Without a namespace: all that the
   * informers of the resource hold, which is one namespace where only one is watched.
   *
   * @throws {CacheReadError} When no informer holds that resource in that namespace, or it has not
   * synced yet.
   * @throws {RangeError} When an informer of the resource has no index of the name that `index` gives.
   * @throws {TypeError} When a namespace of a cluster-scoped resource is asked for, or the value that
   * `index` gives is no string.
   */
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListerOptions): Promise<T[]>;
  /**
   * The objects that an index files under a value, as {@linkcode CacheReader.list} lists. It looks them up:
   * what it takes depends on how many there are, not on how large the cache is.
   *
   * @throws {CacheReadError} As {@linkcode CacheReader.list} does; also when the index's function threw on
   * an object of the namespace, and in a controller when no source of it declares such an index.
   * @throws {RangeError} When an informer of the resource has no index of that name.
   * @throws {TypeError} When the value is no string.
   */
  byIndex<T extends KubeObject>(
    type: ResourceType<T>,
    index: string,
    value: string,
    options?: ListerOptions,
  ): Promise<T[]>;
  /** Reads the same objects without copies, for reading only. */
  readonly shared: SharedCacheReader;
}

/** One informer as a {@linkcode CacheReader} sees it. */
export interface ReadableInformer {
  /** What it watches. */
  readonly scope: InformerScope;
  /** Its store. */
  readonly informer: { readonly synced: boolean; readonly lister: Lister };
}

/** The informers that a {@linkcode CacheReader} reads, and the words of its errors. */
export interface CacheReaderOptions {
  /** The informers of a resource, as they are at the call. */
  readonly informersOf: (type: ResourceType) => readonly ReadableInformer[];
  /** The name of the cache in errors, as `the cache`. */
  readonly what: string;
  /** Why there is no informer of a resource, and what to do. */
  readonly unwatched: (type: ResourceType) => string;
  /**
   * Returns the name of an index in the informers; throws when there is no such index.
   *
   * @default its name
   */
  readonly indexNameOf?: ((type: ResourceType, index: string) => string) | undefined;
}

/** Makes a reader over the informers that there are at each call. */
export function createCacheReader(options: CacheReaderOptions): CacheReader {
  const copies = readerBy<KubeObject>(options, (lister) => lister);
  const shared = readerBy<DeepReadonly<KubeObject>>(options, (lister) => lister.shared);
  // The informers of a resource hold objects of its type.
  return { ...copies as Omit<CacheReader, "shared">, shared: shared as SharedCacheReader };
}

/** The reads that a lister offers for copies and for shared objects alike. */
interface Readable<Found> {
  get(key: ObjectKey): Found | undefined;
  list(options?: ListerOptions): Promise<Found[]>;
}

function readerBy<Found extends Versioned>(
  options: CacheReaderOptions,
  readableOf: (lister: Lister) => Readable<Found>,
): {
  readonly get: (type: ResourceType, key: ObjectKey) => Found | undefined;
  readonly list: (type: ResourceType, listed?: ListerOptions) => Promise<Found[]>;
  readonly byIndex: (
    type: ResourceType,
    index: string,
    value: string,
    listed?: ListerOptions,
  ) => Promise<Found[]>;
} {
  const list = async (type: ResourceType, listed: ListerOptions = {}): Promise<Found[]> => {
    const { holders, wanted } = resolved(options, type, listed);
    return await union(holders.map(({ informer }) => readableOf(informer.lister).list(wanted)));
  };
  return {
    get: (type, key) => {
      const { namespace = "" } = parseKeyOf(type, key);
      let found: Found | undefined;
      for (const { informer } of holdersOf(options, type, namespace, `read ${key}`)) {
        found = newest(found, readableOf(informer.lister).get(key));
      }
      return found;
    },
    list,
    byIndex: (type, name, value, listed = {}) => list(type, { ...listed, index: { name, value } }),
  };
}

/** The informers to list from, and the options with the index's name in them. */
function resolved(
  options: CacheReaderOptions,
  type: ResourceType,
  listed: ListerOptions,
): { readonly holders: readonly ReadableInformer[]; readonly wanted: ListerOptions } {
  const { index, namespace = "" } = listed;
  if (index !== undefined && typeof index.value !== "string") {
    throw new TypeError(
      `Cannot read index ${index.name} of ${type.id}: its values are strings, ` +
        `not of type ${typeof index.value}`,
    );
  }
  const holders = holdersOf(options, type, namespace, "list");
  if (index === undefined) return { holders, wanted: listed };
  const name = options.indexNameOf?.(type, index.name) ?? index.name;
  const wanted = { ...listed, index: { name, value: index.value } };
  // An informer of another namespace files nothing under this one, which is no absence.
  return name === NAMESPACE_INDEX
    ? { holders: holdersOf(options, type, index.value, "list"), wanted }
    : { holders, wanted };
}

/**
 * The informers that together hold a resource; an empty namespace means all that is watched.
 *
 * @throws {CacheReadError} When there is none, or one has not synced.
 * @throws {TypeError} When a cluster-scoped resource is asked for by namespace.
 */
function holdersOf(
  { informersOf, what, unwatched }: CacheReaderOptions,
  type: ResourceType,
  namespace: string,
  verb: string,
): readonly ReadableInformer[] {
  if (namespace !== "" && type.scope === "Cluster") {
    throw new TypeError(
      `Cannot ${verb} of ${type.id} in namespace ${namespace}: that resource is cluster-scoped`,
    );
  }
  const ofType = informersOf(type);
  const found = covering(ofType, namespace);
  if (found.length > 0 && found.every(({ informer }) => informer.synced)) return found;
  const cannot = `Cannot ${verb} of ${type.id} from ${what}`;
  if (ofType.length === 0) throw new CacheReadError(`${cannot}: ${unwatched(type)}`);
  if (found.length === 0) {
    const watched = [...new Set(ofType.map(({ scope }) => scope.namespace))].join(", ");
    throw new CacheReadError(
      `${cannot}: no informer holds that resource in namespace ${namespace}, only in ${watched}; ` +
        `watch it there, or read it with the client`,
    );
  }
  throw new CacheReadError(
    `${cannot}: its informer has not synced yet; start the factory and await whenSynced() first`,
  );
}

function covering(
  ofType: readonly ReadableInformer[],
  namespace: string,
): readonly ReadableInformer[] {
  const whole = ofType.find(({ scope }) =>
    isUnfiltered(scope) && (scope.namespace === "" || scope.namespace === namespace)
  );
  if (whole) return [whole];
  if (namespace === "") return ofType;
  return ofType.filter(({ scope }) => scope.namespace === "" || scope.namespace === namespace);
}

/** The metadata that identifies a state of an object. */
interface Versioned {
  readonly metadata: {
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
    readonly resourceVersion?: string | undefined;
  };
}

/** Two watches of one object may differ in how far they are: the newer state counts. */
function newest<Found extends Versioned>(
  a: Found | undefined,
  b: Found | undefined,
): Found | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const { resourceVersion: ofA = "" } = a.metadata;
  const { resourceVersion: ofB = "" } = b.metadata;
  return (compareResourceVersions(ofB, ofA) ?? 0) > 0 ? b : a;
}

async function union<Found extends Versioned>(
  lists: readonly Promise<Found[]>[],
): Promise<Found[]> {
  if (lists.length === 1) return await lists[0]!;
  const byName = new Map<string, Found>();
  for (const object of (await Promise.all(lists)).flat()) {
    const { namespace, name } = object.metadata;
    const id = JSON.stringify([namespace, name]);
    byName.set(id, newest(byName.get(id), object)!);
  }
  return [...byName.values()];
}
