import { type Clock, systemClock, type Timer } from "./clock.ts";
import { delay } from "./delay.ts";

interface FakeTimer extends Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly fire: () => void;
}

/**
 * A fake clock that a test moves by hand, so that hours of back-off take no time.
 *
 * Timers fire in the order of their times, those of one time in the order in which they were set.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
 *
 * const clock = new FakeClock();
 * let fired = false;
 * clock.after(60_000, () => fired = true);
 * clock.step(59_999);
 * assert(!fired);
 * clock.step(1);
 * assert(fired);
 * ```
 */
export class FakeClock implements Clock {
  #wallMs: number;
  #monotonicMs = 0;
  #order = 0;
  readonly #timers = new Set<FakeTimer>();

  /** Creates a fake clock at a date. */
  constructor(start: Date = new Date("2026-01-01T00:00:00Z")) {
    this.#wallMs = start.getTime();
  }

  /** The number of pending timers of the fake clock. */
  get pending(): number {
    return this.#timers.size;
  }

  /**
   * The time until the next timer of the fake clock in milliseconds; `undefined` when none is
   * pending.
   */
  get nextInMs(): number | undefined {
    const next = this.#next();
    return next && next.dueMs - this.#monotonicMs;
  }

  now(): Date {
    return new Date(this.#wallMs);
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const timer: FakeTimer = {
      dueMs: this.#monotonicMs + Math.max(0, delayMs),
      order: this.#order++,
      fire: callback,
      unref: () => timer,
      [Symbol.dispose]: () => void this.#timers.delete(timer),
    };
    this.#timers.add(timer);
    return timer;
  }

  /**
   * Advances the fake clock and fires the timers that become due, in one synchronous step.
   *
   * @throws {RangeError} When `ms` is negative or not a number.
   */
  step(ms: number): void {
    checkTime("the time to step in milliseconds", ms);
    const endMs = this.#monotonicMs + ms;
    for (let next = this.#next(); next && next.dueMs <= endMs; next = this.#next()) {
      this.#moveTo(next.dueMs);
      this.#fire(next);
    }
    this.#moveTo(endMs);
  }

  /**
   * Advances the fake clock like {@linkcode FakeClock.step}, and lets promises settle before,
   * between and after timers.
   */
  async advance(ms: number): Promise<void> {
    checkTime("the time to advance in milliseconds", ms);
    const endMs = this.#monotonicMs + ms;
    await this.settle();
    for (let next = this.#next(); next && next.dueMs <= endMs; next = this.#next()) {
      this.#moveTo(next.dueMs);
      this.#fire(next);
      await this.settle();
    }
    this.#moveTo(endMs);
    await this.settle();
  }

  /** Lets every promise settle that can settle without time passing on the fake clock. */
  async settle(): Promise<void> {
    await delay(0, { clock: systemClock });
  }

  /** Sets the wall clock of the fake clock only, as a time server or a person would. */
  setWallClock(date: Date): void {
    this.#wallMs = date.getTime();
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }

  #fire(timer: FakeTimer): void {
    this.#timers.delete(timer);
    timer.fire();
  }

  #next(): FakeTimer | undefined {
    let next: FakeTimer | undefined;
    for (const timer of this.#timers) {
      if (
        !next || timer.dueMs < next.dueMs ||
        (timer.dueMs === next.dueMs && timer.order < next.order)
      ) next = timer;
    }
    return next;
  }
}

function checkTime(what: string, ms: number): void {
  if (!(ms >= 0)) throw new RangeError(`${what} must be a number of at least 0, is ${ms}`);
}
