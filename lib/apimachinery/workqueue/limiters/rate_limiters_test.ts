import assert from "node:assert/strict";
import { FakeClock } from "../../base/time/fake_clock.ts";
import { BucketLimiter } from "./bucket_limiter.ts";
import { defaultRateLimiter } from "./default_rate_limiter.ts";
import { FastSlowLimiter } from "./fast_slow_limiter.ts";
import { ItemExponentialLimiter } from "./item_exponential_limiter.ts";
import { MaxOfLimiter } from "./max_of_limiter.ts";
import { MaxWaitLimiter } from "./max_wait_limiter.ts";
import { RateLimitingQueue } from "../rate_limiting_queue.ts";
import { RecoveringLimiter } from "./recovering_limiter.ts";
import type { KeyLease } from "../key_lease.ts";
import type { RateLimiter } from "./rate_limiter.ts";

function delays(limiter: RateLimiter<string>, key: string, count: number): number[] {
  return Array.from({ length: count }, () => limiter.whenMs(key));
}

Deno.test("B12 the exponential limiter doubles per key, and forget() resets it", () => {
  const limiter = new ItemExponentialLimiter<string>({ baseMs: 1, maxMs: 1_000 });
  assert.deepEqual(delays(limiter, "one", 5), [1, 2, 4, 8, 16]);
  assert.equal(limiter.numRequeues("one"), 5);
  assert.deepEqual(delays(limiter, "two", 2), [1, 2]);
  assert.equal(limiter.numRequeues("two"), 2);
  limiter.forget("one");
  assert.equal(limiter.numRequeues("one"), 0);
  assert.deepEqual(delays(limiter, "one", 1), [1]);
  assert.equal(limiter.numRequeues("two"), 2);
});

Deno.test("B13 the exponential limiter stays at its maximum through every overflow", () => {
  const limiter = new ItemExponentialLimiter<string>({ baseMs: 1, maxMs: 1_000_000 });
  const all = delays(limiter, "one", 3_000);
  assert(all.every((ms) => ms > 0 && ms <= 1_000_000));
  assert(all.slice(20).every((ms) => ms === 1_000_000));
  const uncapped = new ItemExponentialLimiter<string>({ baseMs: 1, maxMs: Number.MAX_VALUE });
  assert.equal(delays(uncapped, "one", 2_000).at(-1), Number.MAX_VALUE);
});

Deno.test("B14 the fast-slow limiter is fast N times, then slow", () => {
  const limiter = new FastSlowLimiter<string>({ fastMs: 5, slowMs: 10_000, maxFastAttempts: 3 });
  assert.deepEqual(delays(limiter, "one", 5), [5, 5, 5, 10_000, 10_000]);
  assert.equal(limiter.numRequeues("one"), 5);
  assert.deepEqual(delays(limiter, "two", 1), [5]);
  limiter.forget("one");
  assert.deepEqual(delays(limiter, "one", 1), [5]);
});

Deno.test("B14 MaxOfLimiter takes the longest delay and the largest count, and forgets in all limiters", () => {
  const limiter = new MaxOfLimiter<string>(
    new FastSlowLimiter({ fastMs: 5, slowMs: 3_000, maxFastAttempts: 3 }),
    new ItemExponentialLimiter({ baseMs: 1, maxMs: 1_000 }),
    new BucketLimiter({ perSecond: 1, burst: 1_000, clock: new FakeClock() }),
  );
  assert.deepEqual(delays(limiter, "one", 5), [5, 5, 5, 3_000, 3_000]);
  assert.equal(limiter.numRequeues("one"), 5);
  limiter.forget("one");
  assert.equal(limiter.numRequeues("one"), 0);
  assert.deepEqual(delays(limiter, "one", 1), [5]);
  assert.equal(new MaxOfLimiter<string>().whenMs("one"), 0);
});

Deno.test("B14 MaxWaitLimiter limits the delays of another limiter", () => {
  const limiter = new MaxWaitLimiter<string>(
    new FastSlowLimiter({ fastMs: 5, slowMs: 10_000, maxFastAttempts: 2 }),
    1_000,
  );
  assert.deepEqual(delays(limiter, "one", 3), [5, 5, 1_000]);
  assert.equal(limiter.numRequeues("one"), 3);
  limiter.forget("one");
  assert.deepEqual(delays(limiter, "one", 1), [5]);
});

Deno.test("MaxWaitLimiter passes on the releases of another limiter, and none makes a wait longer", () => {
  const clock = new FakeClock();
  const recovering = new RecoveringLimiter<string>({
    baseMs: 8_000,
    perSecond: 0.1,
    burst: 1,
    clock,
  });
  const rateLimiter = new MaxWaitLimiter(recovering, 5_000);
  const queue = new RateLimitingQueue<string>({ clock, rateLimiter });
  for (const key of ["first", "second", "third"]) queue.addRateLimited(key);
  clock.step(2_000);
  queue.forget("first"); // releases the others, whose own back-off is over after 8 s
  assert.deepEqual(["second", "third"].map((key) => queue.readyAtMs(key)), [5_000, 5_000]);
  clock.step(3_000);
  using first = queue.get() as KeyLease<string>;
  using lease = queue.get() as KeyLease<string>;
  queue.addRateLimited(lease.key); // a failure after the back-off, which is counted
  assert.deepEqual([first.key, lease.key], ["first", "second"]);
  assert.equal(queue.numRequeues("second"), 2);
  queue.shutDown();
});

Deno.test("MaxWaitLimiter: a key that another limiter releases is retried before the longest wait is over", () => {
  const clock = new FakeClock();
  const recovering = new RecoveringLimiter<string>({
    baseMs: 5,
    perSecond: 0.001,
    burst: 1,
    clock,
  });
  const limiter = new MaxWaitLimiter(recovering, 60_000);
  assert.deepEqual(["a", "b"].map((key) => limiter.whenMs(key)), [5, 60_000]);
  limiter.forget("a");
  assert.deepEqual(limiter.takeReleased(), [{ key: "b", inMs: 5 }]);
  assert.deepEqual(new MaxWaitLimiter(new MaxOfLimiter<string>(), 1).takeReleased(), []);
});

Deno.test("MaxOfLimiter passes on a release, with the longest delay of its other limiters", () => {
  const clock = new FakeClock();
  const recovering = new RecoveringLimiter<string>({ perSecond: 0.125, burst: 1, clock });
  const rateLimiter = new MaxOfLimiter<string>(
    new ItemExponentialLimiter({ baseMs: 2_000 }),
    recovering,
  );
  const queue = new RateLimitingQueue<string>({ clock, rateLimiter });
  for (const key of ["first", "second", "third"]) queue.addRateLimited(key);
  assert.deepEqual(["second", "third"].map((key) => queue.readyAtMs(key)), [8_000, 16_000]);
  clock.step(1_000);
  queue.forget("first");
  assert.deepEqual(["second", "third"].map((key) => queue.readyAtMs(key)), [3_000, 3_000]);
  queue.shutDown();
});

Deno.test("MaxOfLimiter keeps the delay of a released key as long as another limiter demands", () => {
  const releasing = (inMs: number): RateLimiter<string> => ({
    whenMs: () => 9_000,
    forget: () => {},
    numRequeues: () => 0,
    takeReleased: () => [{ key: "a", inMs }],
  });
  const limiter = new MaxOfLimiter<string>(releasing(5), releasing(10));
  limiter.whenMs("a");
  assert.deepEqual(limiter.takeReleased().map(({ inMs }) => inMs), [9_000, 10]);
  assert.deepEqual(limiter.takeReleased().map(({ inMs }) => inMs), [10, 10]);
  limiter.forget("a");
  assert.deepEqual(limiter.takeReleased().map(({ inMs }) => inMs), [5, 10]);
});

Deno.test("the bucket limiter passes a burst, then spaces all keys evenly", () => {
  const clock = new FakeClock();
  const limiter = new BucketLimiter<string>({ perSecond: 10, burst: 2, clock });
  assert.deepEqual(["a", "b", "c", "a"].map((key) => limiter.whenMs(key)), [0, 0, 100, 200]);
  assert.equal(limiter.numRequeues("a"), 0);
  limiter.forget("a");
  clock.step(300);
  assert.equal(limiter.whenMs("a"), 0);
});

Deno.test("the default limiter delays 5 ms to 1000 s per key, and 10 per second over all after 100", () => {
  const clock = new FakeClock();
  const perKey = defaultRateLimiter<string>({ clock });
  assert.deepEqual(delays(perKey, "one", 4), [5, 10, 20, 40]);
  assert.deepEqual(delays(perKey, "one", 20).at(-1), 1_000_000);
  const overall = defaultRateLimiter<string>({ clock });
  const firsts = Array.from({ length: 102 }, (_, index) => overall.whenMs(`key-${index}`));
  assert(firsts.slice(0, 100).every((ms) => ms === 5));
  assert.deepEqual(firsts.slice(100), [100, 200]);
});

Deno.test("limiters refuse invalid delays", () => {
  assert.throws(() => new ItemExponentialLimiter({ baseMs: 0 }), /baseMs must be above 0 ms, is 0/);
  assert.throws(() => new ItemExponentialLimiter({ maxMs: NaN }), /maxMs .* is NaN/);
  assert.throws(() => new MaxWaitLimiter(new MaxOfLimiter(), -1), /maxMs .* is -1/);
  assert.throws(
    () => new FastSlowLimiter({ fastMs: 1, slowMs: 1, maxFastAttempts: -1 }),
    /maxFastAttempts must be 0 or more, is -1/,
  );
  assert.throws(() => new BucketLimiter({ perSecond: 0, burst: 1 }), RangeError);
});
