import type { Clock } from "@xca/apimachinery/base";

/** Time between two errors from which on they count as unrelated, in milliseconds. */
const RESET_MS = 60_000;

/** Tolerates errors of one kind for a limited time, counted from the first error of a series. */
export class RetryWindow {
  readonly #windowMs: number;
  readonly #clock: Clock;
  #firstMs: number | undefined;
  #lastMs: number | undefined;

  /** Creates a window of the given length in milliseconds; with 0 no error is tolerated. */
  constructor(windowMs: number, clock: Clock) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** Records an error, and reports whether to try the same again. */
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
