import { FailureCounts } from "./failure_counts.ts";
import { type RateLimiter, requireDelay } from "./rate_limiter.ts";

/**
 * Options of the class {@linkcode FastSlowLimiter}, a rate limiter with a fast and a slow delay.
 */
export interface FastSlowLimiterOptions {
  /** The delay of a retry after each of the first failures of a key, in milliseconds. */
  readonly fastMs: number;
  /** The delay of a retry after each later failure of a key, in milliseconds. */
  readonly slowMs: number;
  /** The number of failures of a key after which retries have the slow delay. */
  readonly maxFastAttempts: number;
}

/**
 * A rate limiter that retries a key with a short delay for a number of failures, then with a long
 * delay.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { FastSlowLimiter } from "@xca/apimachinery/workqueue";
 *
 * const limiter = new FastSlowLimiter<string>({ fastMs: 5, slowMs: 10_000, maxFastAttempts: 2 });
 * const delays = [1, 2, 3].map(() => limiter.whenMs("default/web"));
 * assert(delays.join() === "5,5,10000");
 * ```
 */
export class FastSlowLimiter<K> implements RateLimiter<K> {
  readonly #options: FastSlowLimiterOptions;
  readonly #failures = new FailureCounts<K>();

  /**
   * Creates a fast-slow rate limiter that has counted no failure.
   *
   * @throws {RangeError} When a delay is not above 0, or the number of attempts is below 0.
   */
  constructor(options: FastSlowLimiterOptions) {
    requireDelay("fastMs", options.fastMs);
    requireDelay("slowMs", options.slowMs);
    if (!(options.maxFastAttempts >= 0)) {
      throw new RangeError(
        `Cannot make a rate limiter: maxFastAttempts must be 0 or more, is ${options.maxFastAttempts}`,
      );
    }
    this.#options = { ...options };
  }

  whenMs(key: K): number {
    const { fastMs, slowMs, maxFastAttempts } = this.#options;
    return this.#failures.count(key) < maxFastAttempts ? fastMs : slowMs;
  }

  forget(key: K): void {
    this.#failures.forget(key);
  }

  numRequeues(key: K): number {
    return this.#failures.get(key);
  }
}
