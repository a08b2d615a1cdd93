import assert from "node:assert/strict";
import { type Clock, systemClock, type Timer } from "./clock.ts";
import { LoopShare } from "./loop_share.ts";

/** A fake clock that advances only by the work done, and counts the waiting tasks. */
class WorkClock implements Clock {
  ms = 0;
  waits = 0;
  now = (): Date => new Date(this.ms);
  monotonicMs = (): number => this.ms;
  after(_: number, callback: () => void): Timer {
    this.waits++;
    return systemClock.after(0, callback);
  }

  /** Yields steps of work that take a number of milliseconds each. */
  *steps(count: number, ms: number): Generator<void, number> {
    for (let step = 0; step < count; step++) {
      this.ms += ms;
      yield;
    }
    return count;
  }
}

Deno.test("LoopShare: work that ends within the slice never waits; longer work lets others run", async () => {
  const clock = new WorkClock();
  const share = new LoopShare(clock, 4);
  assert.equal(share.begin().run(clock.steps(3, 1)), 3);
  assert.equal(await share.begin().run(clock.steps(40, 1)), 40);
  assert.equal(clock.waits, 10);
});

Deno.test("LoopShare: work with guaranteed steps does not wait before they are used", () => {
  const clock = new WorkClock();
  const work = new LoopShare(clock, 4).begin(undefined, 40);
  assert.equal(work.run(clock.steps(40, 100)), 40);
  assert.equal(work.used, true);
});

Deno.test("LoopShare: with a stopped clock no work waits, however long it is", () => {
  const clock = new WorkClock();
  assert.equal(new LoopShare(clock).begin().run(clock.steps(100_000, 0)), 100_000);
  assert.equal(clock.waits, 0);
});

Deno.test("LoopShare: work that begins in one turn shares its slice, with a minimum for each", async () => {
  const clock = new WorkClock();
  const share = new LoopShare(clock, 4);
  const done = Array.from({ length: 40 }, () => share.begin().run(clock.steps(8, 1)));
  assert.equal(clock.ms, 4 + 39);
  assert.deepEqual(await Promise.all(done), done.map(() => 8));
});

Deno.test("LoopShare: work ends with its signal, and its steps receive the reason", async () => {
  const clock = new WorkClock();
  const abort = new AbortController();
  let ended = false;
  const done = new LoopShare(clock, 4).begin(() => abort.signal).run((function* () {
    try {
      yield* clock.steps(100, 1);
    } finally {
      ended = true;
    }
  })());
  abort.abort(new Error("gone"));
  await assert.rejects(async () => await done, /gone/);
  assert.equal(ended, true);
});

Deno.test("LoopShare: detached work does not end with the signal of the work that began it", async () => {
  const clock = new WorkClock();
  const work = new LoopShare(clock, 4).begin(() => AbortSignal.abort(new Error("gone")));
  await assert.rejects(async () => await work.run(clock.steps(40, 1)), /gone/);
  assert.equal(await work.detached().run(clock.steps(40, 1)), 40);
});
