import type { ObjectKey } from "@xca/apimachinery/meta";
import {
  ONCE_MAX_FAILURES,
  ONCE_MAX_LIMITED_MS,
  ONCE_MAX_RETRY_MS,
} from "../ports/operator_progress.ts";
import { reasonOf } from "../log/run_log.ts";

/** The record of a key whose last reconcile run failed or is stuck. */
export interface Failure {
  /** The error message of the failed run, as one line. */
  readonly error: string;
  /** The number of the key's failed runs in a row. */
  readonly attempts: number;
  /**
   * A flag that is true if no retry of the failed key is scheduled, since its error is terminal or
   * its run is stuck.
   */
  readonly terminal: boolean;
  /**
   * The delay of the retry that the run's error requested, in milliseconds; `undefined` if it
   * requested none.
   */
  readonly retryInMs?: number | undefined;
  /**
   * The delay of the retry, in milliseconds, if the controller has a rate limiter of its own, also
   * when the run's error requested the delay; `undefined` under the default rate limiter.
   */
  readonly limitedMs?: number | undefined;
  /** The time at which the run failed or became stuck, on the monotonic clock, in milliseconds. */
  readonly atMs: number;
}

/**
 * A record of the initial keys of a controller that have not been reconciled yet, and of the last
 * failure of each failing key. A key that succeeded takes no memory.
 */
export class KeyBook {
  readonly #awaited = new Set<ObjectKey>();
  readonly #failing = new Map<ObjectKey, Failure>();
  #initialKeys = 0;

  /** The number of keys that the objects of the informers' initial lists were mapped to. */
  get initialKeys(): number {
    return this.#initialKeys;
  }

  /** The number of initial keys that have not been reconciled yet. */
  get awaited(): number {
    return this.#awaited.size;
  }

  /** The failures of the keys whose last reconcile run failed or is stuck, by key: a live map. */
  get failing(): ReadonlyMap<ObjectKey, Failure> {
    return this.#failing;
  }

  /**
   * Records a key that an object of an informer's initial list was mapped to; a key that is awaited
   * already is not counted again.
   */
  initial(key: ObjectKey): void {
    if (this.#awaited.has(key)) return;
    this.#awaited.add(key);
    this.#initialKeys++;
  }

  /**
   * Returns the number of the key's next reconcile attempt: one more than its number of failures in
   * a row.
   */
  attempt(key: ObjectKey): number {
    return (this.#failing.get(key)?.attempts ?? 0) + 1;
  }

  /**
   * Records a reconcile run of a key that did not fail: the key is no longer awaited, and its
   * failure is forgotten.
   */
  succeeded(key: ObjectKey): void {
    this.#awaited.delete(key);
    this.#failing.delete(key);
  }

  /**
   * Records a reconcile run of a key that failed or is stuck, in place of the key's earlier
   * failure, and returns the record. The key is no longer awaited.
   */
  failed(key: ObjectKey, error: unknown, how: Omit<Failure, "error" | "attempts">): Failure {
    this.#awaited.delete(key);
    const attempts = (this.#failing.get(key)?.attempts ?? 0) + 1;
    const failure = { error: reasonOf(error), attempts, ...how };
    this.#failing.set(key, failure);
    return failure;
  }

  /**
   * Reports whether a scheduled run of the key need not be awaited: the key does not fail, has
   * failed terminally or {@linkcode ONCE_MAX_FAILURES} times in a row, or its retry is too far
   * away.
   */
  isWorkedOff(key: ObjectKey): boolean {
    const failure = this.#failing.get(key);
    return !failure || failure.terminal || failure.attempts >= ONCE_MAX_FAILURES ||
      (failure.retryInMs ?? 0) > ONCE_MAX_RETRY_MS ||
      (failure.limitedMs ?? 0) > ONCE_MAX_LIMITED_MS;
  }
}

/**
 * Minimum time between a failure and a run of the same key that an event causes, in milliseconds.
 * The event may result from the failed run's own write, or from the reaction of another controller
 * to it.
 */
const EVENT_AFTER_FAILURE_MS = 1_000;

/**
 * Returns how long a failing key that an event has queued must still wait, in milliseconds, 0 or
 * less for at once: until its retry, at most {@linkcode EVENT_AFTER_FAILURE_MS} after the failure.
 * `retryAtMs` is the time of the scheduled retry, if there is one. Returns `undefined` for a key
 * that does not fail, and for the retry itself.
 */
export function retryPauseMs(
  failure: Failure | undefined,
  retryAtMs: number | undefined,
  nowMs: number,
): number | undefined {
  if (!failure || (retryAtMs === undefined && !failure.terminal)) return undefined;
  return Math.min(retryAtMs ?? Infinity, failure.atMs + EVENT_AFTER_FAILURE_MS) - nowMs;
}
