import assert from "node:assert/strict";
import { delay } from "../base/time/delay.ts";
import { seededRandom } from "../base/time/random.ts";
import { FakeClock } from "../base/time/fake_clock.ts";
import { DelayingQueue } from "./delaying_queue.ts";
import { take, takeAll } from "./support_test.ts";
import { testSeed } from "../../../tests/support/seed.ts";

Deno.test("B9 addAfter() fires only after its delay, and once", () => {
  const clock = new FakeClock();
  const queue = new DelayingQueue<string>({ clock });
  queue.addAfter("a", 50);
  assert.deepEqual([queue.len, queue.waiting, queue.readyAtMs("a")], [0, 1, 50]);
  clock.step(49);
  assert.equal(queue.len, 0);
  clock.step(1);
  assert.deepEqual([queue.len, queue.waiting, queue.readyAtMs("a")], [1, 0, undefined]);
  take(queue).done();
  clock.step(60_000);
  assert.equal(queue.len, 0);
  assert.equal(clock.pending, 0);
});

Deno.test("B9 a timer that fires early releases nothing early", () => {
  const clock = new FakeClock();
  const early = {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    after: (ms: number, callback: () => void) => clock.after(ms > 1 ? ms - 1 : ms, callback),
  };
  const queue = new DelayingQueue<string>({ clock: early });
  queue.addAfter("a", 50);
  clock.step(49);
  assert.equal(queue.len, 0);
  clock.step(1);
  assert.equal(queue.len, 1);
});

Deno.test("B10 the earlier of two addAfter() counts, in either order of the calls", () => {
  for (const delays of [[50, 30], [30, 50]] as const) {
    const clock = new FakeClock();
    const queue = new DelayingQueue<string>({ clock });
    for (const ms of delays) queue.addAfter("a", ms);
    assert.equal(queue.waiting, 1);
    clock.step(29);
    assert.equal(queue.len, 0);
    clock.step(1);
    assert.deepEqual(takeAll(queue), ["a"]);
    clock.step(1_000);
    assert.equal(queue.len, 0, "single delivery");
  }
});

Deno.test("B11 keys are queued in the order of their times, not of the calls", () => {
  const clock = new FakeClock();
  const queue = new DelayingQueue<string>({ clock });
  queue.addAfter("late", 300);
  queue.addAfter("first", 100);
  queue.addAfter("middle", 200);
  queue.addAfter("middle too", 200);
  assert.deepEqual(queue.waitingKeys(), ["first", "middle", "middle too", "late"]);
  clock.step(1_000);
  assert.deepEqual(takeAll(queue), ["first", "middle", "middle too", "late"]);
});

Deno.test("B11 a thousand keys with random delays, some hastened: ready order, one timer", () => {
  const seed = testSeed();
  const random = seededRandom(seed);
  const clock = new FakeClock();
  const queue = new DelayingQueue<number>({ clock });
  const due = new Map<number, number>();
  for (let call = 0; call < 3_000; call++) {
    const key = Math.floor(random.next() * 1_000);
    const ms = 1 + random.next() * 1e6;
    queue.addAfter(key, ms);
    due.set(key, Math.min(ms, due.get(key) ?? Infinity));
    assert.equal(clock.pending, 1);
    assert.equal(clock.nextInMs, Math.min(clock.nextInMs!, ms));
  }
  const expected = [...due].sort((a, b) => a[1] - b[1]).map(([key]) => key);
  assert.deepEqual(queue.waitingKeys(), expected);
  clock.step(1e6 + 1);
  assert.deepEqual(takeAll(queue), expected);
  assert.equal(clock.pending, 0);
});

Deno.test("addAfter() of zero or less adds at once", () => {
  const queue = new DelayingQueue<string>({ clock: new FakeClock() });
  queue.addAfter("a", 0);
  queue.addAfter("b", -Infinity);
  assert.deepEqual(takeAll(queue), ["a", "b"]);
  assert.throws(
    () => queue.addAfter("a", NaN),
    /Cannot delay a: delayMs must be a number, is NaN/,
  );
});

Deno.test("addAfter() of Infinity waits until a shorter delay is given", () => {
  const clock = new FakeClock();
  const queue = new DelayingQueue<string>({ clock });
  queue.addAfter("a", Infinity);
  clock.step(1e15);
  assert.deepEqual([queue.len, queue.waiting], [0, 1]);
  queue.addAfter("a", 5);
  clock.step(5);
  assert.deepEqual(takeAll(queue), ["a"]);
});

Deno.test("F19 a delay beyond the machine's maximum does not fire at once", async () => {
  const queue = new DelayingQueue<string>();
  queue.addAfter("a", 2 ** 31);
  queue.addAfter("b", Infinity);
  await delay(5);
  assert.deepEqual([queue.len, queue.waiting], [0, 2]);
  queue.shutDown();
});

Deno.test("add() of a waiting key queues it now and keeps the wait", () => {
  const clock = new FakeClock();
  const queue = new DelayingQueue<string>({ clock });
  queue.addAfter("a", 50);
  queue.add("a");
  assert.deepEqual([queue.len, queue.waiting], [1, 1]);
  assert.deepEqual(takeAll(queue), ["a"]);
  clock.step(50);
  assert.deepEqual(takeAll(queue), ["a"]);
});

Deno.test("a key that is due while being processed is delivered after done", () => {
  const clock = new FakeClock();
  const queue = new DelayingQueue<string>({ clock });
  queue.add("a");
  const lease = take(queue);
  queue.addAfter("a", 50);
  clock.step(50);
  assert.deepEqual([queue.len, queue.processingKeys()], [0, ["a"]]);
  lease.done();
  assert.deepEqual(takeAll(queue), ["a"]);
});

Deno.test("a waiting get receives a delayed key when it is due", async () => {
  const clock = new FakeClock();
  const queue = new DelayingQueue<string>({ clock });
  const waiting = queue.get();
  queue.addAfter("a", 50);
  clock.step(50);
  assert.equal((await waiting)?.key, "a");
});

Deno.test("both shutdowns drop the waiting keys and the timer, and refuse later keys", async () => {
  for (const end of ["shutDown", "shutDownWithDrain"] as const) {
    const clock = new FakeClock();
    const queue = new DelayingQueue<string>({ clock });
    queue.addAfter("a", 50);
    await queue[end]();
    assert.deepEqual([queue.waiting, queue.waitingKeys(), clock.pending], [0, [], 0]);
    queue.addAfter("b", 50);
    queue.addAfter("c", 0);
    clock.step(100);
    assert.deepEqual([queue.len, queue.waiting, clock.pending], [0, 0, 0]);
    assert.equal(queue.get(), undefined);
  }
});
