import { type Clock, systemClock } from "./clock.ts";
import { type Random, systemRandom } from "./random.ts";

/** Options of {@linkcode Backoff}, an exponential back-off. */
export interface BackoffOptions {
  /** The first delay of the back-off, in milliseconds. @default {800} */
  readonly initialMs?: number;
  /** The maximum delay of the back-off before jitter, in milliseconds. @default {30_000} */
  readonly maxMs?: number;
  /** The factor between one delay of the back-off and the next. @default {2} */
  readonly factor?: number;
  /**
   * The maximum share of a delay of the back-off that is added to it at random: 1 for up to twice
   * the delay.
   *
   * @default {1}
   */
  readonly jitter?: number;
  /**
   * The time since the last recorded failure after which the next failure begins with the first
   * delay again, in milliseconds.
   *
   * @default {120_000}
   */
  readonly resetAfterMs?: number;
  /** The clock of the back-off. @default {systemClock} */
  readonly clock?: Clock;
  /** The random number source for the jitter of the back-off. @default {systemRandom} */
  readonly random?: Random;
}

/**
 * Exponential back-off with a maximum, jitter, and a reset after a quiet time.
 *
 * The defaults are those of client-go's reflector: 0.8 s to 30 s, doubled, up to twice as long by
 * jitter, reset after two quiet minutes.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { Backoff, seededRandom } from "@xca/apimachinery/base";
 *
 * const backoff = new Backoff({ initialMs: 100, jitter: 0, random: seededRandom(1) });
 * assert(backoff.nextMs() === 100);
 * assert(backoff.nextMs() === 200);
 * ```
 */
export class Backoff {
  readonly #initialMs: number;
  readonly #maxMs: number;
  readonly #factor: number;
  readonly #jitter: number;
  readonly #resetAfterMs: number;
  readonly #clock: Clock;
  readonly #random: Random;
  #nextBaseMs: number;
  #lastFailureMs: number | undefined;

  /** Creates a back-off that has recorded no failure. */
  constructor(options: BackoffOptions = {}) {
    this.#initialMs = options.initialMs ?? 800;
    this.#maxMs = options.maxMs ?? 30_000;
    this.#factor = options.factor ?? 2;
    this.#jitter = options.jitter ?? 1;
    this.#resetAfterMs = options.resetAfterMs ?? 120_000;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#nextBaseMs = this.#initialMs;
  }

  /**
   * Records a failure and returns the delay of the back-off before the next attempt, in
   * milliseconds.
   */
  nextMs(): number {
    const now = this.#clock.monotonicMs();
    const last = this.#lastFailureMs;
    if (last !== undefined && now - last > this.#resetAfterMs) this.reset();
    this.#lastFailureMs = now;
    const base = Math.min(this.#nextBaseMs, this.#maxMs);
    this.#nextBaseMs = Math.min(base * this.#factor, this.#maxMs);
    return base * (1 + this.#jitter * this.#random.next());
  }

  /** Forgets all failures of the back-off, so that the next delay is the first again. */
  reset(): void {
    this.#nextBaseMs = this.#initialMs;
    this.#lastFailureMs = undefined;
  }
}
