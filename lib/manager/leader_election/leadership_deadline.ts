import type { Clock } from "@xca/apimachinery/base";

/** A moment by both clocks. */
export interface Moment {
  /** Milliseconds of the monotonic clock. */
  readonly monotonicMs: number;
  /** Milliseconds of the wall clock. */
  readonly wallMs: number;
}

/** Returns the present moment. */
export function momentOf(clock: Clock): Moment {
  return { monotonicMs: clock.monotonicMs(), wallMs: clock.now().getTime() };
}

/**
 * The moment until which a leader may start writes.
 *
 * It lies `renewDeadlineMs` after the last successful renewal *was sent*: other candidates cannot have
 * seen that renewal earlier, and wait for the whole lease from then on. It has passed as soon as
 * either clock says so: the monotonic clock stands still while a machine is suspended, and the wall
 * clock can be set back. A wall clock that is set back while the machine is suspended deceives both.
 */
export class LeadershipDeadline {
  readonly #clock: Clock;
  readonly #renewDeadlineMs: number;
  #renewed: Moment | undefined;

  /** Makes a deadline that has passed. */
  constructor(clock: Clock, renewDeadlineMs: number) {
    this.#clock = clock;
    this.#renewDeadlineMs = renewDeadlineMs;
  }

  /** The time that is left, in milliseconds; 0 once the deadline has passed. */
  get remainingMs(): number {
    if (!this.#renewed) return 0;
    const now = momentOf(this.#clock);
    const elapsedMs = Math.max(
      now.monotonicMs - this.#renewed.monotonicMs,
      now.wallMs - this.#renewed.wallMs,
    );
    return Math.max(0, this.#renewDeadlineMs - elapsedMs);
  }

  /** The time that is left by the monotonic clock alone, in milliseconds. */
  get monotonicRemainingMs(): number {
    if (!this.#renewed) return 0;
    const elapsedMs = this.#clock.monotonicMs() - this.#renewed.monotonicMs;
    return Math.max(0, this.#renewDeadlineMs - elapsedMs);
  }

  /** Moves the deadline: a renewal that was sent at `sent` has succeeded. */
  renewed(sent: Moment): void {
    this.#renewed = sent;
  }

  /** Lets the deadline pass at once. */
  end(): void {
    this.#renewed = undefined;
  }
}
