import type { KubeList, KubeObject, ObjectKey, ResourceType } from "@xca/apimachinery/meta";
import type { ClientConfig } from "../config/config.ts";
import type {
  ApplyOptions,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  WatchOptions,
  WriteOptions,
} from "../calls/options.ts";
import type { Patch } from "./patch.ts";
import type { ApplyFields } from "./patch_fields.ts";
import type { RawResource } from "../raw/raw.ts";
import type { RestDoor } from "../calls/rest.ts";
import type { SocketDoor } from "../calls/socket_door.ts";
import type { WatchEvent } from "./watch_event.ts";

/**
 * A connection to a Kubernetes API server.
 *
 * Objects that it returns are the caller's own, with `apiVersion` and `kind`, items of lists too.
 * Every call may reject with an {@linkcode ApiError} when the server refuses, an
 * {@linkcode UnreachableError} when there is no connection, and the reason of its signal.
 *
 * A read is tried again a bounded number of times when that may help; a write only when it surely
 * was not carried out.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient } from "@xca/operator/client";
 * import { ConfigMap } from "@xca/operator/meta";
 *
 * const fetch = () => Promise.resolve(Response.json({ metadata: { name: "web" }, data: { a: "1" } }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const map = await client.get(ConfigMap, "default/web");
 * assert.equal(map.kind, "ConfigMap");
 * ```
 */
export interface Client extends RestDoor, SocketDoor, Disposable {
  /** What it was made of. */
  readonly config: ClientConfig;

  /** Reads one object. */
  get<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    options?: GetOptions,
  ): Promise<T>;

  /**
   * Reads all pages, as one list of one version. When the version expires on the way, begins again
   * (a bounded number of times): versions are never mixed.
   */
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<KubeList<T>>;

  /**
   * Reads page by page. When the version expires on the way, rejects: {@linkcode isGone}.
   */
  pages<T extends KubeObject>(
    type: ResourceType<T>,
    options?: ListOptions,
  ): AsyncIterable<KubeList<T>>;

  /**
   * Yields changes as they come, until the server ends the watch. Does not resume; a cache does.
   * A line that cannot be decoded is logged and left out.
   *
   * @throws {ApiError} When the server sends an error inside the stream ({@linkcode isGone}...).
   * @throws {DecodeError} When the object of an event is of another kind.
   * @throws {IdleTimeoutError} When no byte came for `idleTimeoutMs`.
   */
  watch<T extends KubeObject>(
    type: ResourceType<T>,
    options?: WatchOptions,
  ): AsyncIterable<WatchEvent<T>>;

  /** Creates an object. */
  create<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options?: CreateOptions,
  ): Promise<T>;

  /** Replaces an object. With its `metadata.resourceVersion`, only if it has not changed since. */
  update<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;

  /** Replaces the status of an object and nothing else. */
  updateStatus<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;

  /** Changes an object. A {@linkcode ApplyPatch} creates it when there is none. */
  patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch<NoInfer<T>>,
    options?: WriteOptions,
  ): Promise<T>;

  /** Changes the status of an object and nothing else. */
  patchStatus<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch<NoInfer<T>>,
    options?: WriteOptions,
  ): Promise<T>;

  /**
   * Applies fields to an object (server-side apply): those given become the field manager's own, those
   * that it gave before and gives no longer are removed, and the object is created where there is none.
   *
   * @throws {ApiError} `isConflict` when another manager owns a field, unless `force` takes it.
   */
  apply<T extends KubeObject>(
    type: ResourceType<T>,
    object: ApplyFields<NoInfer<T>>,
    options?: ApplyOptions,
  ): Promise<T>;

  /** Applies fields to the status of an object and to nothing else; see {@linkcode Client.apply}. */
  applyStatus<T extends KubeObject>(
    type: ResourceType<T>,
    object: ApplyFields<NoInfer<T>>,
    options?: ApplyOptions,
  ): Promise<T>;

  /**
   * Deletes an object, or begins to.
   *
   * @throws {DecodeError} When the answer does not confirm the deletion.
   */
  delete(type: ResourceType, key: ObjectKey, options?: DeleteOptions): Promise<void>;

  /**
   * Deletes the selected objects, or begins to.
   *
   * @throws {DecodeError} When the answer does not confirm the deletion.
   */
  deleteCollection(type: ResourceType, options?: DeleteCollectionOptions): Promise<void>;

  /** The same resource as bytes, for caches. Without a namespace: in all of them. */
  raw(type: ResourceType, options?: { readonly namespace?: string | undefined }): RawResource;

  /** Closes its connections. Calls that still run reject. */
  [Symbol.dispose](): void;
}
