import type { ListMeta } from "@xca/apimachinery/meta";
import type { DecodeError } from "../errors/decode_error.ts";

/**
 * The JSON text of one object, UTF-8.
 *
 * BORROWED: valid only during the callback that hands it over, or until the next batch of the
 * watch is asked for. Who keeps it copies it.
 */
export type RawObject = Uint8Array;

/** A watch event whose object is still text; its object is borrowed, see {@linkcode RawObject}. */
export interface RawObjectEvent {
  /** What happened; `ERROR` carries a `Status` instead of an object. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  /** The object's JSON text. */
  readonly object: RawObject;
}

/**
 * One line of a watch that alone is lost: invalid UTF-8 or JSON, or an event type nobody knows. The
 * stream goes on.
 */
export interface UndecodableEvent {
  /** Tells it from the events of the server. */
  readonly type: "UNDECODABLE";
  /** What is wrong with the line. */
  readonly error: DecodeError;
}

/** What a raw watch yields. */
export type RawWatchEvent = RawObjectEvent | UndecodableEvent;

/** How a resourceVersion of a query is meant; see the Kubernetes API concepts. */
export type ResourceVersionMatch = "Exact" | "NotOlderThan";

/** The query of a LIST. What is absent is not sent. */
export interface ListQuery {
  /** Select by labels, as `app=web,tier!=db`. */
  readonly labelSelector?: string | undefined;
  /** Select by fields, as `metadata.name=web`. */
  readonly fieldSelector?: string | undefined;
  /** The longest page, in objects. */
  readonly limit?: number | undefined;
  /** Where the page begins: `metadata.continue` of the page before. */
  readonly continue?: string | undefined;
  /** The version to list; `"0"` is whatever the server has cached. */
  readonly resourceVersion?: string | undefined;
  /** How `resourceVersion` is meant. */
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
}

/** The query of a WATCH. What is absent is not sent. */
export interface WatchQuery {
  /** Select by labels. */
  readonly labelSelector?: string | undefined;
  /** Select by fields. */
  readonly fieldSelector?: string | undefined;
  /** The version after which to begin. */
  readonly resourceVersion?: string | undefined;
  /** How `resourceVersion` is meant. */
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  /** Whether to ask for events that carry nothing but a newer resourceVersion. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Whether the watch begins with all objects there are (WatchList). */
  readonly sendInitialEvents?: boolean | undefined;
  /** After how many seconds the server ends the watch. */
  readonly timeoutSeconds?: number | undefined;
}

/** What is left of a page once its items were handed over. */
export interface RawListResult {
  /** Version and paging. */
  readonly metadata: ListMeta;
}

/** Options of {@linkcode RawResource.list}. */
export interface RawListOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Whether refusals that may pass (429, 5xx, no connection) are tried again. @default {true} */
  readonly retry?: boolean | undefined;
}

/** Options of {@linkcode RawResource.watch}. */
export interface RawWatchOptions {
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
}

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
    options?: RawListOptions,
  ): Promise<RawListResult>;

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
    options?: RawWatchOptions,
  ): Promise<AsyncIterable<readonly RawWatchEvent[]>>;
}
