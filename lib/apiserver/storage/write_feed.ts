import type { LogEvent } from "./collection.ts";

/**
 * A listener that is notified of each write to the storage in the order of revisions. The listener
 * must not throw.
 */
export type LogListener = (event: LogEvent) => void;

/**
 * A feed of the writes to the storage that watchers may be notified of, in the order of revisions.
 */
export interface WriteFeed {
  /** The revision up to which the feed's listeners have been notified. */
  readonly revision: number;
  /**
   * Subscribes a listener to each later write of the feed. Disposing the result ends the
   * subscription.
   */
  subscribe(listener: LogListener): Disposable;
  /**
   * Calls `run` once the feed's listeners have been notified of everything that was written so far;
   * before returning if that is so already.
   */
  afterWrites(run: () => void): void;
}
