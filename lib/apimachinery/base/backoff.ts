import { type Clock, systemClock } from "./clock.ts";
import { type Random, systemRandom } from "./random.ts";

/** Options for {@linkcode Backoff}. */
export interface BackoffOptions {
  /** The first delay, in milliseconds. @default {800} */
  readonly initialMs?: number;
  /** No delay is longer than this before jitter, in milliseconds. @default {30_000} */
  readonly maxMs?: number;
  /** What each delay is multiplied by to give the next. @default {2} */
  readonly factor?: number;
  /** Each delay grows by up to this share of itself, at random. @default {1} */
  readonly jitter?: number;
  /** A pause between two failures longer than this starts again from the first delay. @default {120_000} */
  readonly resetAfterMs?: number;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock;
  /** Where jitter comes from. @default {systemRandom} */
  readonly random?: Random;
}

/**
 * Exponential back-off with a cap, jitter, and a reset after quiet time.
 *
 * The defaults are those of client-go's reflector: 0.8 s to 30 s, doubled, up to twice as long by
 * jitter, forgotten after two quiet minutes.
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

  /** Makes a back-off that has seen no failure. */
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

  /** Notes a failure and returns how long to wait before the next try, in milliseconds. */
  nextMs(): number {
    const now = this.#clock.monotonicMs();
    const last = this.#lastFailureMs;
    if (last !== undefined && now - last > this.#resetAfterMs) this.reset();
    this.#lastFailureMs = now;
    const base = Math.min(this.#nextBaseMs, this.#maxMs);
    this.#nextBaseMs = Math.min(base * this.#factor, this.#maxMs);
    return base * (1 + this.#jitter * this.#random.next());
  }

  /** Forgets the failures seen: the next delay is the first again. */
  reset(): void {
    this.#nextBaseMs = this.#initialMs;
    this.#lastFailureMs = undefined;
  }
}
