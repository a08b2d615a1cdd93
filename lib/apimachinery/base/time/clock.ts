import { noteLoopTurn } from "./loop_turns.ts";

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

/**
 * A source of time and timers. Everything that waits or reads the date takes a `Clock`, so that a
 * test can turn hours of back-off into one synchronous step.
 *
 * - `now()` is the wall clock: for dates that people and servers read, never for durations.
 * - `monotonicMs()` never decreases: for deadlines and durations.
 * - `after()` takes any delay; a negative one and `NaN` count as 0. `systemClock` waits longer than
 *   {@linkcode MAX_TIMER_MS} in several steps.
 */
export interface Clock {
  /** Returns the current date of the wall clock. */
  now(): Date;
  /** Returns the milliseconds since an arbitrary start of the clock; never decreases. */
  monotonicMs(): number;
  /**
   * Calls `callback` once after `delayMs` milliseconds of the clock, unless the returned timer is
   * disposed.
   */
  after(delayMs: number, callback: () => void): Timer;
}

/** The clock of the machine that this process runs on. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after: (delayMs, callback) => new SystemTimer(delayMs, callback),
};

class SystemTimer implements Timer {
  #id: ReturnType<typeof setTimeout> | undefined;
  #unref = false;

  constructor(delayMs: number, callback: () => void) {
    this.#start(delayMs > 0 ? delayMs : 0, callback);
  }

  #start(delayMs: number, callback: () => void): void {
    const step = Math.min(delayMs, MAX_TIMER_MS);
    this.#id = setTimeout(() => {
      this.#id = undefined;
      noteLoopTurn();
      if (delayMs > step) this.#start(delayMs - step, callback);
      else callback();
    }, step);
    if (this.#unref) unrefTimer(this.#id);
  }

  unref(): Timer {
    this.#unref = true;
    if (this.#id !== undefined) unrefTimer(this.#id);
    return this;
  }

  [Symbol.dispose](): void {
    if (this.#id === undefined) return;
    clearTimeout(this.#id);
    this.#id = undefined;
  }
}

/**
 * Lets the process exit while a timer is running. Since Deno 2.9 timers are objects, for which
 * `Deno.unrefTimer` has no overload.
 */
function unrefTimer(timer: ReturnType<typeof setTimeout>): void {
  Deno.unrefTimer(timer as unknown as number);
}
