import assert from "node:assert/strict";
import v8 from "node:v8";
import vm from "node:vm";
import { seededRandom } from "../base/time/random.ts";
import type { KeyLease } from "./key_lease.ts";
import { Queue } from "./queue.ts";
import { take } from "./support_test.ts";
import { testSeed } from "../../../tests/support/seed.ts";

/**
 * Returns the state of a promise (pending, resolved or rejected), once every promise that can
 * settle has.
 */
async function stateOf(promise: unknown): Promise<"pending" | "resolved" | "rejected"> {
  let state: "pending" | "resolved" | "rejected" = "pending";
  Promise.resolve(promise).then(() => state = "resolved", () => state = "rejected");
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  return state;
}

/** Returns an abort controller whose signal counts its listeners. */
function countedSignal(): { controller: AbortController; listeners: () => number } {
  const controller = new AbortController();
  const { signal } = controller;
  const held = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (type: string, listener: EventListener, options?: unknown) => {
    held.add(listener);
    add(type, () => held.delete(listener), { once: true });
    add(type, listener, options as AddEventListenerOptions);
  };
  signal.removeEventListener = (type: string, listener: EventListener) => {
    held.delete(listener);
    remove(type, listener);
  };
  return { controller, listeners: () => held.size };
}

Deno.test("B1 add() of a queued key only calls onTouch", async () => {
  const touched: string[] = [];
  const queue = new Queue<string>({ onTouch: (key) => touched.push(key) });
  queue.add("a");
  assert.deepEqual(touched, []);
  queue.add("a");
  queue.add("a");
  assert.equal(queue.len, 1);
  assert.deepEqual(touched, ["a", "a"]);
  take(queue).done();
  assert.equal(await stateOf(queue.get()), "pending");
  queue.shutDown();
});

Deno.test("B2 add() of a key being processed delivers it once more after done, without onTouch", async () => {
  const touched: string[] = [];
  const queue = new Queue<string>({ onTouch: (key) => touched.push(key) });
  queue.add("a");
  const first = take(queue);
  for (let time = 0; time < 5; time++) queue.add("a");
  assert.equal(queue.len, 0);
  const waiting = queue.get();
  assert.equal(await stateOf(waiting), "pending");
  first.done();
  const second = await waiting;
  assert.equal(second?.key, "a");
  second.done();
  assert.equal(queue.len, 0);
  assert.equal(await stateOf(queue.get()), "pending");
  assert.deepEqual(touched, []);
  queue.shutDown();
});

Deno.test("B2 a key added while being processed goes to the end of the queue when done", () => {
  const queue = new Queue<string>();
  queue.add("a");
  const lease = take(queue);
  queue.add("a");
  queue.add("b");
  lease.done();
  assert.equal(take(queue).key, "b");
  assert.equal(take(queue).key, "a");
});

Deno.test("B3 50 producers and 10 consumers: all keys are delivered, the queue is empty, later adds are dropped", async () => {
  const seed = testSeed();
  const random = seededRandom(seed);
  const pause = async (): Promise<void> => {
    for (let turns = Math.floor(random.next() * 5); turns > 0; turns--) await Promise.resolve();
  };
  const queue = new Queue<number>();
  const seen = new Map<number, number>();
  const inWork = new Set<number>();
  const consumers = Array.from({ length: 10 }, async () => {
    while (true) {
      using lease = await queue.get();
      if (!lease) return;
      assert(!inWork.has(lease.key), `${lease.key} is with two workers`);
      inWork.add(lease.key);
      seen.set(lease.key, (seen.get(lease.key) ?? 0) + 1);
      await pause();
      inWork.delete(lease.key);
    }
  });
  await Promise.all(Array.from({ length: 50 }, async (_, producer) => {
    for (let item = 0; item < 50; item++) {
      queue.add(producer * 50 + item);
      await pause();
    }
  }));
  queue.shutDown();
  queue.add(9_999);
  await Promise.all(consumers);
  assert.equal(queue.len, 0);
  assert.equal(seen.size, 2_500);
  assert([...seen.values()].every((times) => times === 1));
  queue.add(9_999);
  assert.equal(queue.len, 0);
});

Deno.test("B4 shutDown() returns at once with keys being processed; get() then reports the shutdown", async () => {
  const queue = new Queue<string>();
  queue.add("a");
  const lease = take(queue);
  const waiting = [queue.get(), queue.get()];
  queue.shutDown();
  assert(queue.shuttingDown);
  assert.deepEqual(await Promise.all(waiting), [undefined, undefined]);
  assert.equal(queue.get(), undefined);
  lease.done();
  assert.equal(queue.get(), undefined);
});

Deno.test("B4 keys queued at the shutdown are still handed out", () => {
  const queue = new Queue<string>();
  queue.add("a");
  queue.shutDown();
  take(queue).done();
  assert.equal(queue.get(), undefined);
});

Deno.test("B5 shutDownWithDrain() waits until every key being processed is done", async () => {
  const queue = new Queue<string>();
  queue.add("a");
  queue.add("b");
  const [a, b] = [take(queue), take(queue)];
  const drained = queue.shutDownWithDrain();
  queue.add("c");
  assert.equal(queue.len, 0);
  assert.equal(await stateOf(drained), "pending");
  a.done();
  assert.equal(await stateOf(drained), "pending");
  b.done();
  assert.equal(await stateOf(drained), "resolved");
});

Deno.test("B5 shutDownWithDrain() waits for queued keys too, and not for an empty queue", async () => {
  const queue = new Queue<string>();
  queue.add("a");
  const drained = queue.shutDownWithDrain();
  assert.equal(await stateOf(drained), "pending");
  take(queue).done();
  await drained;
  await queue.shutDownWithDrain();
  await new Queue<string>().shutDownWithDrain();
});

Deno.test("B6 a drain hands out once more the keys added again while being processed", async () => {
  const queue = new Queue<string>();
  queue.add("a");
  const first = take(queue);
  queue.add("a");
  const drained = queue.shutDownWithDrain();
  first.done();
  assert.equal(await stateOf(drained), "pending");
  const second = take(queue);
  assert.equal(second.key, "a");
  second.done();
  await drained;
  assert.equal(queue.get(), undefined);
});

Deno.test("B7 a later shutDown() ends a pending drain", async () => {
  const queue = new Queue<string>();
  queue.add("a");
  const lease = take(queue);
  const drains = [queue.shutDownWithDrain(), queue.shutDownWithDrain()];
  assert.equal(await stateOf(Promise.race(drains)), "pending");
  queue.shutDown();
  await Promise.all(drains);
  assert.deepEqual(queue.processingKeys(), ["a"]);
  lease.done();
});

Deno.test("B8 a finished key is not retained", async () => {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  const queue = new Queue<object>();
  const held = {};
  let firstLease: KeyLease<object> | undefined;
  const work = (): WeakRef<object> => {
    const key = {};
    queue.add(held);
    queue.add(key);
    firstLease = take(queue);
    firstLease.done();
    queue.add(held);
    const lease = take(queue);
    queue.add(key);
    lease.done();
    lease.done();
    take(queue).done();
    take(queue).done();
    queue.add(held);
    return new WeakRef(key);
  };
  const gone = work();
  await new Promise((resolve) => setTimeout(resolve, 0));
  collect();
  assert.equal(gone.deref(), undefined);
  assert.deepEqual([firstLease?.key, take(queue).key], [held, held]);
});

Deno.test("get() serves keys and waiting gets in order", async () => {
  const queue = new Queue<number>();
  for (let key = 0; key < 100; key++) queue.add(key);
  for (let key = 0; key < 100; key++) assert.equal(take(queue).key, key);
  const gets = [queue.get(), queue.get(), queue.get()];
  for (const key of [103, 101, 102]) queue.add(key);
  assert.deepEqual((await Promise.all(gets)).map((lease) => lease?.key), [103, 101, 102]);
});

Deno.test("keys are compared by SameValueZero", () => {
  const queue = new Queue<number>();
  for (const key of [NaN, NaN, 0, -0]) queue.add(key);
  assert.equal(queue.len, 2);
});

Deno.test("done() twice does not end the work of the next lease of the same key", () => {
  const queue = new Queue<string>();
  queue.add("a");
  const first = take(queue);
  queue.add("a");
  first.done();
  const second = take(queue);
  first.done();
  first[Symbol.dispose]();
  assert.deepEqual(queue.processingKeys(), ["a"]);
  queue.add("a");
  assert.equal(queue.len, 0);
  second.done();
  assert.equal(queue.len, 1);
});

Deno.test("done() twice does not end the work on another key that came after", () => {
  const queue = new Queue<string>();
  queue.add("a");
  const first = take(queue);
  first.done();
  queue.add("b");
  first.done();
  assert.equal(queue.len, 1);
  const second = take(queue);
  first.done();
  assert.deepEqual([first.key, second.key, queue.processingKeys()], ["a", "b", ["b"]]);
});

Deno.test("a lease ends with its block, also by an exception", () => {
  const queue = new Queue<string>();
  queue.add("a");
  assert.throws(() => {
    using lease = take(queue);
    throw new Error(lease.key);
  }, /a/);
  assert.deepEqual(queue.processingKeys(), []);
});

Deno.test("processingKeys() returns the longest running first", () => {
  const queue = new Queue<string>();
  for (const key of ["a", "b", "c"]) queue.add(key);
  const [a] = [take(queue), take(queue), take(queue)];
  a!.done();
  queue.add("a");
  take(queue);
  assert.deepEqual(queue.processingKeys(), ["b", "c", "a"]);
});

Deno.test("an aborted get rejects with the reason, and loses no key and leaves no listener", async () => {
  const queue = new Queue<string>();
  const { controller, listeners } = countedSignal();
  const aborted = queue.get({ signal: controller.signal });
  const other = queue.get();
  assert.equal(listeners(), 1);
  controller.abort(new Error("enough"));
  await assert.rejects(Promise.resolve(aborted), /enough/);
  assert.equal(listeners(), 0);
  queue.add("a");
  assert.equal((await other)?.key, "a");
  queue.add("b");
  await assert.rejects(Promise.resolve(queue.get({ signal: controller.signal })), /enough/);
  assert.equal(queue.len, 1);
});

Deno.test("an abort after the key was handed out has no effect", async () => {
  const queue = new Queue<string>();
  const { controller, listeners } = countedSignal();
  const waiting = queue.get({ signal: controller.signal });
  queue.add("a");
  controller.abort(new Error("enough"));
  const lease = await waiting;
  assert.equal(lease?.key, "a");
  assert.equal(listeners(), 0);
});

Deno.test("a get that was served, or ended by a shutdown, leaves no listener", async () => {
  const queue = new Queue<string>();
  const { controller, listeners } = countedSignal();
  const served = queue.get({ signal: controller.signal });
  const ended = queue.get({ signal: controller.signal });
  assert.equal(listeners(), 2);
  queue.add("a");
  assert.equal(listeners(), 1);
  queue.shutDown();
  assert.equal(listeners(), 0);
  assert.equal((await served)?.key, "a");
  assert.equal(await ended, undefined);
});
