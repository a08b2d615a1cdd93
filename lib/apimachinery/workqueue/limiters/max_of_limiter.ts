import type { RateLimiter } from "./rate_limiter.ts";

/**
 * A rate limiter that combines several others: their longest delay and their largest number of
 * failures apply. The limiter reports every failure to each of them, so a token bucket among them
 * spends a token even when another limiter's delay applies. It does not report the keys that a
 * limiter among them releases ({@linkcode RateLimiter.takeReleased}).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { BucketLimiter, ItemExponentialLimiter, MaxOfLimiter } from "@xca/apimachinery/workqueue";
 *
 * const limiter = new MaxOfLimiter<string>(
 *   new ItemExponentialLimiter({ baseMs: 100 }),
 *   new BucketLimiter({ perSecond: 10, burst: 100 }),
 * );
 * assert(limiter.whenMs("default/web") === 100);
 * ```
 */
export class MaxOfLimiter<K> implements RateLimiter<K> {
  readonly #limiters: readonly RateLimiter<K>[];

  /**
   * Creates a rate limiter whose delay is the longest of those of the given ones; 0 without any.
   */
  constructor(...limiters: RateLimiter<K>[]) {
    this.#limiters = limiters;
  }

  whenMs(key: K): number {
    return Math.max(0, ...this.#limiters.map((limiter) => limiter.whenMs(key)));
  }

  forget(key: K): void {
    for (const limiter of this.#limiters) limiter.forget(key);
  }

  numRequeues(key: K): number {
    return Math.max(0, ...this.#limiters.map((limiter) => limiter.numRequeues(key)));
  }
}
