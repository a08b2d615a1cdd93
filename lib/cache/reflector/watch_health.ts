import type { FailureKind } from "../watch/watch_failure.ts";

/** The record of one failure of a watch or a list, or of the loss of one object or event. */
export interface WatchFailureRecord {
  /** The kind of the failure, such as `missing` for a resource that the server does not have. */
  readonly kind: FailureKind;
  /** The error message of the failure in one line. */
  readonly message: string;
  /** The time of the list or watch failure, or of the loss, by the reflector's clock. */
  readonly at: Date;
}

/**
 * The health of one watch: a live view that can be read at any time. Readiness checks and metrics
 * build on it. All numbers of requests, events and failures count since the reflector was created.
 *
 * Dates are for users; compute ages from the `...Ms` fields, which are readings of the clock's
 * `monotonicMs()`.
 */
export interface WatchHealth {
  /** The name of the watch's reflector in logs. */
  readonly name: string;
  /** The current activity of the reflector, such as `watching`. */
  readonly state:
    | "initial"
    | "watchListing"
    | "listing"
    | "watching"
    | "probing"
    | "backingOff"
    | "stopped";
  /** Reports whether the cache that the watch fills was complete at least once. */
  readonly synced: boolean;
  /** The resourceVersion up to which the cache is complete; empty before the first sync. */
  readonly resourceVersion: string;
  /**
   * The current failure of the list and watch loop, until a list or a watch works again;
   * `undefined` while there is none.
   */
  readonly failing: WatchFailureRecord | undefined;
  /**
   * The last failure of a list or watch, or the last object or event that could not be processed;
   * kept after recovery. `undefined` before the first.
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
   * The monotonic time at which the server last completed a list, accepted a watch, or sent a watch
   * event or bookmark, in milliseconds; `undefined` before the first.
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
   * The number of the reflector's watches that ended or were cut, and were followed by another
   * request.
   */
  readonly restarts: number;
  /**
   * The number of the reflector's list and watch requests and streams that have failed since its
   * creation. A refused WatchList that a LIST replaces does not count.
   */
  readonly failures: number;
  /**
   * The number of watch events about objects that the reflector received, including the initial
   * events of WatchLists.
   */
  readonly events: number;
  /** The number of bookmarks that the reflector received, including those of WatchLists. */
  readonly bookmarks: number;
  /**
   * The number of received watch events and objects that could not be decoded, packed or passed to
   * the cache.
   */
  readonly undecodable: number;
  /**
   * The number of received watch events that the reflector dropped because the cache had the same
   * or a newer version of the object.
   */
  readonly staleEvents: number;
  /**
   * The number of times that the reflector found the server restored from a backup, so that the
   * store was rebuilt.
   */
  readonly rebuilds: number;
}
