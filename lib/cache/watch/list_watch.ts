import type { Client } from "../../client/typed/client.ts";
import type {
  ListQuery,
  RawListResult,
  RawObject,
  RawWatchEvent,
  WatchQuery,
} from "../../client/raw/raw.ts";
import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";

/**
 * How a reflector lists and watches one collection: bytes in, one page or one stream per call.
 *
 * Contract for implementers:
 * - Both calls settle soon after `signal` is aborted, and so does a pending step of the stream.
 * - `list` has called `onItems` with every item of the page before it resolves.
 * - `watch` resolves once the server accepted the watch; a refusal rejects. The stream ends when the
 *   server closes it and throws when it is cut; ending the iteration closes the connection. When
 *   nothing arrives for `idleTimeoutMs` the stream throws.
 * - The bytes of items and events may be reused once the callback returned, or the next batch was
 *   asked for.
 */
export interface ListerWatcher {
  /** Lists one page. */
  list(
    query: ListQuery,
    onItems: (batch: readonly RawObject[]) => void,
    options: ListCallOptions,
  ): Promise<RawListResult>;
  /** Opens a watch. */
  watch(
    query: WatchQuery,
    options: WatchCallOptions,
  ): Promise<AsyncIterable<readonly RawWatchEvent[]>>;
  /**
   * Whether `watch` passes `sendInitialEvents` on. With `false` the initial state is always listed.
   *
   * @default {true}
   */
  readonly watchList?: boolean;
  /**
   * The namespace that is listed, where it is one alone. The lister of an informer refuses reads of all
   * others, since it cannot tell an absence there.
   *
   * @default all namespaces
   */
  readonly namespace?: string | undefined;
}

/** Options of one {@linkcode ListerWatcher.list} call. */
export interface ListCallOptions {
  /** Ends the call. */
  readonly signal: AbortSignal;
}

/** Options of one {@linkcode ListerWatcher.watch} call. */
export interface WatchCallOptions {
  /** Ends the call, and the stream after it. */
  readonly signal: AbortSignal;
  /** How long the stream may be silent, in milliseconds, before it throws. */
  readonly idleTimeoutMs: number;
}

/** Which part of a resource is listed and watched. */
export interface ListWatchOptions {
  /** Only this namespace. @default all namespaces */
  readonly namespace?: string | undefined;
  /** Only objects whose labels match, as `app=web,tier!=cache`. */
  readonly labelSelector?: string | undefined;
  /** Only objects whose fields match, as `spec.nodeName=n1`. */
  readonly fieldSelector?: string | undefined;
}

/**
 * Lists and watches a resource of the cluster, all of it or what the selectors leave.
 *
 * @param client What sends the requests.
 * @param type The resource.
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
      // The reflector paces its own tries.
      resource.list({ ...query, ...selectors }, onItems, { signal, retry: false }),
    watch: (query, { signal, idleTimeoutMs }) =>
      resource.watch({ ...query, ...selectors }, { signal, idleTimeoutMs }),
  };
}
