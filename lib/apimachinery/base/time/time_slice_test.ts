import assert from "node:assert/strict";
import { FakeClock } from "./fake_clock.ts";
import { systemClock, type Timer } from "./clock.ts";
import { TimeSlice } from "./time_slice.ts";

Deno.test("TimeSlice is used up after half of 10 ms; the next begins after other work had its turn", async () => {
  const clock = new FakeClock();
  const slice = new TimeSlice(clock);
  clock.step(3);
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

Deno.test("TimeSlice gives each caller with long steps one turn of the event loop, in order of arrival", async () => {
  const slice = new TimeSlice();
  const turns: string[] = [];
  let turn = 0;
  const watch = setInterval(() => turn++, 0);
  const seen: number[] = [];
  const share = async (who: string): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      await slice.next();
      turns.push(who);
      seen.push(turn);
      const until = performance.now() + 5;
      while (performance.now() < until);
    }
  };
  await Promise.all([share("a"), share("b"), share("c")]);
  clearInterval(watch);
  assert.equal(turns.join(""), "abcabcabc");
  assert.equal(new Set(seen).size, seen.length, "others had their turn between any two");
});

Deno.test("TimeSlice continues as many callers in one turn of the event loop as fit, in order, one after the other", async () => {
  let nowMs = 10;
  let turns = 0;
  const after = (delayMs: number, callback: () => void): Timer => {
    turns++;
    return systemClock.after(delayMs, callback);
  };
  const slice = new TimeSlice({ ...systemClock, monotonicMs: () => nowMs, after });
  nowMs = 20;
  const steps: [who: number, startMs: number][] = [];
  await Promise.all(Array.from({ length: 10 }, async (_, who) => {
    await slice.next();
    assert.equal(slice.used, false, "there is time left");
    steps.push([who, nowMs]);
    nowMs++;
  }));
  assert.deepEqual(steps, Array.from({ length: 10 }, (_, who) => [who, 20 + who]));
  assert.equal(turns, 3, "ten steps of 1 ms in slices of 4 ms");
});

Deno.test("TimeSlice.next() resolves when an earlier caller was aborted", async () => {
  const clock = new FakeClock();
  const slice = new TimeSlice(clock);
  const abort = new AbortController();
  const first = slice.next(abort.signal);
  const second = slice.next();
  abort.abort(new Error("enough"));
  await assert.rejects(first, /enough/);
  await clock.advance(0);
  await second;
  assert.equal(clock.pending, 0);
});
