import type { RateLimiter } from "./rate_limiter.ts";

/**
 * Asks several limiters and takes the longest delay and the largest count. Each of them is told of
 * every failure, so a token bucket among them spends a token also when another limiter decides.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { BucketLimiter, ItemExponentialLimiter, MaxOfLimiter } from "@xca/operator/workqueue";
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

  /** Makes one of the given limiters; of none, it never delays. */
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
