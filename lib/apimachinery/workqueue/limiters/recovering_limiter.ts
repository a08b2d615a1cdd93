import { type Clock, systemClock } from "../../base/time/clock.ts";
import { TokenBucket } from "../../base/time/token_bucket.ts";
import { ItemExponentialLimiter } from "./item_exponential_limiter.ts";
import type { RateLimiter, ReleasedKey } from "./rate_limiter.ts";

/**
 * Options of the {@linkcode RecoveringLimiter} constructor; the default delays, rate and burst are
 * client-go's.
 */
export interface RecoveringLimiterOptions {
  /**
   * The delay of the retry after the first failure of a key, in milliseconds; doubled per failure.
   *
   * @default {5}
   */
  readonly baseMs?: number;
  /**
   * The maximum delay of a key's retry by its own failures, in milliseconds.
   *
   * @default {1_000_000}
   */
  readonly maxMs?: number;
  /** The number of retries per second that the rate limiter allows over all keys. @default {10} */
  readonly perSecond?: number;
  /**
   * The number of retries over all keys that may come at once before `perSecond` applies.
   *
   * @default {100}
   */
  readonly burst?: number;
  /**
   * The number of keys that each success of a formerly failing key releases, of those that wait for
   * the token bucket.
   *
   * @default {2}
   */
  readonly releasedPerSuccess?: number;
  /** The clock of the rate limiter's back-offs and token bucket. @default {systemClock} */
  readonly clock?: Clock;
}

/**
 * The times at which a failed key may be retried, for a key that waits longer for the token bucket
 * than for its own back-off.
 */
interface Held {
  /** The end of the failed key's own back-off, in milliseconds on the monotonic clock. */
  readonly ownMs: number;
  /**
   * The time at which the token bucket admits the failed key, in milliseconds on the monotonic
   * clock.
   */
  readonly bucketMs: number;
}

/**
 * A rate limiter that works like {@linkcode defaultRateLimiter} until a failing key succeeds: the
 * longer of the key's own exponential back-off and a token bucket over all keys.
 *
 * The bucket protects a failing server, but after the server has recovered it only delays: twenty
 * thousand keys that failed together take half an hour at ten a second. Each success of a formerly
 * failing key therefore releases two others as soon as their own back-off is over. While most
 * released keys succeed, the number of released keys doubles, as in TCP's slow start; while all
 * fail, the bucket's rate applies.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RateLimitingQueue, RecoveringLimiter } from "@xca/apimachinery/workqueue";
 *
 * const rateLimiter = new RecoveringLimiter<string>({ baseMs: 1, burst: 1 });
 * const queue = new RateLimitingQueue<string>({ rateLimiter });
 * for (const key of ["a", "b", "c"]) queue.addRateLimited(key); // b would wait 100 ms, c 200
 * queue.forget("a"); // a has succeeded
 * const waiting = queue.waitingKeys().map((key) => queue.readyAtMs(key)! - performance.now());
 * assert(waiting.every((ms) => ms < 50));
 * queue.shutDown();
 * ```
 */
export class RecoveringLimiter<K> implements RateLimiter<K> {
  readonly #own: ItemExponentialLimiter<K>;
  readonly #bucket: TokenBucket;
  readonly #perSuccess: number;
  readonly #clock: Clock;
  /**
   * A map of the failed keys that wait longer for the token bucket than for their own back-off, in
   * the order of their last failures, in which the bucket admits most of them.
   */
  readonly #held = new Map<K, Held>();
  #released: ReleasedKey<K>[] = [];

  /**
   * Creates a recovering rate limiter with a full token bucket.
   *
   * @throws {RangeError} When a delay, the rate or the number of released keys is not above 0, or
   * the burst is below 1.
   */
  constructor(options: RecoveringLimiterOptions = {}) {
    const { perSecond = 10, burst = 100, releasedPerSuccess = 2, clock = systemClock } = options;
    if (!(releasedPerSuccess > 0)) {
      throw new RangeError(
        `Cannot make a rate limiter: releasedPerSuccess must be above 0, is ${releasedPerSuccess}`,
      );
    }
    this.#own = new ItemExponentialLimiter(options);
    this.#bucket = new TokenBucket({ perSecond, burst, clock });
    this.#perSuccess = releasedPerSuccess;
    this.#clock = clock;
  }

  whenMs(key: K): number {
    const now = this.#clock.monotonicMs();
    const ownMs = this.#own.whenMs(key);
    const bucketMs = this.#bucket.reserveMs();
    this.#held.delete(key);
    if (bucketMs <= ownMs) return ownMs;
    this.#held.set(key, { ownMs: now + ownMs, bucketMs: now + bucketMs });
    return bucketMs;
  }

  forget(key: K): void {
    const hadFailed = this.#own.numRequeues(key) > 0;
    this.#own.forget(key);
    this.#held.delete(key);
    if (hadFailed) this.#release();
  }

  numRequeues(key: K): number {
    return this.#own.numRequeues(key);
  }

  /**
   * Returns the keys whose delay was shortened since the last call, with the remaining time of
   * their own back-off.
   */
  takeReleased(): readonly ReleasedKey<K>[] {
    const released = this.#released;
    this.#released = [];
    return released;
  }

  #release(): void {
    const now = this.#clock.monotonicMs();
    let left = this.#perSuccess;
    for (const [key, { ownMs, bucketMs }] of this.#held) {
      this.#held.delete(key);
      if (bucketMs <= now) continue; // The bucket has admitted the key already.
      this.#bucket.giveBack();
      this.#released.push({ key, inMs: Math.max(0, ownMs - now) });
      if (--left <= 0) return;
    }
  }
}
