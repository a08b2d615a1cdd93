import { setImmediate } from "node:timers";
import { SharedTimers } from "./shared_timers.ts";
import { areTimersFake, startRuntimeTimer, SystemTimer } from "./system_timer.ts";
import type { Timer } from "./timer.ts";

export { MAX_TIMER_MS, type Timer } from "./timer.ts";

/**
 * A source of time and timers. Everything that waits or reads the date takes a `Clock`, so that a
 * test can turn hours of back-off into one synchronous step.
 *
 * - `now()` is the wall clock: for dates that people and servers read, never for durations.
 * - `monotonicMs()` never decreases: for deadlines and durations.
 * - `after()` takes any delay; a negative one counts as 0. `systemClock` waits longer than
 *   {@linkcode MAX_TIMER_MS} in several steps.
 */
export interface Clock {
  /** Returns the current date of the wall clock. */
  now(): Date;
  /** Returns the milliseconds since an arbitrary start of the clock; never decreases. */
  monotonicMs(): number;
  /**
   * Calls `callback` once after `delayMs` milliseconds of the clock, unless the returned timer is
   * disposed.
   */
  after(delayMs: number, callback: () => void): Timer;
}

/**
 * The delay from which on timers of the system clock share one timer of the runtime, in
 * milliseconds. Shorter ones are seldom cancelled, and each would start the shared timer anew.
 */
const SHARED_FROM_MS = 1_000;

const now = performance.now.bind(performance);
const shared = new SharedTimers({
  monotonicMs: now,
  start: startRuntimeTimer,
  soon: (callback) => void setImmediate(callback),
});

/**
 * The clock of the machine that this process runs on. A test that replaces the timers of the
 * runtime replaces those of this clock that are started from then on.
 */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after: (delayMs, callback) =>
    delayMs >= SHARED_FROM_MS && !areTimersFake()
      ? shared.after(delayMs, callback)
      : new SystemTimer(delayMs, callback),
};
