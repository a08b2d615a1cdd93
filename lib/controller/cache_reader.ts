import type { KubeObject } from "../meta/object.ts";
import type { ObjectKey } from "../meta/object_key.ts";
import type { ResourceType } from "../meta/resource_type.ts";

/** Which objects of the cache to list. */
export interface CacheListOptions {
  /** Of this namespace alone. @default all that the operator watches */
  readonly namespace?: string | undefined;
  /** With these labels, as `app=web,tier!=cache`. @default all */
  readonly labelSelector?: string | undefined;
}

/**
 * The controller's cache: what it is for, owns or watches, as last seen. Reading costs no request,
 * and every object handed out is a fresh copy that may be changed at will.
 */
export interface CacheReader {
  /**
   * The object, or `undefined` when the cache has none of that key.
   *
   * @throws {TypeError} When the controller neither is for, nor owns, nor watches this resource.
   */
  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): T | undefined;
  /**
   * The objects, as of one moment.
   *
   * @throws {TypeError} As `get`, and when the selector cannot be parsed.
   */
  list<T extends KubeObject>(type: ResourceType<T>, options?: CacheListOptions): Promise<T[]>;
}
