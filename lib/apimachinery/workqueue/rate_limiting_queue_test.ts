import assert from "node:assert/strict";
import { seededRandom } from "../base/time/random.ts";
import { FakeClock } from "../base/time/fake_clock.ts";
import { BackoffWindows } from "./backoff_windows.ts";
import { DelayingQueue } from "./delaying_queue.ts";
import { ItemExponentialLimiter } from "./limiters/item_exponential_limiter.ts";
import { RateLimitingQueue, type RateLimitingQueueOptions } from "./rate_limiting_queue.ts";
import { take } from "./support_test.ts";
import { testSeed } from "../../../tests/support/seed.ts";

function setUp(options: RateLimitingQueueOptions<string> = {}) {
  const clock = new FakeClock();
  const queue = new RateLimitingQueue<string>({
    clock,
    rateLimiter: new ItemExponentialLimiter({ baseMs: 1_000, maxMs: 1_000_000 }),
    ...options,
  });
  /** Takes the queued key, and reports a failure of it. */
  const fail = (): void => {
    using lease = take(queue);
    queue.addRateLimited(lease.key);
  };
  return { clock, queue, fail };
}

Deno.test("addRateLimited() applies the limiter's delay, and forget() ends the back-off", () => {
  const { clock, queue, fail } = setUp();
  queue.add("a");
  for (const expectedMs of [1_000, 2_000, 4_000]) {
    fail();
    assert.deepEqual([queue.len, queue.waiting, queue.backingOffKeys()], [0, 1, ["a"]]);
    assert.equal(queue.readyAtMs("a"), clock.monotonicMs() + expectedMs);
    clock.step(expectedMs);
    assert.deepEqual([queue.len, queue.waiting, queue.backingOffKeys()], [1, 0, []]);
  }
  assert.equal(queue.numRequeues("a"), 3);
  queue.forget("a");
  assert.equal(queue.numRequeues("a"), 0);
  fail();
  assert.equal(queue.readyAtMs("a"), clock.monotonicMs() + 1_000);
});

Deno.test("addRateLimited() of a key that backs off counts no failure and keeps the retry", () => {
  const { clock, queue } = setUp();
  queue.addRateLimited("a");
  clock.step(400);
  for (let time = 0; time < 20; time++) queue.addRateLimited("a");
  assert.equal(queue.numRequeues("a"), 1);
  assert.equal(queue.readyAtMs("a"), 1_000);
  clock.step(600);
  assert.equal(queue.len, 1);
});

Deno.test("other triggers do not escalate a failing key's back-off", () => {
  const { clock, queue, fail } = setUp();
  queue.add("a");
  fail();
  for (let time = 0; time < 9; time++) {
    clock.step(100);
    queue.add("a");
    assert.equal(queue.len, 1, "an add runs the key at once");
    fail();
  }
  assert.equal(queue.numRequeues("a"), 1);
  assert.equal(queue.readyAtMs("a"), 1_000);
  clock.step(100);
  fail();
  assert.equal(queue.numRequeues("a"), 2);
  assert.equal(queue.readyAtMs("a"), 3_000);
});

Deno.test("rounding of times does not make a retry come before the end of its back-off", () => {
  const random = seededRandom(testSeed());
  for (let round = 0; round < 1_000; round++) {
    const baseMs = 1 + random.next() * 1_000;
    const { clock, queue, fail } = setUp({ rateLimiter: new ItemExponentialLimiter({ baseMs }) });
    clock.step(random.next());
    queue.add("a");
    fail();
    clock.step(random.next() * clock.nextInMs! / 4);
    queue.addAfter("a", 1e-9);
    clock.step(1e-9);
    fail();
    assert.equal(queue.numRequeues("a"), 1);
    clock.step(clock.nextInMs!);
    fail();
    assert.equal(queue.numRequeues("a"), 2);
  }
});

Deno.test("F38 with addDuringBackoff: waits, add() does not bypass the back-off and is not lost", () => {
  const { clock, queue, fail } = setUp({ addDuringBackoff: "waits" });
  queue.add("a");
  fail();
  for (let time = 0; time < 9; time++) {
    clock.step(100);
    queue.add("a");
    queue.add("b");
    assert.equal(queue.len, 1, "only the key without failures is in line");
    using lease = take(queue);
    assert.equal(lease.key, "b");
  }
  clock.step(100);
  assert.equal(queue.len, 1);
  fail();
  queue.forget("a");
  queue.add("a");
  assert.equal(queue.len, 1, "a forgotten key backs off no more");
});

Deno.test("F38 with addDuringBackoff: waits, an add after an early delivery leads to a run", () => {
  const { clock, queue, fail } = setUp({ addDuringBackoff: "waits" });
  queue.add("a");
  fail();
  queue.addAfter("a", 100);
  clock.step(100);
  assert.equal(queue.len, 1);
  take(queue).done();
  queue.add("a");
  assert.deepEqual([queue.len, queue.readyAtMs("a")], [0, 1_000]);
  clock.step(900);
  assert.equal(queue.len, 1);
});

Deno.test("a long addAfter() does not hide a failure: it counts, and its retry is earlier", () => {
  const { clock, queue, fail } = setUp();
  queue.addAfter("a", 600_000);
  queue.add("a");
  fail();
  assert.equal(queue.numRequeues("a"), 1);
  assert.equal(queue.readyAtMs("a"), clock.monotonicMs() + 1_000);
});

Deno.test("forget() keeps a retry, whose cause may be newer than the run", () => {
  const { clock, queue } = setUp();
  queue.addRateLimited("a");
  queue.forget("a");
  assert.deepEqual([queue.waiting, queue.backingOffKeys()], [1, []]);
  clock.step(1_000);
  assert.equal(queue.len, 1);
});

Deno.test("a worker may drop a key after a fixed number of retries", () => {
  const { clock, queue } = setUp();
  let runs = 0;
  queue.add("a");
  while (queue.len + queue.waiting > 0) {
    clock.step(clock.nextInMs ?? 0);
    using lease = take(queue);
    runs++;
    if (queue.numRequeues(lease.key) < 5) queue.addRateLimited(lease.key);
    else queue.forget(lease.key);
  }
  assert.equal(runs, 6);
});

Deno.test("expired windows take no memory, even when keys are never forgotten", () => {
  const windows = new BackoffWindows<number>();
  for (let nowMs = 0; nowMs < 10_000; nowMs++) {
    windows.open(nowMs, nowMs + 10, nowMs);
    assert(windows.size <= 64, `${windows.size} windows are kept, 10 are open`);
  }
  assert.equal(windows.openKeys(9_999).length, 10);
});

Deno.test("a queue given in the options is used, and shut down with this one", async () => {
  const clock = new FakeClock();
  const inner = new DelayingQueue<string>({ clock });
  const queue = new RateLimitingQueue<string>({ clock, queue: inner });
  queue.addRateLimited("a");
  assert.deepEqual([inner.waiting, queue.waitingKeys()], [1, ["a"]]);
  await queue.shutDownWithDrain();
  assert.deepEqual(queue.backingOffKeys(), []);
  queue.addRateLimited("b");
  assert.deepEqual([inner.shuttingDown, queue.waiting, queue.numRequeues("b")], [true, 0, 0]);
  assert.deepEqual([queue.backingOffKeys(), clock.pending], [[], 0]);
});

Deno.test("after shutDown() no key backs off", () => {
  const { clock, queue } = setUp();
  queue.addRateLimited("a");
  queue.shutDown();
  assert.deepEqual([queue.backingOffKeys(), queue.waiting, clock.pending], [[], 0, 0]);
});

Deno.test("addDuringBackoff of another value is refused", () => {
  const options = { addDuringBackoff: "wait" as never };
  assert.throws(() => new RateLimitingQueue(options), /must be "runs" or "waits", is wait/);
});
