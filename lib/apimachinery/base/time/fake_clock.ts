import { setImmediate } from "node:timers";
import { type Clock, systemClock, type Timer } from "./clock.ts";
import { delay } from "./delay.ts";
import { type Timed, TimeHeap } from "./time_heap.ts";

interface FakeTimer extends Timer, Timed {
  readonly fire: () => void;
}

/**
 * Maximum number of turns of the event loop, of about 2 ms each, for which held work delays a fake
 * clock: about 50 ms.
 */
const HELD_TURNS = 25;

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
  readonly #timers = new TimeHeap<FakeTimer>();
  /**
   * The promises of held work, each with the number of turns of the event loop for which it may
   * still delay the clock.
   */
  readonly #held = new Map<Promise<unknown>, number>();

  /**
   * Creates a fake clock whose wall clock shows a date, by default the beginning of 2026 (UTC), and
   * whose monotonic time is 0.
   */
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
    const next = this.#timers.peek();
    return next && next.readyAtMs - this.#monotonicMs;
  }

  now(): Date {
    return new Date(this.#wallMs);
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const timer: FakeTimer = {
      readyAtMs: this.#monotonicMs + (delayMs > 0 ? delayMs : 0),
      order: this.#order++,
      index: -1,
      fire: callback,
      unref: () => timer,
      [Symbol.dispose]: () => this.#timers.remove(timer),
    };
    this.#timers.push(timer);
    return timer;
  }

  /**
   * Advances the fake clock and fires the timers that become due, in one synchronous step. An error
   * of a timer's callback ends the step at the time of the timer.
   *
   * @throws {RangeError} When `ms` is negative or not a number.
   */
  step(ms: number): void {
    checkTime("the time to step in milliseconds", ms);
    const endMs = this.#monotonicMs + ms;
    while (this.#fireNext(endMs));
    this.#moveTo(endMs);
  }

  /**
   * Advances the fake clock like {@linkcode FakeClock.step}, and lets promises settle before,
   * between and after timers. Between timers only held work ({@linkcode FakeClock.hold}) may take
   * real time.
   *
   * @throws {RangeError} When `ms` is negative or not a number.
   */
  async advance(ms: number): Promise<void> {
    checkTime("the time to advance in milliseconds", ms);
    const endMs = this.#monotonicMs + ms;
    await this.settle();
    while (this.#fireNext(endMs)) await this.#settleQuickly();
    if (this.#monotonicMs < endMs) this.#moveTo(endMs); // Another call may have moved on.
    await this.settle();
  }

  /** Lets every promise settle that can settle without time passing on the fake clock. */
  async settle(): Promise<void> {
    await delay(0, { clock: systemClock });
    await this.#settleQuickly();
  }

  /**
   * Makes {@linkcode FakeClock.advance} and {@linkcode FakeClock.settle} wait for work that takes
   * real time, such as a request over a network, until its promise settles. Returns the given
   * promise.
   *
   * Work that has not settled within about 50 ms may wait for the fake clock itself, and no longer
   * delays the clock.
   *
   * @example
   * ```ts
   * import assert from "node:assert/strict";
   * import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
   *
   * const clock = new FakeClock();
   * const ages: number[] = [];
   * clock.after(0, async () => {
   *   await clock.hold(crypto.subtle.digest("SHA-256", new Uint8Array(9)));
   *   ages.push(clock.monotonicMs());
   * });
   * clock.after(1, () => {});
   * await clock.advance(60_000);
   * assert.deepEqual(ages, [0]);
   * ```
   */
  hold<T>(work: Promise<T>): Promise<T> {
    this.#held.set(work, HELD_TURNS);
    const release = (): void => void this.#held.delete(work);
    work.then(release, release);
    return work;
  }

  /**
   * Sets the wall clock of the fake clock, as a time server or a person would. The monotonic time
   * and timers are unaffected.
   */
  setWallClock(date: Date): void {
    this.#wallMs = date.getTime();
  }

  /** Lets promises settle, and waits for held work of the fake clock. */
  async #settleQuickly(): Promise<void> {
    await nextTurn();
    while (this.#isDelayed()) await delay(0, { clock: systemClock });
  }

  /**
   * Reports whether held work delays the fake clock for one more turn of the event loop, and counts
   * that turn.
   */
  #isDelayed(): boolean {
    let isDelayed = false;
    for (const [work, turns] of this.#held) {
      if (turns === 0) continue;
      isDelayed = true;
      this.#held.set(work, turns - 1);
    }
    return isDelayed;
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }

  /**
   * Fires the next timer of the fake clock that is due by a given time; reports whether there was
   * one.
   */
  #fireNext(endMs: number): boolean {
    const next = this.#timers.peek();
    if (!next || next.readyAtMs > endMs) return false;
    this.#timers.remove(next);
    this.#moveTo(next.readyAtMs);
    next.fire();
    return true;
  }
}

/**
 * Resolves in the next turn of the event loop, when all promises have settled that wait for no
 * timer or input.
 */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function checkTime(what: string, ms: number): void {
  if (!(ms >= 0)) throw new RangeError(`${what} must be a number of at least 0, is ${ms}`);
}
