/**
 * Decides how long a key waits before it is tried again.
 *
 * Implementations are told of failures by `whenMs`, and of the end of a key's troubles (success, or
 * giving up) by `forget`.
 */
export interface RateLimiter<K> {
  /**
   * Returns keys that need not wait any more for as long as `whenMs` said, each once; asked after each
   * `forget`. @default none
   */
  takeReleased?(): readonly ReleasedKey<K>[];
  /** Counts a failure of the key and returns how long it must wait, in milliseconds, 0 or more. */
  whenMs(key: K): number;
  /** Stops tracking the key: its next failure is its first. */
  forget(key: K): void;
  /** How many failures of the key were counted since it was last forgotten. */
  numRequeues(key: K): number;
}

/** A key whose wait became shorter. */
export interface ReleasedKey<K> {
  /** The key. */
  readonly key: K;
  /** The remaining wait, in milliseconds; 0 or more. */
  readonly inMs: number;
}

/** Checks a number of milliseconds at the door of a limiter. */
export function requireDelay(what: string, ms: number): number {
  if (ms > 0) return ms;
  throw new RangeError(`Cannot make a rate limiter: ${what} must be above 0 ms, is ${ms}`);
}
