import type { Clock, Timer } from "@xca/apimachinery/base";

/**
 * A deadline for each wait on a stream: calls `onIdle` when a single wait lasts longer than
 * `idleMs` milliseconds. Time between waits does not count. One timer serves many waits, so that
 * most waits cost one reading of the clock only.
 */
export class IdleDeadline implements Disposable {
  readonly #idleMs: number;
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  /**
   * The time on the monotonic clock at which the current wait began, in milliseconds; `undefined`
   * between waits.
   */
  #sinceMs: number | undefined;
  #timer: Timer | undefined;

  constructor(idleMs: number, clock: Clock, onIdle: () => void) {
    this.#idleMs = idleMs;
    this.#clock = clock;
    this.#onIdle = onIdle;
  }

  /** Records that a wait on the stream begins, which the idle deadline limits. */
  begin(): void {
    this.#sinceMs = this.#clock.monotonicMs();
    this.#timer ??= this.#clock.after(this.#idleMs, () => this.#check());
  }

  /**
   * Records that the wait on the stream has ended, so that the idle deadline does not apply until
   * the next one.
   */
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

  /** Stops the timer of the idle deadline. */
  [Symbol.dispose](): void {
    this.#sinceMs = undefined;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
