import assert from "node:assert/strict";
import { FakeClock } from "./fake_clock.ts";
import { linkedAbort } from "./abort.ts";
import { Backoff } from "./backoff.ts";
import { delay } from "./delay.ts";
import { seededRandom } from "./random.ts";
import { TokenBucket } from "./token_bucket.ts";

Deno.test("delay() resolves after its time and not before", async () => {
  const clock = new FakeClock();
  let over = false;
  const waiting = delay(1000, { clock }).then(() => over = true);
  await clock.advance(999);
  assert(!over);
  await clock.advance(1);
  assert(over);
  await waiting;
});

Deno.test("a delay that is no number or negative is over at once, on a fake clock too", async () => {
  for (const delayMs of [NaN, -1]) {
    const clock = new FakeClock();
    let over = false;
    const waiting = delay(delayMs, { clock }).then(() => over = true);
    await clock.advance(0);
    assert.deepEqual([over, clock.monotonicMs()], [true, 0]);
    await waiting;
  }
});

Deno.test("delay() rejects with the reason of its signal and leaves no timer", async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  const waiting = delay(1000, { clock, signal: stop.signal });
  stop.abort(new Error("enough"));
  await assert.rejects(waiting, /enough/);
  assert.equal(clock.pending, 0);
  await assert.rejects(delay(1, { clock, signal: stop.signal }), /enough/);
  assert.equal(clock.pending, 0);
});

Deno.test("linkedAbort() follows every signal and the clock, and releases them when disposed", async () => {
  const clock = new FakeClock();
  const parent = new AbortController();
  const listeners = countListeners(parent.signal);
  {
    using link = linkedAbort({ signals: [parent.signal, undefined], timeoutMs: 50, clock });
    assert.equal(listeners(), 1);
    await clock.advance(50);
    assert(link.signal.aborted);
    assert.match(String(link.signal.reason), /50 ms/);
  }
  assert.equal(listeners(), 0);
  assert.equal(clock.pending, 0);
  using link = linkedAbort({ signals: [parent.signal], timeoutMs: 50, clock });
  parent.abort("gone");
  assert.equal(link.signal.reason, "gone");
  using late = linkedAbort({ signals: [parent.signal], timeoutMs: 50, clock });
  assert.equal(late.signal.reason, "gone");
});

function countListeners(signal: AbortSignal): () => number {
  let count = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => (count++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (count--, remove(...args));
  return () => count;
}

Deno.test("B50 Backoff doubles to its cap, with jitter, and resets after a quiet time", async () => {
  const clock = new FakeClock();
  const plain = new Backoff({ clock, jitter: 0 });
  const delays = Array.from({ length: 8 }, () => plain.nextMs());
  assert.deepEqual(delays, [800, 1600, 3200, 6400, 12800, 25600, 30000, 30000]);
  await clock.advance(120_000);
  assert.equal(plain.nextMs(), 30_000);
  await clock.advance(120_001);
  assert.equal(plain.nextMs(), 800);

  const jittered = new Backoff({ clock, random: seededRandom(7), maxMs: 1000 });
  const seen = new Set(Array.from({ length: 100 }, () => jittered.nextMs()));
  assert([...seen].every((ms) => ms >= 800 && ms < 2000));
  assert(seen.size > 50);
});

Deno.test("TokenBucket lends tokens in order and refills at its rate", () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ perSecond: 10, burst: 2, clock });
  assert.deepEqual([1, 2, 3, 4].map(() => bucket.reserveMs()), [0, 0, 100, 200]);
  assert(!bucket.tryTake());
  clock.step(1_000_000);
  assert(bucket.tryTake());
  assert(bucket.tryTake());
  assert(!bucket.tryTake());
  assert.throws(() => new TokenBucket({ perSecond: 0, burst: 1 }), RangeError);
  assert.throws(() => new TokenBucket({ perSecond: 1, burst: Number.NaN }), RangeError);
});

Deno.test("TokenBucket without a limit never waits", () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ perSecond: Infinity, burst: 1, clock });
  assert.deepEqual([1, 2, 3].map(() => bucket.reserveMs()), [0, 0, 0]);
  assert.equal(bucket.peekMs(), 0);
  clock.step(1);
  assert(bucket.tryTake());
});

Deno.test("seededRandom() is reproducible, stays in range, and returns valid UUIDs", () => {
  const [a, b] = [seededRandom(42), seededRandom(42)];
  for (let i = 0; i < 1000; i++) {
    const value = a.next();
    assert.equal(value, b.next());
    assert(value >= 0 && value < 1);
  }
  assert.match(a.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
