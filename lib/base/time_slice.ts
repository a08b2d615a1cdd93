import { type Clock, systemClock } from "./clock.ts";
import { delay } from "./delay.ts";

/**
 * How long work may keep the event loop to itself, in milliseconds: with the step that ends it, under
 * the 10 ms that are promised.
 */
export const SLICE_MS = 8;

/**
 * A share of the event loop's time, for work that may be long: ask `used` after each step, and when it
 * is true await `next()`, which lets timers and sockets have their turn.
 */
export class TimeSlice {
  readonly #clock: Clock;
  #endsMs: number;

  /** Begins a slice. */
  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#endsMs = clock.monotonicMs() + SLICE_MS;
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
    await delay(0, { clock: this.#clock, signal });
    this.restart();
  }

  /** Begins a new slice without letting others run: for who has just waited anyhow. */
  restart(): void {
    this.#endsMs = this.#clock.monotonicMs() + SLICE_MS;
  }
}
