import type { Client } from "../../client/typed/client.ts";
import type { ListQuery, WatchQuery } from "../../client/calls/list_query.ts";
import type { RawObject, RawWatchEvent } from "../../client/decode/raw_event.ts";
import type { KubeObject, ListMeta, ResourceType } from "@xca/apimachinery/meta";

/**
 * An interface by which a reflector lists and watches one collection of objects; {@linkcode
 * listWatch} and `listWatchFrom` create implementations. Items and events are bytes of JSON; a call
 * lists one page or opens one stream.
 *
 * Contract for implementers:
 *
 * - Both calls settle soon after `signal` is aborted, and so does a pending step of the stream.
 * - `list` passes every item of the page to `onItems` before it resolves.
 * - `watch` resolves once the server accepts the watch, and rejects if the server refuses it. The
 *   stream ends when the server closes it and throws when it is cut; `return()` of the iterator
 *   closes the connection. When nothing arrives for `idleTimeoutMs` the stream throws.
 * - The bytes of items and events may be reused once the callback has returned, or the next batch
 *   is requested.
 */
export interface ListerWatcher {
  /**
   * Requests one page of the collection, passes its items to `onItems` in batches, and resolves to
   * the metadata of the page (`resourceVersion`, and `continue` if there is another page). `signal`
   * cancels the request.
   */
  list(
    query: ListQuery,
    onItems: (batch: readonly RawObject[]) => void,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly metadata: ListMeta }>;
  /**
   * Opens a watch of the collection. `signal` cancels the call, and later the stream;
   * `idleTimeoutMs` is the longest silence of the stream, in milliseconds, before it throws.
   */
  watch(
    query: WatchQuery,
    options: { readonly signal: AbortSignal; readonly idleTimeoutMs: number },
  ): Promise<AsyncIterable<readonly RawWatchEvent[]>>;
  /**
   * Sets whether the reflector may request the initial objects by `watch` with `sendInitialEvents`
   * (WatchList). If `false`, the reflector always lists the initial objects, whatever {@linkcode
   * ReflectorTuning.watchList} is.
   *
   * @default {true}
   */
  readonly watchList?: boolean;
  /**
   * The namespace that is listed and watched, if it is a single one. The lister of an informer then
   * refuses reads of other namespaces, because their objects are not in its cache.
   *
   * @default all namespaces
   */
  readonly namespace?: string | undefined;
}

/** Options for a call of {@linkcode ListerWatcher.list}. */
export type ListCallOptions = Parameters<ListerWatcher["list"]>[2];

/** Options for a call of {@linkcode ListerWatcher.watch}. */
export type WatchCallOptions = Parameters<ListerWatcher["watch"]>[1];

/**
 * Options of {@linkcode listWatch} that select the objects of a resource to list and watch, by
 * namespace, labels and fields.
 */
export interface ListWatchOptions {
  /** The namespace to list and watch; empty stands for all. @default all namespaces */
  readonly namespace?: string | undefined;
  /**
   * The label selector of the objects to list and watch, such as `app=web,tier!=cache`.
   *
   * @default all
   */
  readonly labelSelector?: string | undefined;
  /**
   * The field selector of the objects to list and watch, such as `spec.nodeName=n1`.
   *
   * @default all
   */
  readonly fieldSelector?: string | undefined;
}

/**
 * Returns a lister-watcher that lists and watches the objects of a resource through a client: all
 * objects, or those in the namespace that match both selectors. The client does not retry its
 * requests.
 *
 * @param client The client that sends the requests.
 * @param type The resource to list and watch.
 * @throws {TypeError} If a namespace is given for a cluster-scoped resource, or cannot be a segment
 * of a path.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { listWatch } from "@xca/operator/cache";
 * import { createClient } from "@xca/operator/client";
 * import { Pod } from "@xca/operator/meta";
 *
 * const asked: string[] = [];
 * const fetch = (request: Request) => {
 *   asked.push(new URL(request.url).searchParams.get("fieldSelector") ?? "");
 *   return Promise.resolve(Response.json({ metadata: { resourceVersion: "1" }, items: [] }));
 * };
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 *
 * const ofNode = listWatch(client, Pod, { fieldSelector: "spec.nodeName=n1" });
 * const { signal } = new AbortController();
 * const { metadata } = await ofNode.list({}, () => {}, { signal });
 * assert.equal(metadata.resourceVersion, "1");
 * assert.deepEqual(asked, ["spec.nodeName=n1"]);
 * ```
 */
export function listWatch<T extends KubeObject>(
  client: Pick<Client, "raw">,
  type: ResourceType<T>,
  options: ListWatchOptions = {},
): ListerWatcher {
  const { namespace, labelSelector, fieldSelector } = options;
  const resource = client.raw(type, namespace ? { namespace } : {});
  const selectors = {
    ...(labelSelector ? { labelSelector } : {}),
    ...(fieldSelector ? { fieldSelector } : {}),
  };
  return {
    namespace: type.scope === "Cluster" ? undefined : namespace || undefined,
    list: (query, onItems, { signal }) =>
      // The client must not retry: the reflector retries failed lists itself, after pauses.
      resource.list({ ...query, ...selectors }, onItems, { signal, retry: false }),
    watch: (query, { signal, idleTimeoutMs }) =>
      resource.watch({ ...query, ...selectors }, { signal, idleTimeoutMs }),
  };
}
