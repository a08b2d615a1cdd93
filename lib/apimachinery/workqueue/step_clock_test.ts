import assert from "node:assert/strict";
import { systemClock } from "../base/time/clock.ts";
import { FakeClock } from "../base/time/fake_clock.ts";
import { StepClock } from "./step_clock.ts";

/** Holds the thread for a millisecond or more. */
function work(): void {
  const endMs = systemClock.monotonicMs() + 1;
  while (systemClock.monotonicMs() < endMs);
}

Deno.test("now() is the same time in one synchronous step, and a later one in the next", async () => {
  const clock = new StepClock(systemClock);
  const first = clock.now();
  work();
  assert.equal(clock.now(), first);
  await Promise.resolve();
  const second = clock.now();
  assert(second >= first + 1, `${second} is not after ${first}`);
});

Deno.test("read() returns the present time, which now() then returns too", async () => {
  const clock = new StepClock(systemClock);
  const first = clock.now();
  work();
  const second = clock.read();
  assert(second >= first + 1, `${second} is not after ${first}`);
  assert.equal(clock.now(), second);
  await Promise.resolve();
  work();
  assert(clock.now() >= second + 1);
});

Deno.test("a clock other than systemClock is read at each call", () => {
  const fake = new FakeClock();
  const clock = new StepClock(fake);
  const first = clock.now();
  fake.step(5);
  assert.deepEqual([clock.now(), clock.read()], [first + 5, first + 5]);
});
