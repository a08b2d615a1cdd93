import type { KubeObject } from "../meta/object.ts";
import { type ObjectKey, parseKey } from "../meta/object_key.ts";
import type { ResourceType } from "../meta/resource_type.ts";
import { type InformerScope, isUnfiltered } from "./informer_key.ts";
import type { Lister, ListerOptions } from "./lister.ts";

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
  return {
    get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): T | undefined {
      const { namespace = "" } = parseKey(key);
      for (const { lister } of holders(informers(), type, namespace, `read ${key}`)) {
        const object = lister.get(key);
        if (object) return object as T;
      }
      return undefined;
    },
    async list<T extends KubeObject>(type: ResourceType<T>, options: ListerOptions = {}) {
      const found = holders(informers(), type, options.namespace ?? "", "list");
      const lists = await Promise.all(found.map(({ lister }) => lister.list(options)));
      if (lists.length === 1) return lists[0] as T[];
      const byUid = new Map<string, KubeObject>();
      for (const object of lists.flat()) {
        const { uid, namespace, name } = object.metadata;
        byUid.set(uid ?? JSON.stringify([namespace, name]), object);
      }
      return [...byUid.values()] as T[];
    },
  };
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
