import assert from "node:assert/strict";
import { FakeClock } from "../../testing/fake_clock.ts";
import { IdleDeadline } from "./idle_deadline.ts";

Deno.test("IdleDeadline counts only waits, each from its start", () => {
  const clock = new FakeClock();
  let fired = 0;
  using deadline = new IdleDeadline(1_000, clock, () => fired++);
  clock.step(5_000);
  deadline.begin();
  clock.step(900);
  deadline.end();
  clock.step(5_000);
  deadline.begin();
  clock.step(900);
  deadline.end();
  deadline.begin();
  clock.step(999);
  assert.equal(fired, 0);
  clock.step(1);
  assert.equal(fired, 1);
});

Deno.test("IdleDeadline leaves no timer once disposed", () => {
  const clock = new FakeClock();
  const deadline = new IdleDeadline(1_000, clock, () => assert.fail());
  deadline.begin();
  deadline[Symbol.dispose]();
  assert.equal(clock.pending, 0);
});
