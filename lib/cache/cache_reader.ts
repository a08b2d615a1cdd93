import type { KubeObject } from "../meta/object.ts";
import type { ObjectKey } from "../meta/object_key.ts";
import type { ResourceType } from "../meta/resource_type.ts";
import type { ListerOptions } from "./lister.ts";

/**
 * Reads the informers of a factory by resource. What it returns is parsed anew and belongs to the
 * caller; it may be older than the server's.
 */
export interface CacheReader {
  /**
   * The object of a key, `undefined` when the cache has none.
   *
   * @throws {CacheReadError} When no informer holds that resource (in that namespace), or it has not synced yet.
   */
  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): T | undefined;
  /**
   * The objects as they are at the call; see {@linkcode Lister.list}.
   *
   * @throws {CacheReadError} When no informer holds that resource (in that namespace), or it has not synced yet.
   */
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListerOptions): Promise<T[]>;
}

/** Thrown when the cache cannot answer, because nothing watches what was asked for, or not yet. */
export class CacheReadError extends Error {
  override readonly name = "CacheReadError";
}
