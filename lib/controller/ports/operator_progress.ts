import type { FailingKey, ScheduledKey, StuckRun } from "./key_states.ts";
import type { OperatorReport, ReportQuery } from "./operator_report.ts";

export type { FailingKey, ScheduledKey, StuckRun } from "./key_states.ts";

/**
 * Number of failures in a row after which a key, or the mapping of an object, counts as failed in
 * an {@linkcode OnceReport} and is no longer waited for.
 */
export const ONCE_MAX_FAILURES = 5;
/**
 * The longest delay of a {@linkcode retryAfter} error, which a failed reconcile run throws, that
 * {@linkcode OperatorHandle.settled} waits for, in milliseconds. A key whose error asks for a
 * longer delay counts as failed. The `requeueAfterMs` of a successful run is never waited for.
 */
export const ONCE_MAX_RETRY_MS = 5_000;
/**
 * Maximum delay of a retry by a controller's own rate limiter that {@linkcode
 * OperatorHandle.settled} waits for, in milliseconds. A key with a longer delay counts as failed.
 */
export const ONCE_MAX_LIMITED_MS = 60_000;

/**
 * The progress of an operator at the moment of the call of {@linkcode OperatorHandle.progress}:
 * counts of keys, summed over its controllers, and its failing keys.
 */
export interface OperatorProgress {
  /** The number of keys that the objects of the caches' initial lists were mapped to. */
  readonly initialKeys: number;
  /** The number of initial keys that have been reconciled at least once, failed runs included. */
  readonly ran: number;
  /** The number of the operator's keys that wait in a work queue for a worker. */
  readonly queued: number;
  /** The number of the operator's keys being reconciled, including those of stuck runs. */
  readonly processing: number;
  /**
   * The number of keys that wait for a time before they are reconciled: after a failure, for
   * `requeueAfterMs`, or for the cache to catch up.
   */
  readonly delayed: number;
  /**
   * The keys whose last reconcile run failed, the objects whose events could not be mapped, or that
   * could not be decoded or transformed, and the external sources whose last call failed.
   */
  readonly failing: readonly FailingKey[];
  /**
   * The reconcile runs that have not settled within the controller's `abortGraceMs` after the abort
   * of their signal.
   */
  readonly stuck: readonly StuckRun[];
}

/**
 * The result of {@linkcode OperatorHandle.settled} and {@linkcode OperatorHandle.idle}: the keys of
 * an operator that has no work left.
 */
export interface OnceReport {
  /**
   * The number of keys that the objects of the caches' initial lists were mapped to. Each has been
   * reconciled at least once, failed runs included.
   */
  readonly initialKeys: number;
  /**
   * The keys that failed {@linkcode ONCE_MAX_FAILURES} times in a row, terminally, by getting
   * stuck, or with a retry that is too far away to wait for, the objects whose events could not be
   * mapped, or that could not be decoded or transformed, and the external sources that failed three
   * times in a row.
   */
  readonly failed: readonly FailingKey[];
  /** The keys that do not fail and have a scheduled reconcile run; they count as done. */
  readonly scheduled: readonly ScheduledKey[];
}

/**
 * A running operator, as {@linkcode runOperator} returns it. Disposing the handle stops the
 * operator and waits, as {@linkcode OperatorHandle.stop} does.
 */
export interface OperatorHandle extends AsyncDisposable {
  /**
   * A promise that resolves when every cache of the operator has synced and every controller has
   * started; at once for an operator without controllers.
   *
   * The promise rejects when the operator ends before that: with the reason of the stop, or the
   * error of `done`.
   */
  readonly ready: Promise<void>;
  /**
   * A promise that resolves when the operator has stopped as requested: no run, watch or timer is
   * left, except runs that ignore their signal, which are logged.
   *
   * The promise rejects, after the same stop, when the operator could not start or failed, for
   * instance because a cache did not sync in time.
   */
  readonly done: Promise<void>;
  /**
   * Stops the operator, and settles when and how `done` does. No run starts after the call; runs in
   * progress have the grace period to end, then their signal is aborted. Further calls have no
   * effect.
   */
  stop(): Promise<void>;
  /** Returns the operator's current counts and failing keys, a copy that does not change. */
  progress(): OperatorProgress;
  /**
   * Returns the state of the controllers and caches for users, as `/debug` serves it; with a key,
   * also the report of each controller on the key. At most 20 objects per cache are parsed, to find
   * the fields that take memory.
   *
   * @throws {TypeError} When the key has an empty part or more than one slash.
   */
  report(query?: ReportQuery): OperatorReport;
  /**
   * Resolves when the operator has reconciled every key of the initial lists and no work is left:
   * no key is queued, running or awaiting a retry. A key that failed terminally or {@linkcode
   * ONCE_MAX_FAILURES} times in a row, whose run is stuck, or whose retry is too far away, counts
   * as failed, and a key with a scheduled run counts as done. Without initial keys it resolves as
   * soon as the controllers have started. An external source is awaited only while it is failing:
   * until a call has gone on for a second, or three calls in a row have failed.
   *
   * The operator continues to run. Rejects when the operator stops before.
   */
  settled(): Promise<OnceReport>;
  /**
   * Resolves when the operator has no work left: the caches show the state that the server had at
   * the call, the runs that this state causes have ended, and the caches show the writes of these
   * runs, and so on until nothing changes. Failing and scheduled keys count as in {@linkcode
   * OperatorHandle.settled}.
   *
   * For tests: each round lists every resource of the operator from the server, and checks the
   * caches every 10 ms. The promise never resolves for an operator that always finds work. Rejects
   * when the operator stops before, or the server cannot be reached.
   */
  idle(): Promise<OnceReport>;
}
