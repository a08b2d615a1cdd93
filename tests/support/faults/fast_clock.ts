import { type Clock, systemClock, type Timer } from "../../../lib/apimachinery/base/time/clock.ts";

/**
 * A clock that is faster than the machine's, so that deadlines of minutes pass in seconds, against
 * real servers too. Dates are the machine's.
 *
 * Deadlines of requests pass faster too. A test that counts requests raises
 * {@linkcode FastClock.speed} only while it waits for a deadline, so that a slow server is in time.
 */
export class FastClock implements Clock {
  readonly #timers = new Set<FastTimer>();
  #speed: number;
  /** The time of the last change of speed, on this clock and on the machine's. */
  #at = { ms: 0, machineMs: systemClock.monotonicMs() };

  /** Creates a clock that runs `speed` times as fast as the machine's. */
  constructor(speed = 1) {
    this.#speed = speed;
  }

  /** The speed relative to the machine's clock; may change at any time. */
  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#at = { ms: this.monotonicMs(), machineMs: systemClock.monotonicMs() };
    this.#speed = speed;
    for (const timer of [...this.#timers]) timer.start();
  }

  now(): Date {
    return systemClock.now();
  }

  monotonicMs(): number {
    return this.#at.ms + (systemClock.monotonicMs() - this.#at.machineMs) * this.#speed;
  }

  after(delayMs: number, callback: () => void): Timer {
    const timer = new FastTimer(this, this.monotonicMs() + delayMs, () => {
      this.#timers.delete(timer);
      callback();
    }, () => this.#timers.delete(timer));
    this.#timers.add(timer);
    timer.start();
    return timer;
  }
}

/** A timer that restarts when the speed changes. */
class FastTimer implements Timer {
  readonly #clock: FastClock;
  readonly #atMs: number;
  readonly #callback: () => void;
  readonly #forget: () => void;
  #timer: Timer | undefined;
  #unref = false;

  constructor(clock: FastClock, atMs: number, callback: () => void, forget: () => void) {
    this.#clock = clock;
    this.#atMs = atMs;
    this.#callback = callback;
    this.#forget = forget;
  }

  start(): void {
    this.#timer?.[Symbol.dispose]();
    const leftMs = (this.#atMs - this.#clock.monotonicMs()) / this.#clock.speed;
    this.#timer = systemClock.after(leftMs, this.#callback);
    if (this.#unref) this.#timer.unref();
  }

  unref(): Timer {
    this.#unref = true;
    this.#timer?.unref();
    return this;
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#forget();
  }
}
