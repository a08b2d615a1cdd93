import assert from "node:assert/strict";
import { BodyQueue } from "./body_queue.ts";

const KB = 1024;

/** Returns a body queue whose calls of the connection are recorded. */
function noted(): { readonly queue: BodyQueue; readonly asked: string[] } {
  const asked: string[] = [];
  const queue = new BodyQueue({
    pause: () => asked.push("pause"),
    resume: () => asked.push("resume"),
    cancel: (reason) => asked.push(`cancel ${reason}`),
  });
  return { queue, asked };
}

Deno.test("BodyQueue delivers chunks in order, also to a reader that came first", async () => {
  const { queue } = noted();
  const first = queue.read();
  queue.push(Uint8Array.of(1));
  queue.push(Uint8Array.of());
  queue.push(Uint8Array.of(2));
  queue.end();
  assert.deepEqual(await first, Uint8Array.of(1));
  assert.deepEqual(await queue.read(), Uint8Array.of(2));
  assert.equal(await queue.read(), undefined);
  assert.equal(await queue.read(), undefined);
});

Deno.test("a slow reader pauses the connection, which resumes at half of the limit", async () => {
  const { queue, asked } = noted();
  for (let i = 0; i < 5; i++) queue.push(new Uint8Array(64 * KB));
  assert.deepEqual(asked, ["pause"]);
  await queue.read();
  await queue.read();
  await queue.read();
  assert.deepEqual(asked, ["pause"]);
  await queue.read();
  assert.deepEqual(asked, ["pause", "resume"]);
});

Deno.test("BodyQueue counts the memory that chunks hold, not their length", async () => {
  const cut = noted();
  for (let i = 0; i < 3; i++) cut.queue.push(new Uint8Array(64 * KB).subarray(0, 1));
  assert.deepEqual(cut.asked, []);
  cut.queue.push(new Uint8Array(64 * KB).subarray(0, 1));
  assert.deepEqual(cut.asked, ["pause"]);
  const tiny = noted();
  for (let i = 0; i < 1_000; i++) tiny.queue.push(new Uint8Array(1));
  assert.deepEqual(tiny.asked, []);
  for (let i = 0; i < 100; i++) tiny.queue.push(new Uint8Array(1));
  assert.deepEqual(tiny.asked, ["pause"]);
  for (let i = 0; i < 1_000; i++) await tiny.queue.read();
  assert.deepEqual(tiny.asked, ["pause", "resume"]);
});

Deno.test("a body that breaks delivers the chunks before, then its reason on every read", async () => {
  const { queue, asked } = noted();
  queue.push(Uint8Array.of(1));
  queue.fail(new Error("broken"));
  queue.end();
  assert.deepEqual(await queue.read(), Uint8Array.of(1));
  await assert.rejects(queue.read(), /broken/);
  await assert.rejects(queue.read(), /broken/);
  assert.deepEqual(asked, []);
});

Deno.test("cancelling ends a pending read and the connection; of a complete body only the read", async () => {
  const running = noted();
  const pending = running.queue.read();
  running.queue.cancel("enough");
  await assert.rejects(pending, (reason) => reason === "enough");
  assert.deepEqual(running.asked, ["cancel enough"]);
  const whole = noted();
  whole.queue.push(Uint8Array.of(1));
  whole.queue.end();
  whole.queue.cancel("enough");
  await assert.rejects(whole.queue.read(), (reason) => reason === "enough");
  assert.deepEqual(whole.asked, []);
});

Deno.test("whenSettled() calls back once everything was read, or nothing more can be", async () => {
  const steps: ((queue: BodyQueue) => unknown)[] = [
    (queue) => queue.end(),
    (queue) => queue.fail("x"),
    (queue) => queue.cancel("x"),
  ];
  for (const step of steps) {
    const { queue } = noted();
    let settled = 0;
    queue.whenSettled(() => settled++);
    step(queue);
    assert.equal(settled, 1);
    queue.whenSettled(() => settled++);
    assert.equal(settled, 2);
  }
  const { queue } = noted();
  let settled = false;
  queue.whenSettled(() => settled = true);
  queue.push(Uint8Array.of(1));
  queue.end();
  assert.equal(settled, false);
  await queue.read();
  assert.equal(settled, true);
});
