import type { Clock, Timer } from "./clock.ts";
import { LiveList } from "../live_list.ts";

/** A pending timeout of a {@linkcode TimeoutQueue}. */
interface Pending {
  /** The monotonic time at which the timeout is due, in milliseconds. */
  readonly dueMs: number;
  readonly callback: () => void;
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
  /** The timeouts that have not been called or cancelled, in the order of their times. */
  readonly #pending = new LiveList<Pending>();
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
    const dueMs = this.#clock.monotonicMs() + this.#lengthMs;
    const pending = this.#pending.add({ dueMs, callback });
    // In a callback, the timer is armed after it, for the first pending timeout.
    if (!this.#expiring) this.#timer ??= this.#arm(this.#lengthMs);
    return pending;
  }

  #expire(): void {
    this.#timer = undefined;
    this.#expiring = true;
    const nowMs = this.#clock.monotonicMs();
    try {
      while ((this.#pending.first?.dueMs ?? Infinity) <= nowMs) this.#pending.shift()!.callback();
    } finally {
      this.#expiring = false;
      this.#rearm();
    }
  }

  #rearm(): void {
    const next = this.#pending.first;
    if (!next || this.#timer) return;
    this.#timer = this.#arm(next.dueMs - this.#clock.monotonicMs());
  }

  #arm(inMs: number): Timer {
    const timer = this.#clock.after(inMs, () => this.#expire());
    return this.#holds ? timer : timer.unref();
  }

  /** Cancels all timeouts of the queue. */
  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    while (this.#pending.shift());
  }
}
