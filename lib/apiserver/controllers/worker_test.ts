import assert from "node:assert/strict";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { Worker } from "./worker.ts";

/** Runs all pending microtasks. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

Deno.test("Worker processes a key once, however often it was added", async () => {
  const worked: string[] = [];
  using worker = new Worker(new FakeClock(), (key) => {
    worked.push(key);
    return Promise.resolve();
  });
  worker.add("a");
  worker.add("b");
  worker.add("a");
  assert.deepEqual(worked, []);
  await settle();
  assert.deepEqual(worked, ["a", "b"]);
});

Deno.test("Worker processes a key again that is added during its processing", async () => {
  let worked = 0;
  const gate = Promise.withResolvers<void>();
  using worker = new Worker(new FakeClock(), async () => {
    worked++;
    if (worked === 1) await gate.promise;
  });
  worker.add("a");
  await settle();
  worker.add("a");
  await settle();
  assert.equal(worked, 1);
  gate.resolve();
  await settle();
  assert.equal(worked, 2);
});

Deno.test("Worker retries failed keys with exponential back-off", async () => {
  const clock = new FakeClock();
  let failures = 3;
  let worked = 0;
  using worker = new Worker(clock, () => {
    worked++;
    return failures-- > 0 ? Promise.reject(new Error("not yet")) : Promise.resolve();
  });
  worker.add("a");
  const pauses: (number | undefined)[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await settle();
    pauses.push(clock.nextInMs);
    clock.step(clock.nextInMs!);
  }
  await settle();
  assert.deepEqual(pauses, [5, 10, 20]);
  assert.equal(worked, 4);
  assert.equal(clock.pending, 0);
});

Deno.test("Worker processes a key at once that is added during its back-off, and keeps the pace", async () => {
  const clock = new FakeClock();
  let worked = 0;
  using worker = new Worker(clock, () => {
    worked++;
    return Promise.reject(new Error("always"));
  });
  worker.add("a");
  await settle();
  for (let add = 0; add < 10; add++) {
    worker.add("a");
    await settle();
  }
  assert.equal(worked, 11);
  assert.equal(clock.nextInMs, 5);
  clock.step(5);
  await settle();
  assert.equal(worked, 12);
  assert.equal(clock.nextInMs, 10);
});

Deno.test("Worker does nothing after its disposal", async () => {
  const clock = new FakeClock();
  let worked = 0;
  const worker = new Worker(clock, () => {
    worked++;
    return Promise.reject(new Error("always"));
  });
  worker.add("a");
  await settle();
  worker[Symbol.dispose]();
  assert.equal(clock.pending, 0);
  worker.add("b");
  await settle();
  assert.equal(worked, 1);
});
