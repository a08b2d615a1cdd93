import type { Clock } from "@xca/apimachinery/base";

/** A moment, measured by the monotonic clock and the wall clock. */
export interface Moment {
  /** The moment on the monotonic clock, in milliseconds. */
  readonly monotonicMs: number;
  /** The moment on the wall clock, in milliseconds since the epoch. */
  readonly wallMs: number;
}

/** Returns the present moment by the monotonic clock and the wall clock. */
export function momentOf(clock: Clock): Moment {
  return { monotonicMs: clock.monotonicMs(), wallMs: clock.now().getTime() };
}

/**
 * The deadline until which a leader may start writes.
 *
 * The deadline is `renewDeadlineMs` after the time at which the last successful renewal *was sent*:
 * other candidates cannot have observed that renewal earlier, and wait for the whole lease duration
 * from then on. The deadline has passed as soon as either clock says so: the monotonic clock stops
 * while a machine is suspended, and the wall clock can be set back. A wall clock that is set back
 * while the machine is suspended deceives both.
 */
export class LeadershipDeadline {
  readonly #clock: Clock;
  readonly #renewDeadlineMs: number;
  #renewed: Moment | undefined;

  /** Creates a leadership deadline that has passed. */
  constructor(clock: Clock, renewDeadlineMs: number) {
    this.#clock = clock;
    this.#renewDeadlineMs = renewDeadlineMs;
  }

  /**
   * The time left until the leadership deadline, in milliseconds, by the monotonic or the wall
   * clock, whichever leaves less; 0 once it has passed.
   */
  get remainingMs(): number {
    if (!this.#renewed) return 0;
    const now = momentOf(this.#clock);
    const elapsedMs = Math.max(
      now.monotonicMs - this.#renewed.monotonicMs,
      now.wallMs - this.#renewed.wallMs,
    );
    return Math.max(0, this.#renewDeadlineMs - elapsedMs);
  }

  /**
   * The time left until the leadership deadline by the monotonic clock alone, in milliseconds; 0
   * once it has passed.
   */
  get monotonicRemainingMs(): number {
    if (!this.#renewed) return 0;
    const elapsedMs = this.#clock.monotonicMs() - this.#renewed.monotonicMs;
    return Math.max(0, this.#renewDeadlineMs - elapsedMs);
  }

  /** Extends the leadership deadline after a successful renewal that was sent at `sent`. */
  renewed(sent: Moment): void {
    this.#renewed = sent;
  }

  /** Ends the leadership: the deadline has passed from now on. */
  end(): void {
    this.#renewed = undefined;
  }
}
