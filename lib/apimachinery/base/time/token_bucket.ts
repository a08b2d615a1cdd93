import { type Clock, systemClock } from "./clock.ts";

/** Options of {@linkcode TokenBucket}, which limits a rate. */
export interface TokenBucketOptions {
  /** The number of tokens added to the bucket per second. */
  readonly perSecond: number;
  /** The number of tokens in the bucket at the start, which is also the maximum number. */
  readonly burst: number;
  /** The clock by which the bucket is filled. @default {systemClock} */
  readonly clock?: Clock;
}

/**
 * Token bucket that lends: each {@linkcode TokenBucket.reserveMs} takes one token and returns the
 * time until that token exists. Callers are thus spaced evenly, in order.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { type Clock, systemClock, TokenBucket } from "@xca/apimachinery/base";
 *
 * let nowMs = 0;
 * const clock: Clock = { ...systemClock, monotonicMs: () => nowMs };
 * const bucket = new TokenBucket({ perSecond: 10, burst: 2, clock });
 * assert.deepEqual([bucket.reserveMs(), bucket.reserveMs()], [0, 0]);
 * assert.equal(bucket.reserveMs(), 100); // the third is lent
 * nowMs += 200;
 * assert(bucket.tryTake());
 * ```
 */
export class TokenBucket {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** The tokens in the bucket at `#atMs`; negative when future tokens are lent. */
  #tokens: number;
  #atMs: number;

  /**
   * Creates a full token bucket.
   *
   * @throws {RangeError} When the rate is not above 0, or the burst is below 1.
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

  /**
   * Takes one token of the bucket and returns the wait for it in milliseconds; 0 when one was
   * available.
   */
  reserveMs(): number {
    this.#refill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMs;
  }

  /** Puts a token that was taken and not used back into the bucket. */
  giveBack(): void {
    this.#refill();
    this.#tokens = Math.min(this.#burst, this.#tokens + 1);
  }

  /**
   * Returns the wait of the next {@linkcode TokenBucket.reserveMs} in milliseconds, without taking
   * a token.
   */
  peekMs(): number {
    this.#refill();
    return this.#tokens >= 1 ? 0 : (1 - this.#tokens) / this.#perMs;
  }

  /**
   * Takes one token of the bucket if one is available; never lends. Reports whether a token was
   * taken.
   */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #refill(): void {
    const now = this.#clock.monotonicMs();
    // An infinite rate times no time is not a number.
    const elapsed = now - this.#atMs;
    if (elapsed === 0) return;
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsed * this.#perMs);
    this.#atMs = now;
  }
}
