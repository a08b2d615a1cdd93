import { type Clock, systemClock } from "./clock.ts";
import { delay } from "./delay.ts";

/**
 * How long work may keep the event loop to itself, in milliseconds: half of the 10 ms that are
 * promised. The other half is for the step that ends it and for what V8 collects meanwhile.
 */
export const SLICE_MS = 4;

/**
 * A share of the event loop's time, for work that may be long: ask `used` after each step, and when it
 * is true await `next()`, which lets timers and sockets have their turn. Those who share one wait in a
 * row, so that together they hold the loop for no longer than one of them alone: of those who wait as
 * many go on in one slice as it has room for.
 */
export class TimeSlice {
  readonly #clock: Clock;
  readonly #lengthMs: number;
  #endsMs: number;
  /** Settles when the last who waits has gone on; `undefined` when nobody waits. */
  #waiting: Promise<void> | undefined;

  /** Begins a slice. */
  constructor(clock: Clock = systemClock, lengthMs: number = SLICE_MS) {
    this.#clock = clock;
    this.#lengthMs = lengthMs;
    this.#endsMs = clock.monotonicMs() + lengthMs;
  }

  /** Whether the slice is over. */
  get used(): boolean {
    return this.#clock.monotonicMs() >= this.#endsMs;
  }

  /**
   * Waits for a slice with time left: the one that others have just begun, or a new one, once timers
   * and sockets had their turn.
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
      // Timers that are due fire all at once: one is set when the slice before it is used up.
      if (!before || this.used) {
        await delay(0, { clock: this.#clock, signal });
        this.restart();
      }
    } finally {
      if (this.#waiting === promise) this.#waiting = undefined;
      void afterNextStep().then(resolve);
    }
  }

  /** Begins a new slice without letting others run: for who has just waited anyhow. */
  restart(): void {
    this.#endsMs = this.#clock.monotonicMs() + this.#lengthMs;
  }
}

/** Settles when who has just been let on has taken its step, as long as that does not wait. */
async function afterNextStep(): Promise<void> {
  for (let hop = 0; hop < 4; hop++) await undefined;
}
