import type { RateLimiter, ReleasedKey } from "./rate_limiter.ts";

/**
 * A rate limiter that combines several others: their longest delay and their largest number of
 * failures apply. The limiter reports every failure to each of them, so a token bucket among them
 * spends a token even when another limiter's delay applies. A limiter among them that releases a
 * key shortens the key's delay to the longest one of the others, counted from the release.
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
  /** The delays of each failed key by its last failure or later releases, one per limiter. */
  readonly #delaysMs = new Map<K, number[]>();

  /**
   * Creates a rate limiter whose delay is the longest of those of the given ones; 0 without any.
   */
  constructor(...limiters: RateLimiter<K>[]) {
    this.#limiters = limiters;
  }

  whenMs(key: K): number {
    const delaysMs = this.#limiters.map((limiter) => limiter.whenMs(key));
    this.#delaysMs.set(key, delaysMs);
    return Math.max(0, ...delaysMs);
  }

  forget(key: K): void {
    this.#delaysMs.delete(key);
    for (const limiter of this.#limiters) limiter.forget(key);
  }

  /**
   * Returns the keys that the limiters have released, with the delays that the other limiters
   * demand for the keys where these are longer.
   */
  takeReleased(): readonly ReleasedKey<K>[] {
    return this.#limiters.flatMap((limiter, index) =>
      (limiter.takeReleased?.() ?? []).map(({ key, inMs }) => {
        const delaysMs = this.#delaysMs.get(key) ?? this.#limiters.map(() => 0);
        delaysMs[index] = inMs;
        return { key, inMs: Math.max(...delaysMs) };
      })
    );
  }

  numRequeues(key: K): number {
    return Math.max(0, ...this.#limiters.map((limiter) => limiter.numRequeues(key)));
  }
}
