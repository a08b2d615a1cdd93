import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { FakeClock } from "../../../testing/fake_clock.ts";
import { KEEP_ALIVE_MS, KeepAlive, type KeptSocket } from "./keep_alive.ts";

/** A fake socket that records the calls of `setKeepAlive`. */
class FakeKeptSocket extends EventEmitter {
  bytesRead = 0;
  destroyed = false;
  readonly set: [atMs: number, delayMs: number][] = [];

  constructor(readonly clock: FakeClock) {
    super();
  }

  setKeepAlive(_on?: boolean, delayMs?: number): this {
    this.set.push([this.clock.monotonicMs(), delayMs!]);
    return this;
  }
}

function scene(os: string): {
  readonly clock: FakeClock;
  readonly socket: FakeKeptSocket;
  readonly it: KeepAlive;
} {
  const clock = new FakeClock();
  const socket = new FakeKeptSocket(clock);
  const it = new KeepAlive({ clock, os });
  it.add(socket as unknown as KeptSocket);
  return { clock, socket, it };
}

Deno.test("F01 TCP is asked to probe a silent peer often enough to give it up within 55 s, on Linux", () => {
  const { clock, socket, it } = scene("linux");
  clock.step(55_000);
  const [first, ...again] = socket.set;
  assert.deepEqual(first, [0, KEEP_ALIVE_MS]);
  // Linux probes by itself at 25 s; eight more probes without an answer, and the next call ends it.
  assert.ok(again.length >= 9, `${again.length} calls`);
  assert.ok(again.every(([atMs]) => atMs >= KEEP_ALIVE_MS));
  const delays = again.map(([, delayMs]) => delayMs);
  assert.ok(delays.every((delayMs, n) => n === 0 || delayMs !== delays[n - 1]), "each changes it");
  assert.ok(delays.every((delayMs) => delayMs < KEEP_ALIVE_MS + 3_000));
  it[Symbol.dispose]();
  assert.equal(clock.pending, 0);
});

Deno.test("F01 TCP does not probe an active peer, nor a closed socket", () => {
  const { clock, socket } = scene("linux");
  for (let n = 0; n < 20; n++) {
    clock.step(20_000);
    socket.bytesRead += 1;
  }
  assert.equal(socket.set.length, 1);
  socket.emit("close");
  assert.equal(clock.pending, 0);
});

Deno.test("F01 keep-alive is set once on systems that restart the wait", () => {
  for (const os of ["darwin", "windows"]) {
    const { clock, socket } = scene(os);
    clock.step(600_000);
    assert.deepEqual(socket.set, [[0, KEEP_ALIVE_MS]]);
    assert.equal(clock.pending, 0);
  }
});
