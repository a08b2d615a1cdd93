import { type Clock, systemClock, type Timer } from "../../lib/apimachinery/base/time/clock.ts";

/**
 * The machine's time, so many times faster: deadlines of minutes pass in seconds, against real
 * servers too. Dates stay what they are.
 *
 * A deadline of a request passes faster too. Where a test counts requests, time goes fast only while
 * one waits for a deadline, by {@linkcode FaultsClock.speed}: a slow server is then in time.
 */
export class FaultsClock implements Clock {
  readonly #timers = new Set<FaultsTimer>();
  #speed: number;
  /** The time at the last change of the speed, on this clock and on the machine's. */
  #at = { ms: 0, machineMs: systemClock.monotonicMs() };

  /** Starts one that goes so many times faster. */
  constructor(speed = 1) {
    this.#speed = speed;
  }

  /** How many times faster it goes; may be changed at any time. */
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
    const timer = new FaultsTimer(this, this.monotonicMs() + delayMs, () => {
      this.#timers.delete(timer);
      callback();
    }, () => this.#timers.delete(timer));
    this.#timers.add(timer);
    timer.start();
    return timer;
  }
}

/** A timer that is started anew when the speed changes. */
class FaultsTimer implements Timer {
  readonly #clock: FaultsClock;
  readonly #atMs: number;
  readonly #callback: () => void;
  readonly #forget: () => void;
  #timer: Timer | undefined;
  #unref = false;

  constructor(clock: FaultsClock, atMs: number, callback: () => void, forget: () => void) {
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
