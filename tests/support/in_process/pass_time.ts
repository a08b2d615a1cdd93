import type { FakeClock } from "../../../lib/testing/fake_clock.ts";

const STEP_MS = 1000;

/**
 * Lets time pass on a fake clock, and calls a function after each step, which waits for work in real
 * time, such as HTTP requests. A step is a second, or the time until the next timer if that is longer.
 */
export async function passTime(
  clock: FakeClock,
  seconds: number,
  rest: () => Promise<void>,
): Promise<void> {
  let leftMs = seconds * 1000;
  let stepMs = STEP_MS; // the work that has just been caused may have no timer yet
  while (leftMs > 0) {
    stepMs = Math.min(leftMs, stepMs);
    await clock.advance(stepMs);
    await rest();
    leftMs -= stepMs;
    stepMs = Math.max(STEP_MS, clock.nextInMs ?? leftMs);
  }
}
