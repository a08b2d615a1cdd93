import type {
  CreatableType,
  KubeList,
  KubeObject,
  ObjectKey,
  ResourceType,
} from "@xca/apimachinery/meta";
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
import type { RestCalls } from "../calls/rest.ts";
import type { SocketCalls } from "../calls/socket_calls.ts";
import type { WatchEvent } from "./watch_event.ts";

/**
 * A client of a Kubernetes API server.
 *
 * Returned objects belong to the caller, and have `apiVersion` and `kind`, including the items of
 * lists. A write other than a deletion returns the object as the server stored it. Every call may
 * reject as {@linkcode RestCalls.requestJson} does, such as with an {@linkcode ApiError} when the
 * server refuses and an {@linkcode UnreachableError} when there is no connection; with a {@linkcode
 * DecodeError} when the response is not the requested one; with a TypeError when an argument is
 * invalid, such as an unknown option or an object of another kind; and with the reason of its
 * signal.
 *
 * The client retries reads a limited number of times where that may help; writes only when the
 * server certainly did not carry them out.
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
export interface Client extends RestCalls, SocketCalls, Disposable {
  /** The configuration with which this client connects to the API server. */
  readonly config: ClientConfig;

  /**
   * Returns one object from the API server. Rejects with an {@linkcode isNotFound} error when the
   * object does not exist.
   */
  get<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    options?: GetOptions,
  ): Promise<T>;

  /**
   * Returns all pages of a list as one list of one resourceVersion. When the version expires before
   * the last page, the client reads the list again in one response, so that versions are never
   * mixed. Rejects with {@linkcode isGone} when a requested resourceVersion has expired before the
   * first page.
   *
   * @throws {DecodeError} When the response is not a list of the resource, or the server sends the
   * same continue token twice.
   */
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<KubeList<T>>;

  /**
   * Yields a list page by page. Rejects when the resourceVersion of the list expires before the
   * last page: {@linkcode isGone}.
   */
  pages<T extends KubeObject>(
    type: ResourceType<T>,
    options?: ListOptions,
  ): AsyncIterable<KubeList<T>>;

  /**
   * Yields changes of a resource's objects until the server ends the watch. Does not resume; use a
   * cache for that. Logs and leaves out a line that cannot be decoded.
   *
   * @throws {ApiError} When the server sends an error inside the stream ({@linkcode isGone}...).
   * @throws {DecodeError} When the response is not a watch, or the object of an event is of another
   * kind.
   * @throws {IdleTimeoutError} When no byte arrived for `idleTimeoutMs`.
   * @throws {FrameTooLargeError} When an event is longer than 16 MiB.
   * @throws {StreamBrokenError} When the connection broke.
   */
  watch<T extends KubeObject>(
    type: ResourceType<T>,
    options?: WatchOptions,
  ): AsyncIterable<WatchEvent<T>>;

  /**
   * Creates an object of a type with a separate input type ({@linkcode CreatableType}), in which
   * fields with defaults may be absent. Rejects with {@linkcode isAlreadyExists} when an object of
   * the name exists.
   */
  create<T extends KubeObject, I extends KubeObject>(
    type: CreatableType<T, I>,
    object: NoInfer<I>,
    options?: CreateOptions,
  ): Promise<T>;

  /**
   * Creates an object on the API server. Rejects with {@linkcode isAlreadyExists} when an object of
   * the name exists.
   */
  create<T extends KubeObject>(
    type: ResourceType<T> & { readonly inputType?: undefined },
    object: T,
    options?: CreateOptions,
  ): Promise<T>;

  /**
   * Replaces an object. With `metadata.resourceVersion`, the server replaces the object only if it
   * has not changed since that version, and otherwise refuses with {@linkcode isConflict}. Without
   * it, the server replaces an object of most built-in resources in whatever version, and refuses a
   * custom resource.
   */
  update<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;

  /**
   * Replaces the status of an object and nothing else; rejects with {@linkcode isConflict} as
   * {@linkcode Client.update} does.
   */
  updateStatus<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;

  /**
   * Patches an object. A server-side apply creates the object if it does not exist; another patch
   * then rejects with {@linkcode isNotFound}.
   */
  patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch<NoInfer<T>>,
    options?: WriteOptions,
  ): Promise<T>;

  /**
   * Patches the status of an object and nothing else. The object must exist, also for a server-side
   * apply: otherwise rejects with {@linkcode isNotFound}. See {@linkcode Client.patch}.
   */
  patchStatus<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch<NoInfer<T>>,
    options?: WriteOptions,
  ): Promise<T>;

  /**
   * Applies fields to an object (server-side apply): the field manager owns the given fields,
   * fields that it applied before and no longer gives are removed, and an object that does not
   * exist is created.
   *
   * @throws {ApiError} `isConflict` when another manager owns a field, unless `force` is set.
   */
  apply<T extends KubeObject>(
    type: ResourceType<T>,
    object: ApplyFields<NoInfer<T>>,
    options?: ApplyOptions,
  ): Promise<T>;

  /**
   * Applies fields to the status of an object and nothing else. The object must exist: otherwise
   * rejects with {@linkcode isNotFound}. See {@linkcode Client.apply}.
   */
  applyStatus<T extends KubeObject>(
    type: ResourceType<T>,
    object: ApplyFields<NoInfer<T>>,
    options?: ApplyOptions,
  ): Promise<T>;

  /**
   * Deletes an object; with finalizers or a grace period, begins its deletion. Rejects with an
   * {@linkcode isNotFound} error when the object does not exist.
   *
   * @throws {DecodeError} When the response does not confirm the deletion.
   */
  delete(type: ResourceType, key: ObjectKey, options?: DeleteOptions): Promise<void>;

  /**
   * Deletes the selected objects of a resource; those with finalizers or a grace period begin their
   * deletion.
   *
   * @throws {DecodeError} When the response does not confirm the deletion.
   * @throws {TypeError} When the resource is namespaced and no namespace is given.
   */
  deleteCollection(type: ResourceType, options?: DeleteCollectionOptions): Promise<void>;

  /**
   * Returns a client that reads the objects of a resource, in one namespace or in all, as undecoded
   * bytes, for caches.
   */
  raw(type: ResourceType, options?: { readonly namespace?: string | undefined }): RawResource;

  /** Closes the client's connections. Calls in flight and later calls reject. */
  [Symbol.dispose](): void;
}
