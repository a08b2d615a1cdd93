import type { FailureKind } from "../watch/watch_failure.ts";

/** One failure of a watch or a list. */
export interface WatchFailureRecord {
  /** The kind of failure, such as `missing` for a resource that the server does not have. */
  readonly kind: FailureKind;
  /** The error in one line. */
  readonly message: string;
  /** The time of the failure. */
  readonly at: Date;
}

/**
 * The health of one watch: a live view that can be read at any time. Readiness checks and metrics
 * build on it.
 *
 * Dates are for people; compute ages from the `...Ms` fields, which are readings of the clock's
 * `monotonicMs()`.
 */
export interface WatchHealth {
  /** The name of the reflector in logs. */
  readonly name: string;
  /** The current activity. */
  readonly state:
    | "initial"
    | "watchListing"
    | "listing"
    | "watching"
    | "probing"
    | "backingOff"
    | "stopped";
  /** Whether the store was filled at least once. */
  readonly synced: boolean;
  /** The version up to which the store is complete; empty before the first sync. */
  readonly resourceVersion: string;
  /** The current failure: set until a list or a watch works again. */
  readonly failing: WatchFailureRecord | undefined;
  /** The last failure, kept after recovery. */
  readonly lastError: WatchFailureRecord | undefined;
  /** The time of the last event about an object. */
  readonly lastEventAt: Date | undefined;
  /** The monotonic time of the last event about an object, in milliseconds. */
  readonly lastEventMs: number | undefined;
  /** The time of the last bookmark. */
  readonly lastBookmarkAt: Date | undefined;
  /** The monotonic time of the last bookmark, in milliseconds. */
  readonly lastBookmarkMs: number | undefined;
  /** The time at which the store was last filled from a list or an initial stream. */
  readonly lastSyncAt: Date | undefined;
  /** The monotonic time at which the store was last filled, in milliseconds. */
  readonly lastSyncMs: number | undefined;
  /** The monotonic time of the last answer, event or bookmark, in milliseconds. */
  readonly lastHeardMs: number | undefined;
  /** Number of LIST requests for the whole collection; the pages of one list count as one. */
  readonly lists: number;
  /** Number of watches requested with initial events (WatchList). */
  readonly watchLists: number;
  /** Number of plain watches requested, from a version on. */
  readonly watches: number;
  /** Number of streams that ended or were cut, and were followed by another request. */
  readonly restarts: number;
  /** Number of failed requests and streams. */
  readonly failures: number;
  /** Number of events about objects. */
  readonly events: number;
  /** Number of bookmarks. */
  readonly bookmarks: number;
  /** Number of events and objects that could not be decoded, packed or handed over. */
  readonly undecodable: number;
  /** Number of events dropped because the store had the same or a newer version of the object. */
  readonly staleEvents: number;
  /**
   * Number of times that the server's versions went back (a restored backup) and the store was
   * rebuilt.
   */
  readonly rebuilds: number;
}
