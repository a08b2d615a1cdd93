import { ignoreRejection } from "@xca/apimachinery/internal/base";
import { errorText } from "@xca/apimachinery/base";
import {
  ItemExponentialLimiter,
  type RateLimiter,
  type ReleasedKey,
} from "@xca/apimachinery/workqueue";
import type { LoggerLike } from "../ports/logger_like.ts";

/**
 * A wrapper of a user's rate limiter, which cannot break the queue: when it throws or returns an
 * invalid delay, the default back-off applies and the error is logged.
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
    if (typeof ms === "number" && ms >= 0) return ms;
    this.#complain("whenMs", "it must answer with milliseconds, 0 or more");
    return fallbackMs;
  }

  forget(key: K): void {
    this.#fallback.forget(key);
    this.#ask("forget", () => this.#limiter.forget(key));
  }

  numRequeues(key: K): number {
    return this.#ask("numRequeues", () => this.#limiter.numRequeues(key)) ??
      this.#fallback.numRequeues(key);
  }

  takeReleased(): readonly ReleasedKey<K>[] {
    const released = this.#ask("takeReleased", () => this.#limiter.takeReleased?.() ?? []);
    return Array.isArray(released) ? released : [];
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
    this.#log.error("The rate limiter's {method} failed, the default stands in: {error}", {
      method,
      error,
    });
  }
}
