import type { ListMeta } from "@xca/apimachinery/meta";
import type { ListQuery, WatchQuery } from "../calls/list_query.ts";
import type { RawObject, RawWatchEvent } from "../decode/raw_event.ts";

/** The part of a page beside its items. */
export type RawListResult = Awaited<ReturnType<RawResource["list"]>>;

/** Options of {@linkcode RawResource.list}. */
export type RawListOptions = NonNullable<Parameters<RawResource["list"]>[2]>;

/** Options of {@linkcode RawResource.watch}. */
export type RawWatchOptions = NonNullable<Parameters<RawResource["watch"]>[1]>;

/** A resource as bytes, in one namespace or in all. Caches read it. */
export interface RawResource {
  /**
   * Reads one page. Its items come in batches while the body arrives; the body is never held whole.
   *
   * @throws {ApiError} When the server refuses.
   * @throws {UnreachableError} When there is no connection.
   * @throws {IdleTimeoutError} When the body stops arriving.
   * @throws {StreamBrokenError} When the connection broke, possibly after some items were
   * delivered.
   * @throws {DecodeError} When the body is not a list.
   */
  list(
    query: ListQuery,
    onItems: (batch: readonly RawObject[]) => void,
    options?: {
      /** Aborts the call; it then rejects with the reason of the signal. */
      readonly signal?: AbortSignal | undefined;
      /** Retries refusals that may be temporary (429, 5xx, no connection). @default {true} */
      readonly retry?: boolean | undefined;
    },
  ): Promise<{
    /** Version and paging. */
    readonly metadata: ListMeta;
  }>;

  /**
   * Starts a watch. Resolves once the server has accepted it, and then yields the events of one
   * network chunk at a time. Ending the iteration closes the connection, and so does aborting. The
   * iteration ends when the server ends the watch.
   *
   * @throws {ApiError} When the server refuses.
   * @throws {UnreachableError} When there is no connection.
   * @throws {IdleTimeoutError} When no byte arrived for `idleTimeoutMs` (from the iteration).
   * @throws {StreamBrokenError} When the connection broke (from the iteration).
   * @throws {FrameTooLargeError} When an event is longer than 16 MiB (from the iteration).
   */
  watch(
    query: WatchQuery,
    options?: {
      /** Ends the watch; the iteration then rejects with the reason of the signal. */
      readonly signal?: AbortSignal | undefined;
      /**
       * The longest wait for a byte, in milliseconds; then the iteration rejects with an {@linkcode
       * IdleTimeoutError}. @default no limit
       */
      readonly idleTimeoutMs?: number | undefined;
      /**
       * Retries a refused or failed connect. Off by default, since a reflector paces its own tries.
       * @default {false}
       */
      readonly retry?: boolean | undefined;
    },
  ): Promise<AsyncIterable<readonly RawWatchEvent[]>>;
}
