import { type Clock, systemClock } from "../base/time/clock.ts";

/**
 * A clock for the add times of one work queue. Reading the clock costs as much as the add itself,
 * and a first list adds thousands of keys, so adds in a row without other code in between share one
 * time; no key is taken meanwhile. A fake clock, which tests move, is read each time.
 */
export class AddClock {
  readonly #clock: Clock;
  /** Whether the latest operation on the work queue was an add. */
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

  /** Records that a worker took a key from the work queue, which ends a series of adds. */
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
