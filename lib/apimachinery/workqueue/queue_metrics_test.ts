import assert from "node:assert/strict";
import { FakeClock } from "../base/time/fake_clock.ts";
import { DelayingQueue } from "./delaying_queue.ts";
import type { MetricsProvider } from "./metrics.ts";
import { Queue } from "./queue.ts";
import { RateLimitingQueue } from "./rate_limiting_queue.ts";
import { take } from "./support_test.ts";

class RecordedMetrics implements MetricsProvider {
  readonly values = {
    depth: 0,
    adds: 0,
    latency: [] as number[],
    workDuration: [] as number[],
    unfinished: [] as number[],
    longestRunning: [] as number[],
    retries: 0,
  };
  readonly names: string[] = [];

  depth(name: string) {
    this.names.push(name);
    return { inc: () => void this.values.depth++, dec: () => void this.values.depth-- };
  }
  adds(name: string) {
    this.names.push(name);
    return { inc: () => void this.values.adds++ };
  }
  latency(name: string) {
    this.names.push(name);
    return { observe: (value: number) => void this.values.latency.push(value) };
  }
  workDuration(name: string) {
    this.names.push(name);
    return { observe: (value: number) => void this.values.workDuration.push(value) };
  }
  unfinishedWorkSeconds(name: string) {
    this.names.push(name);
    return { set: (value: number) => void this.values.unfinished.push(value) };
  }
  longestRunningProcessorSeconds(name: string) {
    this.names.push(name);
    return { set: (value: number) => void this.values.longestRunning.push(value) };
  }
  retries(name: string) {
    this.names.push(name);
    return { inc: () => void this.values.retries++ };
  }
}

Deno.test("B15 adds and depth: merged adds do not count, five during the work count as one", () => {
  const metrics = new RecordedMetrics();
  const queue = new Queue<string>({ name: "q", clock: new FakeClock(), metrics });
  queue.add("a");
  queue.add("a");
  assert.deepEqual([metrics.values.adds, metrics.values.depth], [1, 1]);
  const lease = take(queue);
  assert.equal(metrics.values.depth, 0);
  for (let time = 0; time < 5; time++) queue.add("a");
  assert.deepEqual([metrics.values.adds, metrics.values.depth], [2, 1]);
  lease.done();
  take(queue).done();
  assert.deepEqual([metrics.values.adds, metrics.values.depth], [2, 0]);
  queue.shutDown();
});

Deno.test("B15 latency runs from add to get, also over the work before; work time from get to done", () => {
  const metrics = new RecordedMetrics();
  const clock = new FakeClock();
  const queue = new Queue<string>({ name: "q", clock, metrics });
  queue.add("a");
  clock.step(50);
  const first = take(queue);
  clock.step(25);
  queue.add("a");
  queue.add("a");
  clock.step(25);
  first.done();
  clock.step(10);
  const second = take(queue);
  clock.step(1);
  second.done();
  second.done();
  assert.deepEqual(metrics.values.latency, [0.05, 0.035]);
  assert.deepEqual(metrics.values.workDuration, [0.05, 0.001]);
  queue.shutDown();
});

Deno.test("B15 latency of a key given straight to a waiting get is zero", async () => {
  const metrics = new RecordedMetrics();
  const clock = new FakeClock();
  const queue = new Queue<string>({ name: "q", clock, metrics });
  const waiting = queue.get();
  clock.step(1_000);
  queue.add("a");
  (await waiting)?.done();
  assert.deepEqual(metrics.values.latency, [0]);
  assert.deepEqual([metrics.values.adds, metrics.values.depth], [1, 0]);
  queue.shutDown();
});

Deno.test("B15 unfinished work and longest running change by tick, and fall back to zero", () => {
  const metrics = new RecordedMetrics();
  const clock = new FakeClock();
  const queue = new Queue<string>({ name: "q", clock, metrics });
  queue.add("a");
  queue.add("b");
  const a = take(queue);
  clock.step(400);
  const b = take(queue);
  assert.deepEqual(metrics.values.unfinished, []);
  clock.step(100);
  assert.deepEqual([metrics.values.unfinished, metrics.values.longestRunning], [[0.6], [0.5]]);
  a.done();
  clock.step(500);
  b.done();
  clock.step(500);
  assert.deepEqual(metrics.values.unfinished, [0.6, 0.6, 0]);
  assert.deepEqual(metrics.values.longestRunning, [0.5, 0.6, 0]);
  assert.equal(clock.pending, 0, "no timer while nothing is in work");
  queue.add("a");
  take(queue);
  assert.equal(clock.pending, 1);
  queue.shutDown();
});

Deno.test("B15 no metric is updated after shutdown, and no timer is left", () => {
  for (const end of ["shutDown", "shutDownWithDrain"] as const) {
    const metrics = new RecordedMetrics();
    const clock = new FakeClock();
    const queue = new Queue<string>({ name: "q", clock, metrics });
    queue.add("a");
    queue.add("b");
    take(queue);
    queue[end]();
    assert.equal(clock.pending, 0);
    take(queue);
    clock.step(60_000);
    assert.deepEqual(metrics.values.unfinished, []);
    assert.equal(clock.pending, 0);
    queue.shutDown();
  }
});

Deno.test("retries counts every add with a delay, also of zero, and none after shutdown", () => {
  const metrics = new RecordedMetrics();
  const queue = new DelayingQueue<string>({ name: "q", clock: new FakeClock(), metrics });
  queue.addAfter("a", 1_000);
  queue.addAfter("a", 2_000);
  queue.addAfter("b", 0);
  queue.add("c");
  assert.equal(metrics.values.retries, 3);
  queue.shutDown();
  queue.addAfter("d", 1_000);
  assert.equal(metrics.values.retries, 3);
});

Deno.test("each metric is created once, with the queue's name, however deeply queues are nested", () => {
  const metrics = new RecordedMetrics();
  new RateLimitingQueue<string>({ name: "pods", clock: new FakeClock(), metrics });
  assert.deepEqual(metrics.names, Array(7).fill("pods"));
});

Deno.test("metrics without a name are refused", () => {
  const metrics = new RecordedMetrics();
  assert.throws(() => new Queue({ metrics }), /Cannot record metrics of a queue without a name/);
  assert.throws(() => new DelayingQueue({ metrics, queue: new Queue() }), /without a name/);
});
