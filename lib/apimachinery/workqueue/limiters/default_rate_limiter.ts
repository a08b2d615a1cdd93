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
 * Returns client-go's default rate limiter: the longer of 5 ms to 1000 s per key, doubled per
 * failure, and 10 retries per second over all keys after a burst of 100.
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
