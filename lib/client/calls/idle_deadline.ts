import type { Clock, Timer } from "@xca/apimachinery/base";

/**
 * Fires once somebody waited for longer than the deadline. Time in which nobody waits, because the
 * reader is busy, does not count. One timer serves many waits, so that a wait costs two readings of
 * the clock.
 */
export class IdleDeadline implements Disposable {
  readonly #idleMs: number;
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  /** Since when somebody waits; `undefined` while nobody does. */
  #sinceMs: number | undefined;
  #timer: Timer | undefined;

  /** Makes a deadline that nobody waits under yet. */
  constructor(idleMs: number, clock: Clock, onIdle: () => void) {
    this.#idleMs = idleMs;
    this.#clock = clock;
    this.#onIdle = onIdle;
  }

  /** A wait begins. */
  begin(): void {
    this.#sinceMs = this.#clock.monotonicMs();
    this.#timer ??= this.#clock.after(this.#idleMs, () => this.#check());
  }

  /** The wait ended in time. */
  end(): void {
    this.#sinceMs = undefined;
  }

  #check(): void {
    this.#timer = undefined;
    if (this.#sinceMs === undefined) return;
    const leftMs = this.#sinceMs + this.#idleMs - this.#clock.monotonicMs();
    if (leftMs <= 0) this.#onIdle();
    else this.#timer = this.#clock.after(leftMs, () => this.#check());
  }

  /** Stops it. */
  [Symbol.dispose](): void {
    this.#sinceMs = undefined;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
