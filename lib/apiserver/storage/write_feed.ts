import type { LogEvent } from "./collection.ts";

/** Receives the writes in the order of revisions. Must not throw. */
export type LogListener = (event: LogEvent) => void;

/** The writes that watchers may be notified of, in the order of revisions. */
export interface WriteFeed {
  /** The revision up to which listeners have been notified. */
  readonly revision: number;
  /** Notifies a listener of each write from now on. */
  subscribe(listener: LogListener): Disposable;
  /** Calls `run` once listeners have been notified of everything that was written so far. */
  afterWrites(run: () => void): void;
}
