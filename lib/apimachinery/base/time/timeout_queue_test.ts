import assert from "node:assert/strict";
import { FakeClock } from "./fake_clock.ts";
import { printedRandom } from "../../../../tests/support/seed.ts";
import { TimeoutQueue } from "./timeout_queue.ts";

Deno.test("timeout queue: each timeout is called once at its time, in order, by one timer", async () => {
  const clock = new FakeClock();
  using queue = new TimeoutQueue(clock, 1_000);
  const called: string[] = [];
  const start = (name: string): Disposable => queue.start(() => called.push(name));
  start("a");
  await clock.advance(300);
  const cancelled = start("b");
  start("c");
  assert.equal(clock.pending, 1);
  cancelled[Symbol.dispose]();
  await clock.advance(699);
  assert.deepEqual(called, []);
  await clock.advance(1);
  assert.deepEqual(called, ["a"]);
  await clock.advance(299);
  assert.deepEqual(called, ["a"]);
  await clock.advance(1);
  assert.deepEqual(called, ["a", "c"]);
  cancelled[Symbol.dispose]();
  await clock.advance(5_000);
  assert.deepEqual(called, ["a", "c"]);
  assert.equal(clock.pending, 0);
});

Deno.test("timeout queue: a callback that throws leaves the later timeouts; dispose cancels all", async () => {
  const clock = new FakeClock();
  using queue = new TimeoutQueue(clock, 10);
  const called: string[] = [];
  queue.start(() => {
    called.push("throws");
    throw new Error("a callback of the user");
  });
  queue.start(() => called.push("second"));
  await assert.rejects(async () => await clock.advance(10), /a callback of the user/);
  await clock.advance(10);
  assert.deepEqual(called, ["throws", "second"]);
  queue.start(() => called.push("never"));
  queue[Symbol.dispose]();
  assert.equal(clock.pending, 0);
  await clock.advance(100);
  assert.deepEqual(called, ["throws", "second"]);
});

Deno.test("timeout queue: a timeout that a callback starts delays no other", async () => {
  const clock = new FakeClock();
  using queue = new TimeoutQueue(clock, 100);
  const called: string[] = [];
  const note = (name: string): void => void called.push(`${name} ${clock.monotonicMs() - startMs}`);
  const startMs = clock.monotonicMs();
  queue.start(() => {
    note("a");
    queue.start(() => note("c"));
  });
  await clock.advance(5);
  queue.start(() => note("b"));
  for (let ms = 0; ms < 200; ms++) await clock.advance(1);
  assert.deepEqual(called, ["a 100", "b 105", "c 200"]);
});

Deno.test("timeout queue: timeouts that a dispose cancelled change nothing later", async () => {
  const clock = new FakeClock();
  using queue = new TimeoutQueue(clock, 10);
  const called: string[] = [];
  const cancelled = Array.from({ length: 100 }, () => queue.start(() => called.push("never")));
  queue[Symbol.dispose]();
  queue.start(() => called.push("a"));
  for (const timeout of cancelled) timeout[Symbol.dispose]();
  queue.start(() => called.push("b"));
  await clock.advance(10);
  assert.deepEqual(called, ["a", "b"]);
});

for (const holds of [false, true]) {
  Deno.test(`timeout queue: a process ${holds ? "waits" : "does not wait"} for it`, async () => {
    const module = new URL("./timeout_queue.ts", import.meta.url).href;
    const clock = new URL("./clock.ts", import.meta.url).href;
    const program = `
      import { TimeoutQueue } from "${module}";
      import { systemClock } from "${clock}";
      const queue = new TimeoutQueue(systemClock, 50, { holds: ${holds} });
      queue.start(() => console.log("called"));
    `;
    const { stdout, code } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-check", program],
      env: { NO_COLOR: "1" },
    }).output();
    assert.equal(code, 0);
    assert.equal(new TextDecoder().decode(stdout), holds ? "called\n" : "");
  });
}

Deno.test("timeout queue: random starts, cancellations and waits behave like separate timers", async () => {
  const { random } = printedRandom();
  const clock = new FakeClock();
  using queue = new TimeoutQueue(clock, 50);
  const called: number[] = [];
  const model: number[] = [];
  const open: Disposable[] = [];
  for (let step = 0; step < 2_000; step++) {
    const choice = random.next();
    if (choice < 0.5) {
      const one = queue.start(() => called.push(step));
      const two = clock.after(50, () => model.push(step));
      open.push({
        [Symbol.dispose]: () => {
          one[Symbol.dispose]();
          two[Symbol.dispose]();
        },
      });
    } else if (choice < 0.8) {
      open.splice(Math.floor(random.next() * open.length), 1)[0]?.[Symbol.dispose]();
    } else await clock.advance(Math.floor(random.next() * 30));
  }
  await clock.advance(100);
  assert.deepEqual(called, model);
  assert(called.length > 100, `only ${called.length} timeouts were called`);
});
