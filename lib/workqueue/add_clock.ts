import { type Clock, systemClock } from "@xca/apimachinery/base";

/** ~ The times of the adds of one queue. => A clock for the add times of one work queue. */
export class AddClock {
  readonly #clock: Clock;
  /** Whether the latest operation on the queue was an add. */
  #adding = false;
  /** The time shared by the queue's adds of this synchronous step, from the second in a row on. */
  #burstMs: number | undefined;
  readonly #endBurst = (): void => void (this.#burstMs = undefined);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the time of an add to the queue. */
  now(): number {
    return this.#burstMs ?? this.#read();
  }

  /** Notes that a key was taken from the queue. */
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
