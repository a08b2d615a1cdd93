import { type Clock, systemClock } from "./clock.ts";

/** Options for {@linkcode TokenBucket}. */
export interface TokenBucketOptions {
  /** Tokens that come back per second. */
  readonly perSecond: number;
  /** Tokens at the start, and the most that gather. */
  readonly burst: number;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock;
}

/**
 * A token bucket that lends: each {@linkcode TokenBucket.reserveMs} takes one token, and answers how
 * long the taker must wait until that token exists. Waiters are thus spaced evenly, in order.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { TokenBucket } from "@xca/apimachinery/base";
 * import { FakeClock } from "@xca/operator/testing";
 *
 * const clock = new FakeClock();
 * const bucket = new TokenBucket({ perSecond: 10, burst: 2, clock });
 * assert.deepEqual([bucket.reserveMs(), bucket.reserveMs()], [0, 0]);
 * assert.equal(bucket.reserveMs(), 100); // the third is lent
 * clock.step(200);
 * assert(bucket.tryTake());
 * ```
 */
export class TokenBucket {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** Tokens at `#atMs`; negative when tokens of the future are lent. */
  #tokens: number;
  #atMs: number;

  /**
   * Makes a full bucket.
   *
   * @throws {RangeError} When the rate or the burst is not a positive number.
   */
  constructor(options: TokenBucketOptions) {
    const { perSecond, burst, clock = systemClock } = options;
    if (!(perSecond > 0)) {
      throw new RangeError(
        `Cannot make a token bucket: perSecond must be above 0, is ${perSecond}`,
      );
    }
    if (!(burst >= 1)) {
      throw new RangeError(`Cannot make a token bucket: burst must be at least 1, is ${burst}`);
    }
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#atMs = clock.monotonicMs();
  }

  /** Takes one token and returns the milliseconds to wait for it: 0 when one was there. */
  reserveMs(): number {
    this.#refill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMs;
  }

  /** Gives back a token whose taker gave up before it used it. */
  giveBack(): void {
    this.#refill();
    this.#tokens = Math.min(this.#burst, this.#tokens + 1);
  }

  /** How long the next {@linkcode TokenBucket.reserveMs} would have to wait, without taking. */
  peekMs(): number {
    this.#refill();
    return this.#tokens >= 1 ? 0 : (1 - this.#tokens) / this.#perMs;
  }

  /** Takes one token if one is there; never lends. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #refill(): void {
    const now = this.#clock.monotonicMs();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#atMs) * this.#perMs);
    this.#atMs = now;
  }
}
