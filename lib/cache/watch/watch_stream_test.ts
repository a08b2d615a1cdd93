import assert from "node:assert/strict";
import type { Clock, Timer } from "@xca/apimachinery/base";
import { noteLoopTurn } from "@xca/apimachinery/internal/base";
import { FakeClock } from "../../testing/fake_clock.ts";
import { added, ScriptedServer, ScriptedStream } from "../reflector/reflector_fakes_test.ts";
import { WatchStream } from "./watch_stream.ts";

const options = { idleTimeoutMs: 1, clock: new FakeClock(), signal: new AbortController().signal };

async function opened(stream: ScriptedStream): Promise<WatchStream> {
  const server = new ScriptedServer();
  server.watches.push(stream);
  return await WatchStream.open(server, {}, options);
}

Deno.test("take() returns a batch in order, and the rest stays for the next reader", async () => {
  const source = new ScriptedStream().push(added("a", 1), added("b", 2)).push(added("c", 3)).end();
  const stream = await opened(source);
  assert.equal(stream.take(), undefined);
  assert.equal(await stream.fill(), true);
  assert.deepEqual(stream.take(), added("a", 1));
  assert.deepEqual(stream.take(), added("b", 2));
  assert.equal(stream.take(), undefined);
  assert.equal(await stream.fill(), true);
  assert.deepEqual(stream.take(), added("c", 3));
  assert.equal(await stream.fill(), false);
  await stream.close();
});

Deno.test("abort() ends a pending fill() with its reason; close() closes the source, and is harmless when repeated", async () => {
  const source = new ScriptedStream();
  const stream = await opened(source);
  const filled = assert.rejects(stream.fill(), /enough/);
  stream.abort(new Error("enough"));
  await filled;
  await assert.rejects(stream.fill(), /enough/);
  await stream.close();
  await stream.close();
  assert.equal(source.closed, true);
});

/** A fake clock that advances whenever it is read, and counts the turns given to other work. */
class BusyClock implements Clock {
  #ms = 0;
  turns = 0;
  now(): Date {
    return new Date(this.#ms);
  }
  monotonicMs(): number {
    return this.#ms += 0.5;
  }
  after(_delayMs: number, callback: () => void): Timer {
    this.turns++;
    queueMicrotask(callback);
    return { unref: () => this as unknown as Timer, [Symbol.dispose]() {} };
  }
}

Deno.test("a batch that was waited for begins a new slice, however long it took; a buffered one does not", async () => {
  const source = new ScriptedStream();
  const clock = new FakeClock();
  const server = new ScriptedServer();
  server.watches.push(source);
  const stream = await WatchStream.open(server, {}, { ...options, clock });
  source.push(added("a", 1));
  clock.step(2);
  await stream.fill();
  clock.step(2);
  assert.equal(stream.overdue, true, "it lay ready");
  const paused = stream.pause();
  await clock.advance(0);
  await paused;
  clock.step(2);
  const filled = stream.fill();
  await new Promise((resolve) => setTimeout(resolve, 0));
  noteLoopTurn();
  source.push(added("b", 2));
  await filled;
  clock.step(2);
  assert.equal(stream.overdue, false, "it was waited for");
  source.end();
  await stream.close();
});

Deno.test("events that arrive with the head of a slow answer are processed in a later turn", async () => {
  const clock = new FakeClock();
  const server = new ScriptedServer();
  server.watches.push(new ScriptedStream().push(added("a", 1)).end());
  const listerWatcher = {
    list: server.list.bind(server),
    watch: (...call: Parameters<typeof server.watch>) => {
      clock.step(5);
      return server.watch(...call);
    },
  };
  const stream = await WatchStream.open(listerWatcher, {}, { ...options, clock });
  let isFilled = false;
  const filled = stream.fill().then(() => isFilled = true);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(isFilled, false);
  await clock.advance(0);
  await filled;
  assert.deepEqual(stream.take(), added("a", 1));
  await stream.close();
});

Deno.test("pause() lets other work run within a batch, and keeps the rest of the batch", async () => {
  const source = new ScriptedStream();
  source.push(added("a", 1), added("b", 2));
  const clock = new BusyClock();
  const server = new ScriptedServer();
  server.watches.push(source.end());
  const stream = await WatchStream.open(server, {}, { ...options, clock });
  assert.equal(await stream.fill(), true);
  assert.ok(stream.take());
  while (!stream.overdue);
  const before = clock.turns;
  await stream.pause();
  assert.equal(clock.turns, before + 1);
  assert.ok(stream.take());
  assert.equal(stream.take(), undefined);
  stream.abort(new Error("enough"));
  await assert.rejects(stream.pause(), /enough/);
  await stream.close();
});

Deno.test("buffered batches do not hold the event loop: other work runs about every 10 ms", async () => {
  const source = new ScriptedStream();
  for (let n = 0; n < 1_000; n++) source.push(added("a", n));
  const clock = new BusyClock();
  const server = new ScriptedServer();
  server.watches.push(source.end());
  const stream = await WatchStream.open(server, {}, { ...options, clock });
  while (await stream.fill());
  assert.ok(clock.turns >= 50, `${clock.turns} turns in some 1500 ms`);
  await stream.close();
});
