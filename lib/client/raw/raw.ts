import type { ListMeta } from "@xca/apimachinery/meta";
import type { ListQuery, WatchQuery } from "../calls/list_query.ts";
import type { RawObject, RawWatchEvent } from "../decode/raw_event.ts";

/** What is left of a page once its items were handed over. */
export type RawListResult = Awaited<ReturnType<RawResource["list"]>>;

/** Options of {@linkcode RawResource.list}. */
export type RawListOptions = NonNullable<Parameters<RawResource["list"]>[2]>;

/** Options of {@linkcode RawResource.watch}. */
export type RawWatchOptions = NonNullable<Parameters<RawResource["watch"]>[1]>;

/** One resource, in one namespace or in all: bytes in, bytes out. What a cache lives on. */
export interface RawResource {
  /**
   * Reads one page. Its items come in batches while the body arrives; the body is never held whole.
   *
   * @throws {ApiError} When the server refuses.
   * @throws {UnreachableError} When there is no connection.
   * @throws {IdleTimeoutError} When the answer stops to arrive.
   * @throws {StreamBrokenError} When the body was cut. Items may have been handed over already.
   * @throws {DecodeError} When the body is not a list.
   */
  list(
    query: ListQuery,
    onItems: (batch: readonly RawObject[]) => void,
    options?: {
      /** Ends the call; it then rejects with the signal's reason. */
      readonly signal?: AbortSignal | undefined;
      /** Whether refusals that may pass (429, 5xx, no connection) are tried again. @default {true} */
      readonly retry?: boolean | undefined;
    },
  ): Promise<{
    /** Version and paging. */
    readonly metadata: ListMeta;
  }>;

  /**
   * Starts a watch. Resolves once the server has accepted it; then yields the events of one network
   * chunk at a time. Ending the iteration closes the connection, and so does aborting. A watch that
   * the server ends cleanly ends the iteration.
   *
   * @throws {ApiError} When the server refuses.
   * @throws {UnreachableError} When there is no connection.
   * @throws {IdleTimeoutError} When no byte came for `idleTimeoutMs` (from the iteration).
   * @throws {StreamBrokenError} When the body was cut (from the iteration).
   * @throws {FrameTooLargeError} When one event is longer than 16 MiB (from the iteration).
   */
  watch(
    query: WatchQuery,
    options?: {
      /** Ends the watch; the iteration then rejects with the signal's reason. */
      readonly signal?: AbortSignal | undefined;
      /**
       * After how many milliseconds without a byte the watch is given up, with an
       * {@linkcode IdleTimeoutError}. @default none
       */
      readonly idleTimeoutMs?: number | undefined;
      /**
       * Whether a refused or failed connect is tried again. Off: a reflector counts and paces its own
       * tries. @default {false}
       */
      readonly retry?: boolean | undefined;
    },
  ): Promise<AsyncIterable<readonly RawWatchEvent[]>>;
}
