/**
 * Decides how long a key waits before it is retried.
 *
 * `whenMs` reports a failure to the limiter, and `forget` a success or the end of the retries.
 */
export interface RateLimiter<K> {
  /**
   * Returns keys whose wait became shorter than `whenMs` returned, each once; called after each
   * `forget`. @default none
   */
  takeReleased?(): readonly ReleasedKey<K>[];
  /** Counts a failure of the key and returns its delay in milliseconds, 0 or more. */
  whenMs(key: K): number;
  /** Forgets the key, so that its next failure counts as its first. */
  forget(key: K): void;
  /** Returns the number of failures of the key since it was last forgotten. */
  numRequeues(key: K): number;
}

/** A key whose wait became shorter. */
export interface ReleasedKey<K> {
  /** The key. */
  readonly key: K;
  /** The remaining wait, in milliseconds; 0 or more. */
  readonly inMs: number;
}

/**
 * Checks a number of milliseconds.
 *
 * @throws {RangeError} When it is not above 0.
 */
export function requireDelay(what: string, ms: number): number {
  if (ms > 0) return ms;
  throw new RangeError(`Cannot make a rate limiter: ${what} must be above 0 ms, is ${ms}`);
}
