import type { Clock } from "@xca/apimachinery/base";

/** Time between two errors from which on the second begins a new series, in milliseconds. */
const RESET_MS = 60_000;

/**
 * A time window in which errors of one kind are tolerated, counted from the first error of a
 * series. An error that is not tolerated ends the series.
 */
export class RetryWindow {
  readonly #windowMs: number;
  readonly #clock: Clock;
  #firstMs: number | undefined;
  #lastMs: number | undefined;

  /**
   * Creates a window in which errors are tolerated for `windowMs` milliseconds after the first;
   * with 0 no error is tolerated.
   */
  constructor(windowMs: number, clock: Clock) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /**
   * Records an error in the retry window, and reports whether the error is tolerated, so that the
   * caller may repeat the request.
   */
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
