import { type Clock, systemClock } from "./clock.ts";
import { delay } from "./delay.ts";

/**
 * The length of a slice of the event loop's time, in milliseconds: less than half of 10 ms, the
 * promised maximum for which work blocks the loop. The rest is for the step that ends the slice,
 * and for garbage collection meanwhile.
 */
export const SLICE_MS = 4;

/**
 * A slice of the event loop's time for long work: a task checks `used` after each step and, when it
 * is true, awaits `next()`, which lets timers and sockets run. Tasks that share one slice wait in a
 * queue, so that together they occupy the loop for no longer than one of them alone: in one slice,
 * tasks continue one after another until the slice is used up.
 */
export class TimeSlice {
  readonly #clock: Clock;
  readonly #lengthMs: number;
  #endsMs: number;
  /**
   * A promise that settles when the last waiting task has continued; `undefined` when none waits.
   */
  #waiting: Promise<void> | undefined;

  /**
   * Creates a slice of the event loop's time, which begins now and lasts `lengthMs` milliseconds.
   */
  constructor(clock: Clock = systemClock, lengthMs: number = SLICE_MS) {
    this.#clock = clock;
    this.#lengthMs = lengthMs;
    this.#endsMs = clock.monotonicMs() + lengthMs;
  }

  /** Reports whether the slice of the event loop's time is used up. */
  get used(): boolean {
    return this.#clock.monotonicMs() >= this.#endsMs;
  }

  /**
   * Waits for a slice of the event loop's time that is not used up: one that another task has just
   * begun, or a new one after timers and sockets have run.
   *
   * @throws {unknown} The reason of `signal`, when it is or becomes aborted.
   */
  async next(signal?: AbortSignal): Promise<void> {
    const before = this.#waiting;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = promise;
    try {
      if (before) {
        await before;
        signal?.throwIfAborted();
      }
      // Due timers fire all at once, so each task sets its timer when the slice before it is used
      // up.
      if (!before || this.used) {
        await delay(0, { clock: this.#clock, signal });
        this.restart();
      }
    } finally {
      if (this.#waiting === promise) this.#waiting = undefined;
      void afterNextStep().then(resolve);
    }
  }

  /**
   * Begins a new slice of the event loop's time without yielding; for a caller that has just waited
   * anyway.
   */
  restart(): void {
    this.#endsMs = this.#clock.monotonicMs() + this.#lengthMs;
  }
}

/** Waits until the task that has just continued has taken its step, unless the step waits. */
async function afterNextStep(): Promise<void> {
  for (let hop = 0; hop < 4; hop++) await undefined;
}
