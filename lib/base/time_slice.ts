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
 * row, so that together they hold the loop for no longer than one of them alone.
 */
export class TimeSlice {
  readonly #clock: Clock;
  readonly #lengthMs: number;
  #endsMs: number;
  /** Settles when the last who waits has had its turn; `undefined` when nobody waits. */
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
   * Lets others run, then begins a new slice.
   *
   * @throws {unknown} The reason of `signal`, when it is or becomes aborted.
   */
  async next(signal?: AbortSignal): Promise<void> {
    const turn = async (): Promise<void> => {
      await delay(0, { clock: this.#clock, signal });
      this.restart();
    };
    // Timers that are due fire all at once: the next is set when the one before has had its turn.
    const mine = this.#waiting === undefined ? turn() : this.#waiting.then(turn);
    const waiting = this.#waiting = mine.catch(() => {});
    try {
      await mine;
    } finally {
      if (this.#waiting === waiting) this.#waiting = undefined;
    }
  }

  /** Begins a new slice without letting others run: for who has just waited anyhow. */
  restart(): void {
    this.#endsMs = this.#clock.monotonicMs() + this.#lengthMs;
  }
}
