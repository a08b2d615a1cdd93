import {
  compareResourceVersions,
  type DeepReadonly,
  type KubeObject,
  type ObjectKey,
  parseKeyOf,
  type ResourceType,
} from "@xca/apimachinery/meta";
import { CacheReadError } from "./cache_read_error.ts";
import { fieldCoverage } from "./field_coverage.ts";
import { type InformerScope, isUnfiltered } from "./informer_key.ts";
import { NAMESPACE_INDEX } from "../store/indexer.ts";
import type { Lister } from "./lister.ts";
import { checkListerOptions, type ListerOptions } from "./lister_options.ts";

/**
 * A reader of cached objects of any resource without copies: all readers of one version of an
 * object share one parsed object, which callers must not change; see {@linkcode SharedLister}. To
 * change an object, take a copy by {@linkcode CacheReader.get}.
 */
export interface SharedCacheReader {
  /**
   * Returns the shared cached object of a key, `undefined` when the cache has none.
   *
   * @throws {CacheReadError} If the cache cannot answer; see {@linkcode CacheReader.get}.
   * @throws {TypeError} If the key cannot be one of the resource.
   * @throws {DecodeError} If the text of an object is not JSON.
   */
  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): DeepReadonly<T> | undefined;
  /**
   * Returns the cached objects of a resource as of the call, shared and read-only; see {@linkcode
   * SharedLister.list}.
   *
   * @throws {CacheReadError} If the cache cannot answer; see {@linkcode CacheReader.list}.
   * @throws {RangeError} If an informer of the resource has no index of the requested name.
   * @throws {TypeError} If an option is not valid; see {@linkcode CacheReader.list}.
   * @throws {DecodeError} If the text of an object is not JSON.
   * @throws {unknown} The reason of the option `signal`, if it is or becomes aborted.
   */
  list<T extends KubeObject>(
    type: ResourceType<T>,
    options?: ListerOptions,
  ): Promise<DeepReadonly<T>[]>;
  /**
   * Returns the shared cached objects that an index lists under a value; see {@linkcode
   * CacheReader.byIndex}.
   *
   * @throws {CacheReadError} If the cache cannot answer; see {@linkcode CacheReader.byIndex}.
   * @throws {RangeError} If an informer of the resource has no index of that name.
   * @throws {TypeError} If the value is not a string, or an option is not valid.
   * @throws {DecodeError} If the text of an object is not JSON.
   * @throws {unknown} The reason of the option `signal`, if it is or becomes aborted.
   */
  byIndex<T extends KubeObject>(
    type: ResourceType<T>,
    index: string,
    value: string,
    options?: ListerOptions,
  ): Promise<DeepReadonly<T>[]>;
}

/**
 * A reader of cached objects of any resource, from the informers that watch it. Results are parsed
 * anew and may be changed by the caller; they may be older than the server's state.
 *
 * An informer without selectors that watches the requested namespace answers alone. Otherwise the
 * answer is the union of the objects of all informers that may hold requested ones, so objects that
 * no informer selects are missing. A read that no informer covers throws a {@linkcode
 * CacheReadError}, or rejects with it, rather than returning nothing.
 */
export interface CacheReader {
  /**
   * Returns the cached object of a key, parsed anew, of several informers' versions the newest;
   * `undefined` when the cache has none.
   *
   * @throws {CacheReadError} If no informer watches the resource in that namespace, an informer has
   * not synced, the informers have different transforms, or the object exists but could not be
   * decoded or transformed.
   * @throws {TypeError} If the key cannot be one of the resource, such as a key without a namespace
   * for a namespaced resource.
   * @throws {DecodeError} If the text of an object is not JSON.
   */
  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): T | undefined;
  /**
   * Returns the cached objects of a resource as of the call; see {@linkcode Lister.list}. Without a
   * namespace: all objects that the informers of the resource cache, which are those of one
   * namespace if the informers watch only that. Never contains two versions of one object.
   *
   * @throws {CacheReadError} If no informer watches the resource in that namespace, an informer has
   * not synced, the informers have different transforms, an object could not be decoded or
   * transformed, or the requested index function threw on an object.
   * @throws {RangeError} If an informer of the resource has no index of the requested name.
   * @throws {TypeError} If a namespace of a cluster-scoped resource is requested, an option is
   * unknown or not valid, the label selector cannot be parsed, or the index value is not a string.
   * @throws {DecodeError} If the text of an object is not JSON.
   * @throws {unknown} The reason of the option `signal`, if it is or becomes aborted.
   */
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListerOptions): Promise<T[]>;
  /**
   * Returns the cached objects of a resource that an index lists under a value, with the options of
   * {@linkcode CacheReader.list}, of which `index` is ignored. A lookup: its cost depends on the
   * number of objects under the value, not on the size of the cache.
   *
   * @throws {CacheReadError} In the cases of {@linkcode CacheReader.list}; in a controller also if
   * no source declares an index of that name.
   * @throws {RangeError} If an informer of the resource has no index of that name.
   * @throws {TypeError} If the value is not a string, and in the cases of {@linkcode
   * CacheReader.list}.
   * @throws {DecodeError} If the text of an object is not JSON.
   * @throws {unknown} The reason of the option `signal`, if it is or becomes aborted.
   */
  byIndex<T extends KubeObject>(
    type: ResourceType<T>,
    index: string,
    value: string,
    options?: ListerOptions,
  ): Promise<T[]>;
  /**
   * The reader of the same cached objects without copies: all readers share one parsed object,
   * which they must not change.
   */
  readonly shared: SharedCacheReader;
}

/**
 * An informer with its scope and its transform, as the owner of the informers passes it to
 * {@linkcode createCacheReader}.
 */
export interface ReadableInformer {
  /** The scope of the informer: the resource, namespace and selectors that it watches. */
  readonly scope: InformerScope;
  /** The informer with its sync state and the lister of its cache. */
  readonly informer: { readonly synced: boolean; readonly lister: Lister };
  /**
   * The function that changed the objects before they were cached; a read of two informers throws
   * unless theirs is the same.
   *
   * @default none
   */
  readonly transform?: unknown;
}

/** Options of {@linkcode createCacheReader}: the informers to read, and the wording of errors. */
export interface CacheReaderOptions {
  /**
   * Returns the current informers of a resource, of all namespaces and selectors, started or not.
   */
  readonly informersOf: (type: ResourceType) => readonly ReadableInformer[];
  /** The name of the cache in error messages, such as `the cache`. */
  readonly what: string;
  /**
   * Returns the part of an error message that says why no informer watches a resource, and the
   * remedy.
   */
  readonly unwatched: (type: ResourceType) => string;
  /**
   * Returns the name that an index has in the informers, from the name that a read requests; throws
   * if there is no such index.
   *
   * @default the same name
   */
  readonly indexNameOf?: ((type: ResourceType, index: string) => string) | undefined;
}

/**
 * Returns a {@linkcode CacheReader} that reads, at each call, the informers that `informersOf`
 * returns then.
 */
export function createCacheReader(options: CacheReaderOptions): CacheReader {
  const copies = readerBy<KubeObject>(options, (lister) => lister);
  const shared = readerBy<DeepReadonly<KubeObject>>(options, (lister) => lister.shared);
  // The informers of a resource hold objects of its type.
  return { ...copies as Omit<CacheReader, "shared">, shared: shared as SharedCacheReader };
}

/** The read functions that a lister has twice: for copies of objects, and for shared objects. */
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
      const { namespace = "", name } = parseKeyOf(type, key);
      const wanted = { namespace, name, action: `read ${key} of ${type.id}` };
      let found: Found | undefined;
      for (const { informer } of holdersOf(options, type, wanted)) {
        found = newest(found, readableOf(informer.lister).get(key));
      }
      return found;
    },
    list,
    byIndex: (type, name, value, listed = {}) => list(type, { ...listed, index: { name, value } }),
  };
}

/**
 * Returns the informers whose caches a list reads, and the list options with the index name that
 * the informers use. Throws the errors of {@linkcode CacheReader.list} about the options and the
 * informers.
 */
function resolved(
  options: CacheReaderOptions,
  type: ResourceType,
  listed: ListerOptions,
): { readonly holders: readonly ReadableInformer[]; readonly wanted: ListerOptions } {
  checkListerOptions(options.what, listed);
  const { index, namespace = "" } = listed;
  if (index !== undefined && typeof index.value !== "string") {
    throw new TypeError(
      `Cannot read index ${index.name} of ${type.id}: its values are strings, ` +
        `not of type ${typeof index.value}`,
    );
  }
  const action = `list ${type.id}`;
  const holders = holdersOf(options, type, { namespace, action });
  if (index === undefined) return { holders, wanted: listed };
  const name = options.indexNameOf?.(type, index.name) ?? index.name;
  const wanted = { ...listed, index: { name, value: index.value } };
  // The namespace index of an informer of another namespace lists nothing under the requested
  // namespace, which does not mean that the namespace is empty.
  return name === NAMESPACE_INDEX
    ? { holders: holdersOf(options, type, { namespace: index.value, action }), wanted }
    : { holders, wanted };
}

/**
 * The objects that a read requests, and (`action`) the description of the read in errors, such as
 * `list core/pods`.
 */
interface WantedObjects {
  /** The namespace of the objects to read; empty for all watched namespaces. */
  readonly namespace: string;
  /** The name of the object to read. @default {all} */
  readonly name?: string;
  readonly action: string;
}

/**
 * Returns the informers that together cache the requested objects of a resource: one without
 * selectors that covers them, otherwise all that may have one of the objects. At least one, all
 * synced.
 *
 * @throws {CacheReadError} If no informer caches the objects, one has not synced, or the informers
 * have different transforms.
 * @throws {TypeError} If a namespace of a cluster-scoped resource is requested.
 */
function holdersOf(
  { informersOf, what, unwatched }: CacheReaderOptions,
  type: ResourceType,
  wanted: WantedObjects,
): readonly ReadableInformer[] {
  const { namespace, action } = wanted;
  if (namespace !== "" && type.scope === "Cluster") {
    throw new TypeError(
      `Cannot ${action} in namespace ${namespace}: that resource is cluster-scoped`,
    );
  }
  const ofType = informersOf(type);
  const found = covering(ofType, wanted);
  const cannot = `Cannot ${action} from ${what}`;
  if (found.some(({ transform }) => transform !== found[0]!.transform)) {
    throw new CacheReadError(
      `${cannot}: its informers have different transforms, or one has no transform, so the result ` +
        `would mix both forms; give all informers the same function`,
    );
  }
  if (found.length > 0 && found.every(({ informer }) => informer.synced)) return found;
  if (ofType.length === 0) throw new CacheReadError(`${cannot}: ${unwatched(type)}`);
  if (found.length === 0) throw new CacheReadError(`${cannot}: ${uncovered(ofType, wanted)}`);
  throw new CacheReadError(
    `${cannot}: its informer has not synced yet; start the factory and await whenSynced() first`,
  );
}

/**
 * Returns the part of an error message that says that no informer holds the requested objects, and
 * which namespaces and field selectors the informers watch.
 */
function uncovered(
  ofType: readonly ReadableInformer[],
  { namespace, name }: WantedObjects,
): string {
  const watched = new Set(
    ofType.map(({ scope }) =>
      [scope.namespace, scope.fieldSelector].filter((text) => text !== "").join(" with ")
    ),
  );
  const isNamespace = ofType.every(({ scope }) =>
    fieldCoverage(scope, { namespace }) === "outside"
  );
  const lacking = isNamespace ? `in namespace ${namespace}` : `of the name ${name}`;
  return `no informer holds that resource ${lacking}, only in ${[...watched].join(", ")}; ` +
    `watch it there, or read it with the client`;
}

function covering(
  ofType: readonly ReadableInformer[],
  { namespace, name }: WantedObjects,
): readonly ReadableInformer[] {
  const whole = ofType.find(({ scope }) =>
    isUnfiltered(scope) && (scope.namespace === "" || scope.namespace === namespace)
  );
  if (whole) return [whole];
  if (namespace === "" && name === undefined) return ofType;
  return ofType.filter(({ scope }) => fieldCoverage(scope, { namespace, name }) !== "outside");
}

/** An object with the metadata that identifies its version: namespace, name and resourceVersion. */
interface Versioned {
  readonly metadata: {
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
    readonly resourceVersion?: string | undefined;
  };
}

/**
 * Returns the newer of two versions of an object, either of which may be missing; the first if they
 * are equal or cannot be compared, and `undefined` if both are missing. Two informers may hold
 * different versions, since one watch may lag behind another.
 */
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
