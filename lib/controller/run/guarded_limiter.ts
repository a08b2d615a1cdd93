import { ignoreRejection } from "@xca/apimachinery/internal/base";
import { errorText, MAX_TIMER_MS } from "@xca/apimachinery/base";
import {
  ItemExponentialLimiter,
  type RateLimiter,
  type ReleasedKey,
} from "@xca/apimachinery/workqueue";
import type { LoggerLike } from "../ports/logger_like.ts";

/**
 * A wrapper of a user's rate limiter, which cannot break the queue: when a method of the limiter
 * throws, or returns an invalid delay, such as one beyond the longest timer, an exponential
 * back-off per key (5 ms, doubled up to 1000 s) applies and the error is logged. A failing
 * `takeReleased` releases no key.
 */
export class GuardedLimiter<K> implements RateLimiter<K> {
  readonly #limiter: RateLimiter<K>;
  readonly #fallback = new ItemExponentialLimiter<K>();
  readonly #log: LoggerLike;

  constructor(limiter: RateLimiter<K>, log: LoggerLike) {
    this.#limiter = limiter;
    this.#log = log;
  }

  whenMs(key: K): number {
    const fallbackMs = this.#fallback.whenMs(key);
    const ms = this.#ask("whenMs", () => this.#limiter.whenMs(key));
    if (ms === undefined) return fallbackMs;
    if (isDelay(ms)) return ms;
    this.#complain("whenMs", `it must answer with 0 to ${MAX_TIMER_MS} milliseconds`);
    return fallbackMs;
  }

  forget(key: K): void {
    this.#fallback.forget(key);
    this.#ask("forget", () => this.#limiter.forget(key));
  }

  numRequeues(key: K): number {
    const count = this.#ask("numRequeues", () => this.#limiter.numRequeues(key));
    return typeof count === "number" && count >= 0 ? count : this.#fallback.numRequeues(key);
  }

  takeReleased(): readonly ReleasedKey<K>[] {
    const released = this.#ask("takeReleased", () => {
      const all: unknown = this.#limiter.takeReleased?.() ?? [];
      if (Array.isArray(all)) return all.map((each) => checkedRelease<K>(each));
      ignoreRejection(all);
      throw new TypeError("it must answer with an array");
    });
    return released ?? [];
  }

  #ask<T>(method: keyof RateLimiter<K>, ask: () => T): T | undefined {
    try {
      return ignoreRejection(ask());
    } catch (error) {
      this.#complain(method, errorText(error));
      return undefined;
    }
  }

  #complain(method: string, error: string): void {
    this.#log.error("The rate limiter's {method} failed, the default limiter is used: {error}", {
      method,
      error,
    });
  }
}

function isDelay(ms: unknown): ms is number {
  return typeof ms === "number" && ms >= 0 && ms <= MAX_TIMER_MS;
}

/**
 * Returns a copy of a key that a user's rate limiter released.
 *
 * @throws {TypeError} When the delay of the key is not a number of milliseconds from 0 to
 * 2147483647.
 */
function checkedRelease<K>(value: unknown): ReleasedKey<K> {
  const { key, inMs } = value as ReleasedKey<K>;
  if (isDelay(inMs)) return { key, inMs };
  throw new TypeError(`inMs of a released key must be 0 to ${MAX_TIMER_MS} milliseconds`);
}
