import assert from "node:assert/strict";
import { FakeClock } from "../../base/time/fake_clock.ts";
import { defaultRateLimiter } from "./default_rate_limiter.ts";
import { RateLimitingQueue } from "../rate_limiting_queue.ts";
import { RecoveringLimiter } from "./recovering_limiter.ts";

/** Processes a queue, one step of the clock at a time; `works` decides whether a key succeeds. */
function workOff(
  queue: RateLimitingQueue<number>,
  clock: FakeClock,
  works: (key: number) => boolean,
  untilMs: number,
): { done: Set<number>; runs: number } {
  const done = new Set<number>();
  let runs = 0;
  while (clock.monotonicMs() < untilMs) {
    for (let left = queue.len; left > 0; left = queue.len) {
      const next = queue.get();
      assert(next && !(next instanceof Promise));
      using lease = next;
      runs++;
      if (works(lease.key)) {
        done.add(lease.key);
        queue.forget(lease.key);
      } else {
        queue.addRateLimited(lease.key);
      }
    }
    clock.step(50);
  }
  return { done, runs };
}

Deno.test("RecoveringLimiter delays as the default limiter until a failing key succeeds", () => {
  const clock = new FakeClock();
  const [recovering, plain] = [
    new RecoveringLimiter<number>({ clock }),
    defaultRateLimiter<number>({ clock }),
  ];
  for (let failure = 0; failure < 1_000; failure++) {
    const key = failure % 7 === 0 ? failure : failure % 50;
    assert.equal(recovering.whenMs(key), plain.whenMs(key));
    assert.equal(recovering.numRequeues(key), plain.numRequeues(key));
    clock.step(failure % 3);
  }
  assert.deepEqual(recovering.takeReleased(), []);
});

Deno.test("RecoveringLimiter: after an outage 20 000 keys recover in seconds, not in half an hour", () => {
  const clock = new FakeClock();
  const queue = new RateLimitingQueue<number>({
    clock,
    rateLimiter: new RecoveringLimiter({ clock }),
  });
  for (let key = 0; key < 20_000; key++) queue.add(key);
  const outage = workOff(queue, clock, () => false, 60_000);
  assert(outage.runs < 20_000 + 100 + 620, `${outage.runs} runs: the server is spared`);
  const { done, runs } = workOff(queue, clock, () => true, 61_500);
  assert.equal(done.size, 20_000);
  assert.equal(runs, 20_000);
  assert.equal(queue.waiting, 0);
  queue.shutDown();
});

Deno.test("RecoveringLimiter keeps the own back-off of failing keys, and others do not wait for them", () => {
  const clock = new FakeClock();
  const queue = new RateLimitingQueue<number>({
    clock,
    rateLimiter: new RecoveringLimiter({ clock }),
  });
  for (let key = 0; key < 4_000; key++) queue.add(key);
  workOff(queue, clock, () => false, 10_000);
  const { done, runs } = workOff(queue, clock, (key) => key % 4 !== 0, 40_000);
  assert.equal(done.size, 3_000);
  assert(runs < 3_000 + 1_000 * 14, `${runs} runs: 5 ms doubled twelve times are 20 s`);
  queue.shutDown();
});

Deno.test("RecoveringLimiter refuses invalid numbers", () => {
  assert.throws(() => new RecoveringLimiter({ releasedPerSuccess: 0 }), RangeError);
  assert.throws(() => new RecoveringLimiter({ baseMs: 0 }), RangeError);
  assert.throws(() => new RecoveringLimiter({ perSecond: NaN }), RangeError);
});
