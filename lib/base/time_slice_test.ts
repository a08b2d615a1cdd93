import assert from "node:assert/strict";
import { FakeClock } from "../testing/fake_clock.ts";
import { TimeSlice } from "./time_slice.ts";

Deno.test("TimeSlice is used up before 10 ms are over; the next begins when others had their turn", async () => {
  const clock = new FakeClock();
  const slice = new TimeSlice(clock);
  clock.step(7);
  assert.equal(slice.used, false);
  clock.step(1);
  assert.equal(slice.used, true);
  const next = slice.next();
  assert.equal(slice.used, true);
  await clock.advance(0);
  await next;
  assert.equal(slice.used, false);
});

Deno.test("TimeSlice.next() ends with its signal and leaves no timer", async () => {
  const clock = new FakeClock();
  const abort = new AbortController();
  const next = new TimeSlice(clock).next(abort.signal);
  abort.abort(new Error("enough"));
  await assert.rejects(next, /enough/);
  assert.equal(clock.pending, 0);
});
