import assert from "node:assert/strict";
import { FakeClock } from "../base/time/fake_clock.ts";
import { DelayingQueue } from "./delaying_queue.ts";
import { ItemExponentialLimiter } from "./limiters/item_exponential_limiter.ts";
import type { MetricsProvider } from "./metrics.ts";
import { Queue } from "./queue.ts";
import { RateLimitingQueue } from "./rate_limiting_queue.ts";
import { take, takeAll } from "./support_test.ts";

const LOW = -100;

/** Test metrics that keep the queue depth of each priority, and count adds and retries. */
class DepthMetrics implements MetricsProvider {
  readonly depths = new Map<number, number>();
  adds_ = 0;
  retries_ = 0;

  depth(): never {
    throw new Error("the gauge of all priorities is not used beside the gauges of each");
  }
  depthOfPriority(_name: string, priority: number) {
    assert(!this.depths.has(priority), "one gauge per priority");
    this.depths.set(priority, 0);
    const change = (by: number): void => {
      const depth = this.depths.get(priority)! + by;
      assert(depth >= 0, `the depth of priority ${priority} is ${depth}`);
      this.depths.set(priority, depth);
    };
    return { inc: () => change(1), dec: () => change(-1) };
  }
  adds() {
    return { inc: () => void this.adds_++ };
  }
  retries() {
    return { inc: () => void this.retries_++ };
  }
  latency() {
    return { observe() {} };
  }
  workDuration() {
    return { observe() {} };
  }
  unfinishedWorkSeconds() {
    return { set() {} };
  }
  longestRunningProcessorSeconds() {
    return { set() {} };
  }
}

Deno.test("B16 of several adds of a key the highest priority and the earliest time count", () => {
  const queue = new Queue<string>();
  queue.add("a", { priority: 5 });
  queue.add("a", { priority: 1 });
  queue.add("a");
  assert.deepEqual(queue.queuedKey("a"), { key: "a", priority: 5, position: 0 });

  const clock = new FakeClock();
  const delaying = new DelayingQueue<string>({ clock });
  delaying.addAfter("b", 2_000, { priority: LOW });
  delaying.addAfter("b", 3_000, { priority: 7 });
  delaying.addAfter("b", 1_000, { priority: 3 });
  assert.deepEqual([delaying.readyAtMs("b"), delaying.waitingPriority("b")], [1_000, 7]);
  clock.step(1_000);
  assert.equal(take(delaying).priority, 7);
});

Deno.test("B17 a key whose priority is raised goes to the end of its new priority", () => {
  const queue = new Queue<string>();
  for (const key of ["low-1", "low-2", "low-3"]) queue.add(key, { priority: LOW });
  queue.add("a");
  queue.add("b");
  queue.add("low-2");
  queue.add("c");
  assert.deepEqual(takeAll(queue), ["a", "b", "low-2", "c", "low-1", "low-3"]);
});

Deno.test("B18 a waiting key counts neither in len nor in depth, and is ordered by when it is ready", () => {
  const clock = new FakeClock();
  const metrics = new DepthMetrics();
  const queue = new DelayingQueue<string>({ name: "q", clock, metrics });
  queue.addAfter("late", 2_000);
  queue.addAfter("soon", 1_000);
  queue.add("now");
  assert.deepEqual([queue.len, metrics.depths.get(0)], [1, 1]);
  clock.step(1_500);
  queue.add("between");
  clock.step(1_500);
  assert.deepEqual([queue.len, metrics.depths.get(0)], [4, 4]);
  assert.deepEqual(takeAll(queue), ["now", "soon", "between", "late"]);
});

Deno.test("B19 an add of a waiting key queues it at once, and a delay does not postpone a queued key", () => {
  const clock = new FakeClock();
  const queue = new DelayingQueue<string>({ clock });
  queue.addAfter("waits", 60_000, { priority: 3 });
  queue.add("waits");
  assert.deepEqual(queue.queuedKey("waits"), { key: "waits", priority: 3, position: 0 });
  queue.add("queued");
  queue.addAfter("queued", 60_000);
  assert.deepEqual(takeAll(queue), ["waits", "queued"]);
  queue.shutDown();
});

Deno.test("B20 a key of a high priority that becomes ready precedes queued keys of a lower one", () => {
  const clock = new FakeClock();
  const queue = new DelayingQueue<string>({ clock });
  queue.addAfter("high", 1_000, { priority: 10 });
  queue.add("a");
  queue.add("b");
  clock.step(1_000);
  assert.deepEqual(takeAll(queue), ["high", "a", "b"]);
});

Deno.test("B21 a key with a worker is queued meanwhile at the highest priority, and handed out when done", () => {
  const queue = new Queue<string>();
  queue.add("a", { priority: LOW });
  const lease = take(queue);
  assert.equal(lease.priority, LOW);
  queue.add("b");
  queue.add("a", { priority: LOW });
  queue.add("a", { priority: 9 });
  queue.add("a", { priority: 1 });
  assert.deepEqual([queue.len, queue.queuedKey("a")], [1, undefined]);
  lease.done();
  assert.deepEqual(queue.queuedKeys(), [
    { key: "a", priority: 9, position: 0 },
    { key: "b", priority: 0, position: 1 },
  ]);
});

Deno.test("B22 a get that waits is served by an add, by a key that becomes ready, and by a shutdown", async () => {
  const clock = new FakeClock();
  const queue = new DelayingQueue<string>({ clock });
  const gets = [queue.get(), queue.get(), queue.get()];
  queue.add("a", { priority: LOW });
  assert.equal((await gets[0])?.key, "a");
  queue.addAfter("b", 1_000, { priority: 5 });
  clock.step(1_000);
  const b = await gets[1];
  assert.deepEqual([b?.key, b?.priority], ["b", 5]);
  queue.shutDown();
  assert.equal(await gets[2], undefined);
  queue.add("c");
  assert.deepEqual([queue.len, await queue.get()], [0, undefined]);
});

Deno.test("B23 each of several failed keys waits for its own delay, and keeps its priority", () => {
  const clock = new FakeClock();
  const rateLimiter = new ItemExponentialLimiter<string>({ baseMs: 100 });
  const queue = new RateLimitingQueue<string>({ clock, rateLimiter });
  queue.addRateLimited("often", { priority: LOW });
  clock.step(100);
  take(queue).done();
  for (const key of ["often", "once"]) queue.addRateLimited(key, { priority: LOW });
  assert.deepEqual([queue.readyAtMs("often"), queue.readyAtMs("once")], [300, 200]);
  clock.step(200);
  assert.deepEqual(queue.queuedKeys().map(({ key, priority }) => [key, priority]), [
    ["once", LOW],
    ["often", LOW],
  ]);
});

Deno.test("addRateLimited() of an invalid priority counts no failure and starts no back-off", () => {
  const clock = new FakeClock();
  const queue = new RateLimitingQueue<string>({ clock });
  for (const priority of [NaN, Infinity]) {
    assert.throws(() => queue.addRateLimited("a", { priority }), /must be a finite number/);
  }
  assert.deepEqual([queue.numRequeues("a"), queue.backingOffKeys(), queue.waiting], [0, [], 0]);
});

for (const delayMs of [undefined, -1_000, 1_000]) {
  const how = delayMs === undefined ? "added at once" : `added after ${delayMs} ms`;
  Deno.test(`B24 five priorities of a thousand keys are handed out by priority, in order: ${how}`, () => {
    const clock = new FakeClock();
    const queue = new DelayingQueue<string>({ clock });
    const expected: string[] = [];
    for (const priority of [2, 1, 0, -1, -2]) {
      for (let at = 0; at < 1_000; at++) expected.push(`${priority}/${at}`);
    }
    for (let at = 0; at < 1_000; at++) {
      for (const priority of [-1, 2, 0, -2, 1]) {
        const key = `${priority}/${at}`;
        if (delayMs === undefined) queue.add(key, { priority });
        else queue.addAfter(key, delayMs, { priority });
      }
    }
    clock.step(1_000);
    assert.equal(queue.len, 5_000);
    assert.deepEqual(queue.queuedKeys().map(({ key }) => key), expected);
    assert.deepEqual(takeAll(queue), expected);
  });
}

Deno.test("B26 retries counts every add with a delay, and adds counts a key when it becomes ready", () => {
  const clock = new FakeClock();
  const metrics = new DepthMetrics();
  const queue = new DelayingQueue<string>({ name: "q", clock, metrics });
  queue.addAfter("a", 1_000, { priority: 3 });
  queue.addAfter("a", 2_000, { priority: 4 });
  assert.deepEqual([metrics.retries_, metrics.adds_], [2, 0]);
  clock.step(1_000);
  assert.deepEqual([metrics.retries_, metrics.adds_, metrics.depths.get(4)], [2, 1, 1]);
  queue.shutDown();
});

Deno.test("a raised key moves from the depth of one priority to that of another", () => {
  const metrics = new DepthMetrics();
  const queue = new Queue<string>({ name: "q", clock: new FakeClock(), metrics });
  queue.add("a", { priority: LOW });
  queue.add("a");
  assert.deepEqual([...metrics.depths], [[0, 1], [LOW, 0]]);
  const lease = take(queue);
  queue.add("a", { priority: LOW });
  queue.add("a", { priority: 2 });
  lease.done();
  assert.deepEqual([...metrics.depths], [[0, 0], [LOW, 0], [2, 1]]);
  queue.shutDown();
});

Deno.test("priorities beyond the first 25 share one gauge of the depth", () => {
  const metrics = new DepthMetrics();
  let shared = 0;
  const depth = () => ({ inc: () => void shared++, dec: () => void shared-- });
  const provider = Object.assign(metrics, { depth });
  const queue = new Queue<number>({ name: "q", clock: new FakeClock(), metrics: provider });
  for (let at = 0; at < 40; at++) queue.add(at, { priority: at });
  assert.deepEqual([metrics.depths.size, shared], [25, 15]);
  takeAll(queue);
  assert.deepEqual([[...metrics.depths.values()].every((each) => each === 0), shared], [true, 0]);
  queue.shutDown();
});

Deno.test("keys of a low priority that have waited are handed out in every fourth turn", () => {
  const clock = new FakeClock();
  const queue = new Queue<string>({ clock, agingMs: 5_000 });
  for (const key of ["old-1", "old-2"]) queue.add(key, { priority: LOW });
  clock.step(5_000);
  queue.add("young", { priority: LOW });
  const taken: string[] = [];
  for (let turn = 0; turn < 16; turn++) {
    queue.add(`event-${turn}`);
    const lease = take(queue);
    taken.push(lease.key);
    lease.done();
  }
  assert.deepEqual([taken[3], taken[7]], ["old-1", "old-2"]);
  assert.equal(taken.filter((key) => !key.startsWith("event")).length, 2, "young is not aged yet");
  clock.step(5_000);
  assert(takeAll(queue).slice(0, 4).includes("young"));
});

Deno.test("a stream of keys of a high priority starves no key of five thousand lower ones", () => {
  const clock = new FakeClock();
  const queue = new Queue<string>({ clock });
  for (let at = 0; at < 5_000; at++) queue.add(`list-${at}`, { priority: LOW });
  const taken: string[] = [];
  for (let turn = 0; taken.length < 5_000; turn++) {
    assert(turn < 22_000, "the first list takes its share of the turns");
    queue.add(`event-${turn}`);
    queue.add(`event-${turn}-b`);
    clock.step(10);
    using lease = take(queue);
    if (lease.key.startsWith("list")) taken.push(lease.key);
  }
  assert.deepEqual(taken.slice(0, 3), ["list-0", "list-1", "list-2"]);
});

Deno.test("without ageing the highest priority alone is served", () => {
  const clock = new FakeClock();
  const queue = new Queue<string>({ clock, agingMs: Infinity });
  queue.add("low", { priority: LOW });
  clock.step(3_600_000);
  for (let at = 0; at < 20; at++) queue.add(`event-${at}`);
  assert.equal(takeAll(queue).at(-1), "low");
});

Deno.test("tenants take turns within a priority, so that a large one delays no small one", () => {
  const queue = new Queue<string>({ tenantOf: (key) => key.split("/")[0] });
  for (let at = 0; at < 4; at++) queue.add(`big/${at}`);
  queue.add("small/0");
  queue.add("other/0");
  queue.add("big/urgent", { priority: 1 });
  assert.equal(queue.queuedKey("small/0")?.position, 2);
  assert.equal(queue.queuedKey("big/3")?.position, 6);
  const order = ["big/urgent", "big/0", "small/0", "other/0", "big/1", "big/2", "big/3"];
  assert.deepEqual(queue.queuedKeys().map(({ key }) => key), order);
  assert.deepEqual(queue.queuedKeys(2).map(({ key }) => key), order.slice(0, 2));
  assert.deepEqual(takeAll(queue), order);
});

Deno.test("a tenant function that changes its answer loses no key", () => {
  let tenant = "a";
  const queue = new Queue<string>({ tenantOf: () => tenant });
  queue.add("x", { priority: LOW });
  tenant = "b";
  queue.add("y", { priority: LOW });
  queue.add("x");
  assert.deepEqual(takeAll(queue), ["x", "y"]);
  assert.equal(queue.len, 0);
});

Deno.test("many priorities that are used once leave no level behind", () => {
  const queue = new Queue<number>();
  for (let at = 0; at < 10_000; at++) {
    queue.add(at, { priority: at });
    take(queue).done();
  }
  for (let at = 0; at < 1_000; at++) queue.add(at, { priority: (at * 7) % 1_000 });
  const priorities = queue.queuedKeys().map(({ priority }) => priority);
  assert.deepEqual(priorities, Array.from({ length: 1_000 }, (_, at) => 999 - at));
});

Deno.test("a priority that is not a finite number is refused, also after a shutdown", () => {
  const queue = new RateLimitingQueue<string>();
  for (const priority of [NaN, Infinity, "high" as unknown as number]) {
    const refusal = { name: "RangeError", message: /Cannot add a: the priority must be a finite/ };
    assert.throws(() => queue.add("a", { priority }), refusal);
    assert.throws(() => queue.addAfter("a", 5, { priority }), refusal);
  }
  assert.equal(queue.len + queue.waiting, 0);
  assert.throws(() => new Queue({ agingMs: -1 }), /agingMs must be at least 0, is -1/);
  assert.throws(() => new Queue({ agingMs: NaN }), RangeError);
});
