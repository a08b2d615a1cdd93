import type { ObjectKey } from "@xca/apimachinery/meta";

/** How many failures in a row make a key count as failed for {@linkcode OnceReport}: 5. */
export const ONCE_MAX_FAILURES = 5;
/**
 * The longest delay of {@linkcode retryAfter} that {@linkcode OperatorHandle.settled} waits for, in
 * milliseconds; a key that asks for a longer one counts as failed.
 */
export const ONCE_MAX_RETRY_MS = 5_000;

/** A key whose last run failed, or an object whose event could not be mapped to keys. */
export interface FailingKey {
  /** The controller. */
  readonly controller: string;
  /** The key. */
  readonly key: ObjectKey;
  /** The resource (its `id`) that `key` is of, where a mapping function failed; absent for a failed run. */
  readonly mapping?: string;
  /** The error of the last run or mapping, as one line. */
  readonly error: string;
  /** The number of failures in a row. */
  readonly attempts: number;
  /** Until the next try, in milliseconds; `undefined` when none is planned (a terminal error, a stuck run). */
  readonly nextTryInMs: number | undefined;
}

/** A run that did not settle although its signal was aborted. */
export interface StuckRun {
  /** The controller. */
  readonly controller: string;
  /** The key; not run again until this run settles. */
  readonly key: ObjectKey;
  /** The run. */
  readonly reconcileID: string;
  /** How long the run has lasted, in milliseconds. */
  readonly forMs: number;
}

/** A key that asked for another run. */
export interface ScheduledKey {
  /** The controller. */
  readonly controller: string;
  /** The key. */
  readonly key: ObjectKey;
  /** Until that run, in milliseconds. */
  readonly inMs: number;
}

/** Where an operator stands. Counts are sums over its controllers. */
export interface OperatorProgress {
  /** Keys that the caches' initial lists led to. */
  readonly initialKeys: number;
  /** How many of them had a run. */
  readonly ran: number;
  /** Keys that wait for a worker. */
  readonly queued: number;
  /** Keys being reconciled, stuck ones included. */
  readonly processing: number;
  /** Keys that wait for a time: after a failure, for `requeueAfterMs`, or for the cache to catch up. */
  readonly delayed: number;
  /** Keys whose last run failed, and objects whose events could not be mapped to keys. */
  readonly failing: readonly FailingKey[];
  /** Runs that do not settle. */
  readonly stuck: readonly StuckRun[];
}

/** How an operator's first pass over what is there went; see {@linkcode OperatorHandle.settled}. */
export interface OnceReport {
  /** Keys that the caches' initial lists led to; each had a run. */
  readonly initialKeys: number;
  /**
   * Keys that failed: {@linkcode ONCE_MAX_FAILURES} times in a row, terminally, or by getting stuck; and
   * objects whose events could not be mapped to keys.
   */
  readonly failed: readonly FailingKey[];
  /** Keys that asked for a later run; they count as done. */
  readonly scheduled: readonly ScheduledKey[];
}

/** A running operator. Disposing it stops it and waits, as {@linkcode OperatorHandle.stop}. */
export interface OperatorHandle extends AsyncDisposable {
  /**
   * Resolves when every cache has synced and every controller works.
   *
   * Rejects with what `done` rejects with, when the operator ends before.
   */
  readonly ready: Promise<void>;
  /**
   * Resolves when the operator has stopped because it was asked to: no run, no watch and no timer is
   * left, but for runs that ignore their signal; those are logged.
   *
   * Rejects, after the same stop, when it could not start: a cache did not sync in time, say.
   */
  readonly done: Promise<void>;
  /**
   * Asks the operator to stop, and resolves or rejects as `done`: no run starts from now on, running
   * ones get the grace period to end, then their signal is aborted. A second call changes nothing.
   */
  stop(): Promise<void>;
  /** Where it stands now. */
  progress(): OperatorProgress;
  /**
   * Resolves when every key of the initial lists had a run and nothing is left to do: nothing
   * queued, running or waiting for a retry. A failing key is retried until it failed
   * {@linkcode ONCE_MAX_FAILURES} times in a row, then counts as failed; a key that asked for a later
   * run counts as done. With no initial key this is so as soon as the caches have synced.
   *
   * The operator runs on; stop it when this was all. Rejects when it stops before.
   */
  settled(): Promise<OnceReport>;
  /**
   * Resolves when nothing is left to do, at any time: the caches show all that the server had at the call,
   * what that leads to has run, and the caches show what those runs wrote, and so on until nothing runs any
   * more. Failing keys and later runs count as for {@linkcode OperatorHandle.settled}.
   *
   * For tests: it lists every resource of the operator from the server, once a round, and looks at the
   * caches every 10 ms. An operator that always finds something to do never gets there. Rejects when the
   * operator stops before, and when the server cannot be asked.
   */
  idle(): Promise<OnceReport>;
}
