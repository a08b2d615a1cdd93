import { TokenBucket, type TokenBucketOptions } from "../../base/time/token_bucket.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/**
 * A rate limiter that limits the retries of all keys together to one rate, by a token bucket that
 * lends: each retry takes a token and waits until the token exists. The limiter does not count
 * failures.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { BucketLimiter } from "@xca/apimachinery/workqueue";
 *
 * const limiter = new BucketLimiter<string>({ perSecond: 10, burst: 1 });
 * assert(limiter.whenMs("default/web") === 0);
 * assert(limiter.whenMs("default/db") > 0);
 * ```
 */
export class BucketLimiter<K> implements RateLimiter<K> {
  readonly #bucket: TokenBucket;

  /**
   * Creates a rate limiter with a full token bucket.
   *
   * @throws {RangeError} When the rate is not above 0, or the burst is below 1.
   */
  constructor(options: TokenBucketOptions) {
    this.#bucket = new TokenBucket(options);
  }

  whenMs(_key: K): number {
    return this.#bucket.reserveMs();
  }

  forget(_key: K): void {}

  numRequeues(_key: K): number {
    return 0;
  }
}
