import assert from "node:assert/strict";
import { FakeWire } from "../../../../tests/client/fake_wire.ts";
import { FakeClock } from "../../../testing/fake_clock.ts";
import type { HttpConnection } from "./connection.ts";
import { ConnectionPool } from "./connection_pool.ts";

const GET = { method: "GET", target: "/", headers: [] } as const;
const signal = new AbortController().signal;

/** Returns a connection pool and the other ends of its connections. */
function pool(): {
  readonly pool: ConnectionPool;
  readonly wires: FakeWire[];
  readonly clock: FakeClock;
} {
  const wires: FakeWire[] = [];
  const clock = new FakeClock();
  const connect = (): Promise<FakeWire> => {
    const wire = new FakeWire();
    wires.push(wire);
    return Promise.resolve(wire);
  };
  return { pool: new ConnectionPool({ connect, clock }), wires, clock };
}

/** Makes a call over an HTTP connection, and answers it. */
async function call(connection: HttpConnection, wire: FakeWire): Promise<void> {
  const pending = connection.send(GET);
  wire.say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  await pending;
}

Deno.test("ConnectionPool returns the connection that became free last; idle ones do not keep the process alive", async () => {
  const { pool: it, wires } = pool();
  const [one, two] = [await it.take(signal), await it.take(signal)];
  await call(two, wires[1]!);
  await call(one, wires[0]!);
  assert.deepEqual(wires.map(({ held }) => held), [false, false]);
  assert.equal(await it.take(signal), one);
  assert.deepEqual(wires.map(({ held }) => held), [true, false]);
  assert.equal(await it.take(signal), two);
  assert.equal(it.open, 2);
  it[Symbol.dispose]();
});

Deno.test("16 idle connections are kept, for 30 s each", async () => {
  const { pool: it, wires, clock } = pool();
  const taken = [];
  for (let i = 0; i < 20; i++) taken.push(await it.take(signal));
  for (const [i, connection] of taken.entries()) await call(connection, wires[i]!);
  assert.equal(it.open, 16);
  clock.step(29_999);
  assert.equal(it.open, 16);
  clock.step(1);
  assert.equal(it.open, 0);
  assert.ok(wires.every(({ stream }) => stream.destroyed));
  assert.equal(clock.pending, 0);
});

Deno.test("a connection for a single request is closed after it, and a dead one is not returned", async () => {
  const { pool: it, wires } = pool();
  await call(await it.single(signal), wires[0]!);
  assert.ok(wires[0]!.stream.destroyed);
  const kept = await it.take(signal);
  await call(kept, wires[1]!);
  wires[1]!.end();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.notEqual(await it.take(signal), kept);
  it[Symbol.dispose]();
});

Deno.test("a retired pool closes idle connections, and the others after their requests", async () => {
  const { pool: it, wires } = pool();
  const [idle, busy] = [await it.take(signal), await it.take(signal)];
  await call(idle, wires[0]!);
  it.retire();
  assert.ok(wires[0]!.stream.destroyed);
  assert.equal(it.open, 1);
  await call(busy, wires[1]!);
  assert.equal(it.open, 0);
});

Deno.test("disposing a pool aborts the requests in progress", async () => {
  const { pool: it } = pool();
  const pending = (await it.take(signal)).send(GET);
  it[Symbol.dispose]();
  await assert.rejects(pending, { code: "ECONNRESET" });
  assert.equal(it.open, 0);
});

Deno.test("a connection that opens after the pool was disposed is closed", async () => {
  const { pool: it, wires } = pool();
  const taken = it.take(signal);
  it[Symbol.dispose]();
  await assert.rejects(async () => await taken, { code: "ECLOSED" });
  assert.ok(wires[0]!.stream.destroyed);
  assert.equal(it.open, 0);
});
