/**
 * The interface of a rate limiter, which decides how long a failed key of a work queue waits before
 * it is retried.
 *
 * `whenMs` reports a failure to the limiter, and `forget` a success or the end of the retries.
 */
export interface RateLimiter<K> {
  /**
   * Returns the keys whose retry delay became shorter than `whenMs` returned, since the last call
   * of this method. The queue calls this method after each `forget`.
   *
   * @default none: the limiter never shortens a delay
   */
  takeReleased?(): readonly ReleasedKey<K>[];
  /** Counts a failure of a key and returns the delay of its retry in milliseconds, 0 or more. */
  whenMs(key: K): number;
  /** Forgets the failures of a key, so that its next failure counts as its first. */
  forget(key: K): void;
  /** Returns the number of failures of the key since it was last forgotten. */
  numRequeues(key: K): number;
}

/** A failed key whose retry delay a rate limiter has shortened. */
export interface ReleasedKey<K> {
  /** The key whose retry delay became shorter. */
  readonly key: K;
  /** The remaining retry delay of the key, in milliseconds; 0 or more. */
  readonly inMs: number;
}

/**
 * Checks that a rate limiter's delay in milliseconds is above 0, and returns it.
 *
 * @throws {RangeError} When the delay is not above 0.
 */
export function requireDelay(what: string, ms: number): number {
  if (ms > 0) return ms;
  throw new RangeError(`Cannot make a rate limiter: ${what} must be above 0 ms, is ${ms}`);
}
