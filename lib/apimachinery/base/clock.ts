/** The longest timer this runtime keeps, in milliseconds: a longer one would fire at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** A running timer. Disposing it cancels it; disposing twice, or after it fired, does nothing. */
export interface Timer extends Disposable {
  /** Lets the process end although this timer still runs. Returns the same timer. */
  unref(): Timer;
}

/**
 * Where time comes from. Everything that waits or dates takes a `Clock`, so that a test can turn
 * hours of back-off into one synchronous step.
 *
 * - `now()` is the wall clock: for dates that people and servers read, never for measuring.
 * - `monotonicMs()` never goes back: for every deadline and duration.
 * - `after()` is clamped to `[0, MAX_TIMER_MS]`; a delay beyond it waits in several steps.
 */
export interface Clock {
  /** The wall clock's date. */
  now(): Date;
  /** Milliseconds since an arbitrary start, never decreasing. */
  monotonicMs(): number;
  /** Calls `callback` once after `delayMs` milliseconds, unless the returned timer is disposed. */
  after(delayMs: number, callback: () => void): Timer;
}

/** The clock of the machine. */
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

/** Timers are objects since Deno 2.9, which their number does not stand for here. */
function unrefTimer(timer: ReturnType<typeof setTimeout>): void {
  Deno.unrefTimer(timer as unknown as number);
}
