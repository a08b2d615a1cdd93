import { type RateLimiter, type ReleasedKey, requireDelay } from "./rate_limiter.ts";

/**
 * A rate limiter that caps the delays of another rate limiter.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ItemExponentialLimiter, MaxWaitLimiter } from "@xca/apimachinery/workqueue";
 *
 * const limiter = new MaxWaitLimiter<string>(new ItemExponentialLimiter({ baseMs: 90_000 }), 60_000);
 * assert(limiter.whenMs("default/web") === 60_000);
 * ```
 */
export class MaxWaitLimiter<K> implements RateLimiter<K> {
  readonly #limiter: RateLimiter<K>;
  readonly #maxMs: number;

  /**
   * Creates a rate limiter that shortens the delays of another rate limiter to at most `maxMs`
   * milliseconds.
   *
   * @throws {RangeError} When the maximum is not above 0.
   */
  constructor(limiter: RateLimiter<K>, maxMs: number) {
    this.#limiter = limiter;
    this.#maxMs = requireDelay("maxMs", maxMs);
  }

  whenMs(key: K): number {
    return Math.min(this.#limiter.whenMs(key), this.#maxMs);
  }

  forget(key: K): void {
    this.#limiter.forget(key);
  }

  /** Returns the keys that the other rate limiter has released, with delays of at most `maxMs`. */
  takeReleased(): readonly ReleasedKey<K>[] {
    const released = this.#limiter.takeReleased?.() ?? [];
    return released.map(({ key, inMs }) => ({ key, inMs: Math.min(inMs, this.#maxMs) }));
  }

  numRequeues(key: K): number {
    return this.#limiter.numRequeues(key);
  }
}
