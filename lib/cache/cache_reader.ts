import type { DeepReadonly, KubeObject } from "../meta/object.ts";
import { type ObjectKey, parseKey } from "../meta/object_key.ts";
import type { ResourceType } from "../meta/resource_type.ts";
import { type InformerScope, isUnfiltered } from "./informer_key.ts";
import type { Lister, ListerOptions } from "./lister.ts";

/**
 * Reads the informers of a factory by resource, without copies: all readers share one parsed object, for
 * reading only; see {@linkcode SharedLister}. To change an object, take a copy: {@linkcode CacheReader.get}.
 */
export interface SharedCacheReader {
  /**
   * Returns the object of a key, `undefined` when the cache has none.
   *
   * @throws {CacheReadError} As {@linkcode CacheReader.get} does.
   * @throws {TypeError} When the key is none.
   */
  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): DeepReadonly<T> | undefined;
  /**
   * Returns the objects as they are at the call; see {@linkcode SharedLister.list}.
   *
   * @throws {CacheReadError} As {@linkcode CacheReader.list} does.
   */
  list<T extends KubeObject>(
    type: ResourceType<T>,
    options?: ListerOptions,
  ): Promise<DeepReadonly<T>[]>;
}

/**
 * Reads the informers of a factory by resource. What it returns is parsed anew and belongs to the
 * caller; it may be older than the server's.
 *
 * An informer without selectors answers alone. When there are only informers with selectors, what
 * they hold together is the answer, so objects that none of them selects do not show.
 */
export interface CacheReader {
  /**
   * The object of a key, `undefined` when the cache has none.
   *
   * @throws {CacheReadError} When no informer holds that resource in that namespace, or it has not
   * synced yet.
   * @throws {TypeError} When the key is none.
   */
  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): T | undefined;
  /**
   * The objects as they are at the call; see {@linkcode Lister.list}. Without a namespace: all that the
   * informers of the resource hold.
   *
   * @throws {CacheReadError} When no informer holds that resource in that namespace, or it has not
   * synced yet.
   */
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListerOptions): Promise<T[]>;
  /** Reads the same objects without copies, for reading only. */
  readonly shared: SharedCacheReader;
}

/**
 * Thrown when the cache cannot answer, because nothing watches what was asked for, or not yet.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { CacheReadError, InformerFactory } from "@xca/operator/cache";
 * import { createClient } from "@xca/operator/client";
 * import { Pod } from "@xca/operator/meta";
 *
 * using client = createClient({ server: "https://example.invalid" });
 * const { cacheReader } = new InformerFactory(client);
 * assert.throws(() => cacheReader.get(Pod, "default/web"), CacheReadError); // nothing watches pods
 * ```
 */
export class CacheReadError extends Error {
  /** Tells it from other errors. */
  override readonly name = "CacheReadError";
}

/** One informer as a {@linkcode CacheReader} sees it. */
export interface ReadableInformer {
  /** What it watches. */
  readonly scope: InformerScope;
  /** Its store. */
  readonly informer: { readonly synced: boolean; readonly lister: Lister };
}

/** Makes a reader over the informers that there are at each call. */
export function createCacheReader(informers: () => Iterable<ReadableInformer>): CacheReader {
  const listersOf = (type: ResourceType, namespace: string, verb: string): Lister[] =>
    holders(informers(), type, namespace, verb).map(({ lister }) => lister);
  const find = <Found>(
    type: ResourceType,
    key: ObjectKey,
    get: (lister: Lister) => Found | undefined,
  ): Found | undefined => {
    const { namespace = "" } = parseKey(key);
    for (const lister of listersOf(type, namespace, `read ${key}`)) {
      const object = get(lister);
      if (object) return object;
    }
    return undefined;
  };
  const listAll = async <Found extends Listed>(
    type: ResourceType,
    { namespace = "" }: ListerOptions,
    list: (lister: Lister) => Promise<Found[]>,
  ): Promise<Found[]> => {
    const lists = await Promise.all(listersOf(type, namespace, "list").map(list));
    return lists.length === 1 ? lists[0]! : distinct(lists.flat());
  };
  return {
    get: <T extends KubeObject>(type: ResourceType<T>, key: ObjectKey) =>
      find(type, key, (lister) => lister.get(key)) as T | undefined,
    list: <T extends KubeObject>(type: ResourceType<T>, options: ListerOptions = {}) =>
      listAll(type, options, (lister) => lister.list(options)) as Promise<T[]>,
    shared: {
      get: <T extends KubeObject>(type: ResourceType<T>, key: ObjectKey) =>
        find(type, key, (lister) => lister.shared.get(key)) as DeepReadonly<T> | undefined,
      list: <T extends KubeObject>(type: ResourceType<T>, options: ListerOptions = {}) =>
        listAll(type, options, (lister) => lister.shared.list(options)) as Promise<
          DeepReadonly<T>[]
        >,
    },
  };
}

/** The members of an object that its identity is told by. */
interface Listed {
  readonly metadata: {
    readonly uid?: string | undefined;
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
  };
}

/** Returns the objects once each: informers with selectors may hold the same ones. */
function distinct<Found extends Listed>(objects: readonly Found[]): Found[] {
  const byUid = new Map<string, Found>();
  for (const object of objects) {
    const { uid, namespace, name } = object.metadata;
    byUid.set(uid ?? JSON.stringify([namespace, name]), object);
  }
  return [...byUid.values()];
}

/** The informers that together hold a resource; an empty namespace means all. */
function holders(
  informers: Iterable<ReadableInformer>,
  type: ResourceType,
  namespace: string,
  verb: string,
): ReadableInformer["informer"][] {
  const ofType = [...informers].filter(({ scope }) => scope.type.id === type.id);
  const covering = ofType.filter(({ scope }) =>
    scope.namespace === "" || namespace === "" || scope.namespace === namespace
  );
  const whole = covering.find(({ scope }) =>
    isUnfiltered(scope) && (scope.namespace === "" || scope.namespace === namespace)
  );
  const found = whole ? [whole] : covering;
  const what = `Cannot ${verb} of ${type.id} from the cache`;
  if (found.length === 0) {
    throw new CacheReadError(
      ofType.length === 0
        ? `${what}: no informer holds that resource; watch it, or read it with the client`
        : `${what}: no informer holds that resource in namespace ${namespace}, only in ${
          ofType.map(({ scope }) => scope.namespace).join(", ")
        }; watch it there, or read it with the client`,
    );
  }
  if (found.some(({ informer }) => !informer.synced)) {
    throw new CacheReadError(
      `${what}: its informer has not synced yet; start the factory and await whenSynced() first`,
    );
  }
  return found.map(({ informer }) => informer);
}
