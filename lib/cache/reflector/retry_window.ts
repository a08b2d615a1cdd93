import type { Clock } from "@xca/apimachinery/base";

/** A pause between two errors from which on they do not belong together, in milliseconds. */
const RESET_MS = 60_000;

/** Lets errors of one sort pass for a while, counted from the first of a run of them. */
export class RetryWindow {
  readonly #windowMs: number;
  readonly #clock: Clock;
  #firstMs: number | undefined;
  #lastMs: number | undefined;

  /** Makes a window of so many milliseconds; of 0, nothing passes. */
  constructor(windowMs: number, clock: Clock) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** Notes an error, and answers whether to try the same again. */
  allows(): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (this.#lastMs !== undefined && nowMs - this.#lastMs >= RESET_MS) this.#firstMs = undefined;
    this.#firstMs ??= nowMs;
    this.#lastMs = nowMs;
    if (this.#windowMs > 0 && nowMs - this.#firstMs <= this.#windowMs) return true;
    this.#firstMs = undefined;
    return false;
  }
}
