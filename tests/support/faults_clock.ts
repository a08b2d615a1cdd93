import { type Clock, systemClock } from "../../lib/base/clock.ts";

/**
 * The machine's time, so many times faster: deadlines of minutes pass in seconds, against real
 * servers too. Dates stay what they are.
 */
export function fastClock(times: number): Clock {
  return {
    now: () => systemClock.now(),
    monotonicMs: () => systemClock.monotonicMs() * times,
    after: (delayMs, callback) => systemClock.after(delayMs / times, callback),
  };
}
