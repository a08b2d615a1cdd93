import type { FailureKind } from "../watch/watch_failure.ts";

/** The record of one failure of a watch or a list. */
export interface WatchFailureRecord {
  /** The kind of the failure, such as `missing` for a resource that the server does not have. */
  readonly kind: FailureKind;
  /** The error message of the failure in one line. */
  readonly message: string;
  /** The time of the list or watch failure. */
  readonly at: Date;
}

/**
 * The health of one watch: a live view that can be read at any time. Readiness checks and metrics
 * build on it.
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
  /** Whether the cache that the watch fills was complete at least once. */
  readonly synced: boolean;
  /** The resourceVersion up to which the cache is complete; empty before the first sync. */
  readonly resourceVersion: string;
  /** The current failure of the watch: set until a list or a watch works again. */
  readonly failing: WatchFailureRecord | undefined;
  /** The last failure of the watch, kept after recovery. */
  readonly lastError: WatchFailureRecord | undefined;
  /** The time of the last watch event about an object. */
  readonly lastEventAt: Date | undefined;
  /** The monotonic time of the last watch event about an object, in milliseconds. */
  readonly lastEventMs: number | undefined;
  /** The time of the last watch bookmark. */
  readonly lastBookmarkAt: Date | undefined;
  /** The monotonic time of the last watch bookmark, in milliseconds. */
  readonly lastBookmarkMs: number | undefined;
  /** The time at which the cache was last filled from a list or an initial stream. */
  readonly lastSyncAt: Date | undefined;
  /**
   * The monotonic time at which the cache was last filled from a list or an initial stream, in
   * milliseconds.
   */
  readonly lastSyncMs: number | undefined;
  /**
   * The monotonic time of the last response, watch event or bookmark from the server, in
   * milliseconds.
   */
  readonly lastHeardMs: number | undefined;
  /**
   * Number of LIST requests of the reflector for the whole collection; the pages of one list count
   * as one.
   */
  readonly lists: number;
  /** Number of watches that the reflector requested with initial events (WatchList). */
  readonly watchLists: number;
  /** Number of plain watches that the reflector requested, from a version on. */
  readonly watches: number;
  /** Number of watches that ended or were cut, and were followed by another request. */
  readonly restarts: number;
  /** Number of failed list and watch requests and streams. */
  readonly failures: number;
  /** Number of watch events about objects. */
  readonly events: number;
  /** Number of watch bookmarks. */
  readonly bookmarks: number;
  /**
   * Number of watch events and objects that could not be decoded, packed or passed to the cache.
   */
  readonly undecodable: number;
  /**
   * Number of watch events dropped because the cache had the same or a newer version of the object.
   */
  readonly staleEvents: number;
  /**
   * Number of times that the server was found restored from a backup, so that the store was
   * rebuilt.
   */
  readonly rebuilds: number;
}
