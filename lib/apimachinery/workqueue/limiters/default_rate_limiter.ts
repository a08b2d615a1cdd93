import { type Clock, systemClock } from "../../base/time/clock.ts";
import { BucketLimiter } from "./bucket_limiter.ts";
import { ItemExponentialLimiter } from "./item_exponential_limiter.ts";
import { MaxOfLimiter } from "./max_of_limiter.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/**
 * Options of {@linkcode defaultRateLimiter}, which creates the rate limiter of client-go's
 * controllers.
 */
export interface DefaultRateLimiterOptions {
  /** The clock of the rate limiter's token bucket. @default {systemClock} */
  readonly clock?: Clock | undefined;
}

/**
 * Returns client-go's default rate limiter. The delay of a retry is the longer of two: the back-off
 * of the key, 5 ms doubled per failure up to 1000 s, and the wait for a token bucket over all keys,
 * with 10 retries per second after a burst of 100.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { defaultRateLimiter } from "@xca/apimachinery/workqueue";
 *
 * const limiter = defaultRateLimiter<string>();
 * assert.deepEqual([1, 2, 3].map(() => limiter.whenMs("default/web")), [5, 10, 20]);
 * limiter.forget("default/web");
 * assert.equal(limiter.whenMs("default/web"), 5);
 * ```
 */
export function defaultRateLimiter<K>(options: DefaultRateLimiterOptions = {}): RateLimiter<K> {
  const { clock = systemClock } = options;
  return new MaxOfLimiter<K>(
    new ItemExponentialLimiter({ baseMs: 5, maxMs: 1_000_000 }),
    new BucketLimiter({ perSecond: 10, burst: 100, clock }),
  );
}
