import type { Clock, Timer } from "./clock.ts";

/** A pending timeout of a {@linkcode TimeoutQueue}. */
interface Pending {
  /** The monotonic time at which the timeout is due, in milliseconds. */
  readonly dueMs: number;
  /** The callback of the timeout; `undefined` once it was called or cancelled. */
  callback: (() => void) | undefined;
}

/**
 * A queue of timeouts of one length that share one timer, since most timeouts are cancelled before
 * they are due, and a timer of the runtime costs some ten microseconds.
 *
 * - A timeout is called at its time or later, in the order in which the timeouts were started.
 * - The timer does not keep the process alive; the work that the timeouts limit has to.
 * - Disposing the queue cancels all its timeouts.
 */
export class TimeoutQueue implements Disposable {
  readonly #clock: Clock;
  readonly #lengthMs: number;
  /**
   * The timeouts in the order of their times; those before the index `#first` have been called or
   * cancelled.
   */
  #pending: Pending[] = [];
  #first = 0;
  #timer: Timer | undefined;

  /** Creates an empty queue of timeouts, each of `lengthMs` milliseconds. */
  constructor(clock: Clock, lengthMs: number) {
    this.#clock = clock;
    this.#lengthMs = lengthMs;
  }

  /**
   * Starts a timeout: calls `callback` after the length of the queue's timeouts, unless the
   * returned value is disposed before.
   */
  start(callback: () => void): Disposable {
    const pending: Pending = { dueMs: this.#clock.monotonicMs() + this.#lengthMs, callback };
    this.#pending.push(pending);
    this.#timer ??= this.#clock.after(this.#lengthMs, () => this.#expire()).unref();
    return {
      [Symbol.dispose]: () => {
        pending.callback = undefined;
        this.#dropEnded();
      },
    };
  }

  #expire(): void {
    this.#timer = undefined;
    const nowMs = this.#clock.monotonicMs();
    try {
      this.#dropEnded();
      for (let next = this.#next; next && next.dueMs <= nowMs; next = this.#next) {
        const { callback } = next;
        next.callback = undefined;
        this.#dropEnded();
        callback!();
      }
    } finally {
      this.#rearm();
    }
  }

  #rearm(): void {
    const next = this.#next;
    if (!next || this.#timer) return;
    const inMs = next.dueMs - this.#clock.monotonicMs();
    this.#timer = this.#clock.after(inMs, () => this.#expire()).unref();
  }

  get #next(): Pending | undefined {
    return this.#pending[this.#first];
  }

  /** Removes the timeouts at the front of the queue that were called or cancelled. */
  #dropEnded(): void {
    while (this.#next && !this.#next.callback) this.#first++;
    if (this.#first === this.#pending.length) {
      this.#pending.length = this.#first = 0;
    } else if (this.#first > 64 && this.#first * 2 > this.#pending.length) {
      this.#pending.splice(0, this.#first);
      this.#first = 0;
    }
  }

  /** Cancels all timeouts of the queue. */
  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#pending = [];
    this.#first = 0;
  }
}
