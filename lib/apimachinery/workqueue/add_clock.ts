import { type Clock, systemClock } from "../base/time/clock.ts";

/**
 * A clock for the add times of one work queue. Reading the clock costs as much as the add itself,
 * and a first list adds thousands of keys, so the adds of one synchronous step share one time, from
 * the second in a row on. A clock other than `systemClock`, such as the fake clock of a test, is
 * read at each add.
 */
export class AddClock {
  readonly #clock: Clock;
  /** Reports whether a key was added since a worker last took a key from the work queue. */
  #adding = false;
  /** The time that all adds of this synchronous step share, from the second in a row on. */
  #burstMs: number | undefined;
  readonly #endBurst = (): void => void (this.#burstMs = undefined);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the monotonic time of an add to the work queue, in milliseconds. */
  now(): number {
    return this.#burstMs ?? this.#read();
  }

  /**
   * Records that a worker took a key from the work queue, so that the next add is the first in a
   * row.
   */
  taken(): void {
    this.#adding = false;
  }

  #read(): number {
    const now = this.#clock.monotonicMs();
    if (!this.#adding) {
      this.#adding = true;
    } else if (this.#clock === systemClock) {
      this.#burstMs = now;
      queueMicrotask(this.#endBurst);
    }
    return now;
  }
}
