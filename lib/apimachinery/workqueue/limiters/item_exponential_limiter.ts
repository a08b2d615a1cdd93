import { FailureCounts } from "./failure_counts.ts";
import { type RateLimiter, requireDelay } from "./rate_limiter.ts";

/**
 * Options of the class {@linkcode ItemExponentialLimiter}, a rate limiter with an exponential
 * back-off per key.
 */
export interface ItemExponentialLimiterOptions {
  /** The delay of the retry after the first failure of a key, in milliseconds. @default {5} */
  readonly baseMs?: number;
  /** The maximum delay of a retry, in milliseconds. @default {1_000_000} */
  readonly maxMs?: number;
}

/**
 * A rate limiter that doubles the delay of a key with each of its failures, up to a maximum. Keys
 * do not affect each other.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ItemExponentialLimiter } from "@xca/apimachinery/workqueue";
 *
 * const limiter = new ItemExponentialLimiter<string>({ baseMs: 5, maxMs: 1_000_000 });
 * assert(limiter.whenMs("default/web") === 5);
 * assert(limiter.whenMs("default/web") === 10);
 * limiter.forget("default/web");
 * assert(limiter.whenMs("default/web") === 5);
 * ```
 */
export class ItemExponentialLimiter<K> implements RateLimiter<K> {
  readonly #baseMs: number;
  readonly #maxMs: number;
  readonly #failures = new FailureCounts<K>();

  /**
   * Creates an exponential rate limiter that has counted no failure.
   *
   * @throws {RangeError} When a delay is not above 0.
   */
  constructor(options: ItemExponentialLimiterOptions = {}) {
    this.#baseMs = requireDelay("baseMs", options.baseMs ?? 5);
    this.#maxMs = requireDelay("maxMs", options.maxMs ?? 1_000_000);
  }

  whenMs(key: K): number {
    // Beyond 2^1023 the power is Infinity, for which the maximum applies.
    return Math.min(this.#baseMs * 2 ** this.#failures.count(key), this.#maxMs);
  }

  forget(key: K): void {
    this.#failures.forget(key);
  }

  numRequeues(key: K): number {
    return this.#failures.get(key);
  }
}
