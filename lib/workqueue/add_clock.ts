import { type Clock, systemClock } from "@xca/apimachinery/base";

/**
 * The times of the adds of one queue. Reading the clock costs as much as the add itself, and a first
 * list adds thousands of keys, so adds in a row without other code in between share one time; no key
 * is taken meanwhile. A clock that is moved by hand is read each time.
 */
export class AddClock {
  readonly #clock: Clock;
  /** Whether the latest event of the queue was an add. */
  #adding = false;
  /** The time of the adds of this synchronous step, from the second in a row on. */
  #burstMs: number | undefined;
  readonly #endBurst = (): void => void (this.#burstMs = undefined);

  /** Creates the clock of a queue without adds. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the time of an add. */
  now(): number {
    return this.#burstMs ?? this.#read();
  }

  /** Notes that a key was taken. */
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
