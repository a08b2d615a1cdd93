import type { ListMeta } from "@xca/apimachinery/meta";
import type { ListQuery, WatchQuery } from "../calls/list_query.ts";
import type { RawObject, RawWatchEvent } from "../decode/raw_event.ts";

/**
 * The metadata of a list page whose items were passed on as bytes: the result of {@linkcode
 * RawResource.list}.
 */
export type RawListResult = Awaited<ReturnType<RawResource["list"]>>;

/** Options of {@linkcode RawResource.list}, which lists objects as bytes. */
export type RawListOptions = NonNullable<Parameters<RawResource["list"]>[2]>;

/** Options of {@linkcode RawResource.watch}, which watches objects as bytes. */
export type RawWatchOptions = NonNullable<Parameters<RawResource["watch"]>[1]>;

/**
 * A client that reads the objects of one resource, in one namespace or in all, as undecoded bytes.
 * Caches use it.
 */
export interface RawResource {
  /**
   * Reads one page of a list as bytes and returns its metadata. Passes the items to `onItems` in
   * batches while the body arrives; the whole body is never in memory. The bytes of the items are
   * valid until `onItems` returns.
   *
   * @throws {ApiError} When the server refuses.
   * @throws {UnreachableError} When there is no connection.
   * @throws {IdleTimeoutError} When the body stops arriving.
   * @throws {StreamBrokenError} When the connection broke, possibly after some items were
   * delivered.
   * @throws {DecodeError} When the body is not a list of the resource, possibly after items were
   * delivered: the kind of the list is checked at its end.
   * @throws {FrameTooLargeError} When an item, or another member of the list, is longer than 16
   * MiB.
   */
  list(
    query: ListQuery,
    onItems: (batch: readonly RawObject[]) => void,
    options?: {
      /** The signal that aborts the list. The call then rejects with the reason of the signal. */
      readonly signal?: AbortSignal | undefined;
      /**
       * Sets whether the client repeats the request after a failed connection and a temporary
       * refusal: 429, 502, 503, 504, or any 5xx with `Retry-After`.
       *
       * @default {true}
       */
      readonly retry?: boolean | undefined;
    },
  ): Promise<{
    /** The metadata of the list page: resourceVersion and continue token. */
    readonly metadata: ListMeta;
  }>;

  /**
   * Starts a watch whose objects are bytes. Once the server has accepted the watch, resolves to an
   * iterable, for one iteration, that yields the events of one network chunk at a time. Ending the
   * iteration closes the connection, and so does aborting. The iteration ends when the server ends
   * the watch. An error that the server sends inside the stream is an event of type `ERROR`, which
   * does not end the iteration.
   *
   * @throws {ApiError} When the server refuses.
   * @throws {UnreachableError} When there is no connection.
   * @throws {DecodeError} When the response is not a watch (also from the iteration).
   * @throws {IdleTimeoutError} When no byte arrived for `idleTimeoutMs` (from the iteration).
   * @throws {StreamBrokenError} When the connection broke (from the iteration).
   * @throws {FrameTooLargeError} When an event is longer than 16 MiB (from the iteration).
   */
  watch(
    query: WatchQuery,
    options?: {
      /**
       * The signal that ends the watch; the iteration then rejects with the reason of the signal.
       */
      readonly signal?: AbortSignal | undefined;
      /**
       * The longest wait for a byte of the watch, in milliseconds; then the iteration rejects with
       * an {@linkcode IdleTimeoutError}. 0 is no limit.
       *
       * @default no limit
       */
      readonly idleTimeoutMs?: number | undefined;
      /**
       * Sets whether the client retries a request for a watch that the server refused, or that
       * could not connect; not by default, since a reflector delays its own attempts.
       * @default {false}
       */
      readonly retry?: boolean | undefined;
    },
  ): Promise<AsyncIterable<readonly RawWatchEvent[]>>;
}
