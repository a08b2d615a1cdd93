import type { FailureKind } from "../watch/watch_failure.ts";

/**
 * The record of one failure of a watch or a list, or of the loss of one object or event, in
 * {@linkcode WatchHealth}.
 */
export interface WatchFailureRecord {
  /**
   * The kind of the failure, such as `missing` for a resource that the server does not have;
   * `undecodable` for a lost object or event.
   */
  readonly kind: FailureKind;
  /** The error message of the failure in one line. */
  readonly message: string;
  /** The time of the list or watch failure, or of the loss, by the reflector's clock. */
  readonly at: Date;
}

/**
 * The health of one reflector's list and watch loop: a live view that can be read at any time, for
 * readiness checks and metrics. All numbers of requests, events and failures count since the
 * reflector was created.
 *
 * Dates are for users; compute ages from the `...Ms` fields, which are readings of the clock's
 * `monotonicMs()`.
 */
export interface WatchHealth {
  /** The name of the watch's reflector in logs. */
  readonly name: string;
  /**
   * The current activity of the reflector: `initial` before the first request, `watchListing` or
   * `listing` while it reads all objects, `watching`, `probing` while it requests the server's
   * newest version, `backingOff` during a pause after a failure, `stopped` at the end.
   */
  readonly state:
    | "initial"
    | "watchListing"
    | "listing"
    | "watching"
    | "probing"
    | "backingOff"
    | "stopped";
  /**
   * Reports whether the cache that the watch fills has received a complete list at least once;
   * remains true.
   */
  readonly synced: boolean;
  /**
   * The resourceVersion up to which the cache has received all changes, of the last list, event or
   * bookmark; empty before the first sync.
   */
  readonly resourceVersion: string;
  /**
   * The current failure of the list and watch loop, until the server completes a list, accepts a
   * watch without initial events, or sends an event or bookmark; `undefined` while there is none. A
   * `shortWatch` remains when the server only accepts a watch.
   */
  readonly failing: WatchFailureRecord | undefined;
  /**
   * The most recent failure of a list or watch, or loss of an object or event; kept after recovery.
   * `undefined` before the first.
   */
  readonly lastError: WatchFailureRecord | undefined;
  /**
   * The time at which the reflector last received a watch event about an object, including the
   * initial events of a WatchList; `undefined` before the first.
   */
  readonly lastEventAt: Date | undefined;
  /**
   * The monotonic time at which the reflector last received a watch event about an object,
   * including the initial events of a WatchList, in milliseconds; `undefined` before the first.
   */
  readonly lastEventMs: number | undefined;
  /**
   * The time at which the reflector last received a bookmark, including those of a WatchList;
   * `undefined` before the first.
   */
  readonly lastBookmarkAt: Date | undefined;
  /**
   * The monotonic time at which the reflector last received a bookmark, including those of a
   * WatchList, in milliseconds; `undefined` before the first.
   */
  readonly lastBookmarkMs: number | undefined;
  /**
   * The time at which the cache was last filled from a list or a WatchList; `undefined` before the
   * first sync.
   */
  readonly lastSyncAt: Date | undefined;
  /**
   * The monotonic time at which the cache was last filled from a list or a WatchList, in
   * milliseconds; `undefined` before the first sync.
   */
  readonly lastSyncMs: number | undefined;
  /**
   * The monotonic time at which the server last completed a list, accepted a watch without initial
   * events, or sent a watch event or bookmark, in milliseconds; `undefined` before the first.
   */
  readonly lastHeardMs: number | undefined;
  /**
   * The number of LISTs of the whole collection that the reflector has begun since its creation,
   * failed ones included; the pages of one list count as one.
   */
  readonly lists: number;
  /**
   * The number of watches with initial events (WatchList) that the reflector has requested since
   * its creation.
   */
  readonly watchLists: number;
  /**
   * The number of watches without initial events that the reflector has requested since its
   * creation.
   */
  readonly watches: number;
  /**
   * The number of the reflector's accepted watches, including continued WatchLists, that ended,
   * failed or were aborted since its creation, except by the stop of the reflector.
   */
  readonly restarts: number;
  /**
   * The number of the reflector's list and watch requests and streams that have failed since its
   * creation. A refused WatchList that a LIST replaces does not count.
   */
  readonly failures: number;
  /**
   * The number of watch events about objects that the reflector received since its creation,
   * including the initial events of WatchLists, and dropped ones.
   */
  readonly events: number;
  /** The number of bookmarks that the reflector received, including those of WatchLists. */
  readonly bookmarks: number;
  /**
   * The number of received watch events, bookmarks and listed objects that could not be decoded,
   * packed or passed to the cache since the reflector's creation.
   */
  readonly undecodable: number;
  /**
   * The number of received watch events that the reflector dropped because the cache had the same
   * or a newer version of the object, or the object was deleted since.
   */
  readonly staleEvents: number;
  /**
   * The number of times that the reflector found the server restored from a backup, so that the
   * store was rebuilt.
   */
  readonly rebuilds: number;
}
