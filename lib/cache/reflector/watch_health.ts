import type { FailureKind } from "../watch/watch_failure.ts";

/** What a reflector is doing; see {@linkcode WatchHealth.state}. */
export type WatchState =
  | "initial"
  | "watchListing"
  | "listing"
  | "watching"
  | "probing"
  | "backingOff"
  | "stopped";

/** One failure of a watch or a list. */
export interface WatchFailureRecord {
  /** What sort of failure, as `missing` for a resource that the server does not have. */
  readonly kind: FailureKind;
  /** What went wrong, in one line. */
  readonly message: string;
  /** When. */
  readonly at: Date;
}

/**
 * How one watch is doing: a live view, to be read at any time. Readiness and metrics build on it.
 *
 * Dates are for people; judge ages by the `...Ms` fields, which are readings of the clock's
 * `monotonicMs()`.
 */
export interface WatchHealth {
  /** What the reflector is called in logs. */
  readonly name: string;
  /** What it is doing now. */
  readonly state: WatchState;
  /** Whether it has filled its sink at least once. */
  readonly synced: boolean;
  /** The version up to which the sink is complete; empty before the first sync. */
  readonly resourceVersion: string;
  /** Set while it is failing: from a failure on until a list or a watch works again. */
  readonly failing: WatchFailureRecord | undefined;
  /** The last failure, kept after recovery. */
  readonly lastError: WatchFailureRecord | undefined;
  /** When the last event about an object arrived. */
  readonly lastEventAt: Date | undefined;
  /** The same on the monotonic clock, in milliseconds. */
  readonly lastEventMs: number | undefined;
  /** When the last bookmark arrived. */
  readonly lastBookmarkAt: Date | undefined;
  /** The same on the monotonic clock, in milliseconds. */
  readonly lastBookmarkMs: number | undefined;
  /** When the sink was last filled from a list or an initial stream. */
  readonly lastSyncAt: Date | undefined;
  /** The same on the monotonic clock, in milliseconds. */
  readonly lastSyncMs: number | undefined;
  /** When the server last gave a sign of life: an answer, an event, a bookmark (monotonic, in milliseconds). */
  readonly lastHeardMs: number | undefined;
  /** LIST requests made for the whole collection; its pages count as one. */
  readonly lists: number;
  /** Watches asked for with their initial events (WatchList). */
  readonly watchLists: number;
  /** Plain watches asked for, from a version on. */
  readonly watches: number;
  /** Streams that ended or were cut, and were followed by another request. */
  readonly restarts: number;
  /** Failures of requests and streams. */
  readonly failures: number;
  /** Events and objects about a change. */
  readonly events: number;
  /** Bookmarks. */
  readonly bookmarks: number;
  /** Events and objects that could not be decoded, packed or handed over. */
  readonly undecodable: number;
  /** Events left out because the sink had the same or a newer version of that object. */
  readonly staleEvents: number;
  /** Times that the server's versions went back (a restored backup) and all was rebuilt from it. */
  readonly rebuilds: number;
}
