import type { Clock, Timer } from "./clock.ts";

/** The number of ended timeouts that a queue keeps before it removes them. */
const MAX_SPARE = 64;

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
 * - The timer keeps the process alive only with `holds`; otherwise the work that the timeouts limit
 *   has to.
 * - The timer may outlive the last timeout, by the length of a timeout at most.
 * - Disposing the queue cancels all its timeouts and its timer.
 */
export class TimeoutQueue implements Disposable {
  readonly #clock: Clock;
  readonly #lengthMs: number;
  readonly #holds: boolean;
  /**
   * The timeouts in the order of their times; those before the index `#first` have been called or
   * cancelled.
   */
  #pending: Pending[] = [];
  #first = 0;
  /** The number of timeouts that have not been called or cancelled. */
  #live = 0;
  /** Reports whether callbacks of due timeouts are being called. */
  #expiring = false;
  #timer: Timer | undefined;

  /**
   * Creates an empty queue of timeouts, each of `lengthMs` milliseconds. With `holds`, the timer of
   * the queue keeps the process alive.
   */
  constructor(
    clock: Clock,
    lengthMs: number,
    { holds = false }: { readonly holds?: boolean } = {},
  ) {
    this.#clock = clock;
    this.#lengthMs = lengthMs;
    this.#holds = holds;
  }

  /** The length of each timeout of the queue, in milliseconds. */
  get lengthMs(): number {
    return this.#lengthMs;
  }

  /**
   * Starts a timeout: calls `callback` after the length of the queue's timeouts, unless the
   * returned value is disposed before.
   */
  start(callback: () => void): Disposable {
    const pending: Pending = { dueMs: this.#clock.monotonicMs() + this.#lengthMs, callback };
    this.#pending.push(pending);
    // In a callback, the timer is armed after it, for the first pending timeout.
    if (!this.#expiring) this.#timer ??= this.#arm(this.#lengthMs);
    this.#live++;
    return { [Symbol.dispose]: () => this.#end(pending) };
  }

  #expire(): void {
    this.#timer = undefined;
    this.#expiring = true;
    const nowMs = this.#clock.monotonicMs();
    try {
      for (let next = this.#next; next && next.dueMs <= nowMs; next = this.#next) {
        const { callback } = next;
        this.#end(next);
        callback!();
      }
    } finally {
      this.#expiring = false;
      this.#rearm();
    }
  }

  #rearm(): void {
    const next = this.#next;
    if (!next || this.#timer) return;
    this.#timer = this.#arm(next.dueMs - this.#clock.monotonicMs());
  }

  #arm(inMs: number): Timer {
    const timer = this.#clock.after(inMs, () => this.#expire());
    return this.#holds ? timer : timer.unref();
  }

  get #next(): Pending | undefined {
    return this.#pending[this.#first];
  }

  /**
   * Marks a timeout as called or cancelled, and removes ended timeouts when most are, so that a
   * long timeout at the front does not accumulate those behind it.
   */
  #end(pending: Pending): void {
    if (!pending.callback) return;
    pending.callback = undefined;
    this.#live--;
    while (this.#next && !this.#next.callback) this.#first++;
    if (this.#pending.length <= 2 * this.#live + MAX_SPARE) return;
    this.#pending = this.#pending.filter(({ callback }) => callback);
    this.#first = 0;
  }

  /** Cancels all timeouts of the queue. */
  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    for (const pending of this.#pending) pending.callback = undefined;
    this.#pending = [];
    this.#first = this.#live = 0;
  }
}
