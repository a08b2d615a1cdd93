/**
 * Maximum delay of a `setTimeout` of this runtime, in milliseconds; a longer delay would fire at
 * once.
 */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/**
 * A running timer of a clock. Disposing it cancels it; disposing it again, or after it fired, has
 * no effect.
 */
export interface Timer extends Disposable {
  /** Allows the process to exit while this timer is running. Returns the same timer. */
  unref(): Timer;
}

/** A timer of the runtime, which can also be made to keep the process alive again. */
export interface RuntimeTimer extends Timer {
  /** Sets whether the running timer keeps the process alive. */
  hold(holds: boolean): void;
}
