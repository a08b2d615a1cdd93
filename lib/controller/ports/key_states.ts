import type { ObjectKey } from "@xca/apimachinery/meta";

/**
 * The record of a failure: of a key whose last run failed or whose run is stuck, of an object whose
 * event could not be mapped to keys, of an object that could not be decoded or transformed, or of
 * an external source.
 */
export interface FailingKey {
  /** The name of the controller that the failing key belongs to. */
  readonly controller: string;
  /**
   * The key of the failing object, `(unknown)` if it could not be decoded; of an external source
   * the text `external source NAME`.
   */
  readonly key: ObjectKey;
  /** The name of the failing external source; absent for objects. */
  readonly externalSource?: string;
  /**
   * The id of the failing object's resource, when a mapping function failed for the object, or an
   * object of another resource than the controller's own could not be decoded or transformed;
   * absent otherwise.
   */
  readonly mapping?: string;
  /** The error of the key's last run or mapping, or of the external source, as one line. */
  readonly error: string;
  /**
   * The number of failures in a row of the key, mapping or external source; 1 for an object that
   * could not be decoded or transformed.
   */
  readonly attempts: number;
  /**
   * The time from the report to the failing key's next attempt, in milliseconds, 0 for an external
   * source that is being called; `undefined` when no attempt is scheduled (a key that is queued or
   * runs, a terminal error, a stuck run, an invalid result of a mapping function, an object that
   * could not be decoded or transformed).
   */
  readonly nextTryInMs: number | undefined;
}

/**
 * A reconcile run that has not settled within the controller's `abortGraceMs` after its signal was
 * aborted.
 */
export interface StuckRun {
  /** The name of the controller of the stuck run. */
  readonly controller: string;
  /** The key of the stuck run; it is not run again until this run settles. */
  readonly key: ObjectKey;
  /** The id of the stuck run in logs. */
  readonly reconcileID: string;
  /** The time since the start of the stuck run, in milliseconds. */
  readonly forMs: number;
}

/**
 * A key that does not fail and whose next reconcile run is scheduled, for instance by
 * `requeueAfterMs`.
 */
export interface ScheduledKey {
  /** The name of the controller of the scheduled run. */
  readonly controller: string;
  /** The key of the scheduled run. */
  readonly key: ObjectKey;
  /** The time from the report to the scheduled run, in milliseconds. */
  readonly inMs: number;
}
