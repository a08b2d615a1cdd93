import { type Clock, systemClock } from "../base/time/clock.ts";

/**
 * A clock that a work queue reads at most once per synchronous step for its adds and gets, since
 * reading the clock costs as much as the add itself: a first list adds thousands of keys in one
 * step, a worker takes the next key in the step that finished the last one, and a key that is added
 * is delivered at once to a worker that waits.
 *
 * A clock other than `systemClock`, such as the fake clock of a test, is read at each call.
 */
export class StepClock {
  readonly #clock: Clock;
  /** The time that the rest of this synchronous step shares; `undefined` before the first read. */
  #stepMs: number | undefined;
  readonly #endStep = (): void => void (this.#stepMs = undefined);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the monotonic time of the last read in this synchronous step, in milliseconds. */
  now(): number {
    return this.#stepMs ?? this.read();
  }

  /**
   * Reads the monotonic time, in milliseconds, which the rest of this synchronous step shares. For
   * the end of work, which may have taken long in this very step.
   */
  read(): number {
    const now = this.#clock.monotonicMs();
    if (this.#clock !== systemClock) return now;
    if (this.#stepMs === undefined) queueMicrotask(this.#endStep);
    return this.#stepMs = now;
  }
}
