import assert from "node:assert/strict";
import { FakeWire } from "../../../../tests/client/fake_wire.ts";
import { FakeClock } from "../../../testing/fake_clock.ts";
import { SilentPeerError } from "./silent_peer_error.ts";
import { BodyQueue } from "./body_queue.ts";
import { ConnectionPool } from "./connection_pool.ts";
import type { HttpRequest } from "./connection.ts";

const { signal } = new AbortController();
const STREAM = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n";
const VERSION = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

/** A fake network connection that counts the requests. */
class CountingWire extends FakeWire {
  #bytes = 0;
  constructor() {
    super();
    Object.defineProperty(this.stream, "bytesRead", { get: () => this.#bytes });
  }
  override say(text: string): void {
    this.#bytes += text.length;
    super.say(text);
  }
  /** The number of requests that the fake connection received. */
  get requests(): number {
    return this.written.split(" HTTP/1.1\r\n").length - 1;
  }
}

/** A connection pool on a fake clock, and the other ends of its connections. */
class Scene implements Disposable {
  readonly clock = new FakeClock();
  readonly wires: CountingWire[] = [];
  readonly pool: ConnectionPool = new ConnectionPool({
    clock: this.clock,
    livenessTarget: "/base/version",
    connect: () => {
      const wire = new CountingWire();
      this.wires.push(wire);
      return Promise.resolve(wire);
    },
  });
  /** The errors with which streams ended, each with its connection and time. */
  readonly ends: [wire: number, atMs: number, error: unknown][] = [];

  /** Opens a stream whose fake server sends some data and then nothing. */
  async stream(headers: HttpRequest["headers"] = []): Promise<CountingWire> {
    const connection = await this.pool.single(signal);
    const index = this.wires.length - 1;
    const wire = this.wires[index]!;
    const answer = connection.send({ method: "GET", target: "/pods?watch=1", headers });
    wire.say(STREAM);
    const { body } = await answer;
    assert.ok(body instanceof BodyQueue);
    void (async () => {
      try {
        while (await body.read());
      } catch (error) {
        this.ends.push([index, this.clock.monotonicMs(), error]);
      }
    })();
    return wire;
  }

  /** Advances the fake clock, and answers the liveness probes or none. */
  async advance(ms: number, answers: boolean): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      await this.clock.advance(Math.min(1_000, left));
      const own = this.wires.at(-1)!;
      if (answers && own.requests > this.#answered) {
        this.#answered++;
        own.say(VERSION);
      }
    }
  }
  #answered = 0;

  [Symbol.dispose](): void {
    this.pool[Symbol.dispose]();
    assert.equal(this.clock.pending, 0, "no timer is left");
    assert.ok(this.wires.every(({ stream }) => stream.destroyed), "no connection is left");
  }
}

Deno.test("F01 a stream of an unreachable server ends within 48 s of its last byte", async () => {
  using scene = new Scene();
  await scene.stream();
  await scene.advance(20_000, true);
  scene.wires[0]!.say("2\r\n{}\r\n");
  await scene.advance(60_000, false);
  assert.equal(scene.ends.length, 1);
  const [, atMs, error] = scene.ends[0]!;
  assert.ok(error instanceof SilentPeerError);
  assert.match(
    error.message,
    /^no byte came for \d+ ms, and no answer to another request within 15000 ms$/,
  );
  assert.ok(atMs - 20_000 <= 48_000, `after ${atMs - 20_000} ms`);
  assert.ok(atMs - 20_000 > 42_000, `after ${atMs - 20_000} ms`);
});

Deno.test("F01 a silent stream of a reachable server continues, with one probe each half minute", async () => {
  using scene = new Scene();
  await scene.stream([
    ["Host", "a"],
    ["Authorization", "Bearer t"],
    ["Accept", "application/json;as=Table"],
    ["Impersonate-User", "bob"],
  ]);
  await scene.advance(600_000, true);
  assert.deepEqual(scene.ends, []);
  assert.equal(scene.wires.length, 2, "all on one connection");
  const asked = scene.wires[1]!;
  assert.ok(
    asked.requests > 10 && asked.requests <= 21,
    `${asked.requests} requests in ten minutes`,
  );
  assert.equal(asked.held, false, "the process does not wait for it");
  assert.equal(
    asked.written.split("\r\n\r\n")[0],
    [
      "GET /base/version HTTP/1.1",
      "Host: a",
      "Authorization: Bearer t",
      "Impersonate-User: bob",
      "Accept: application/json",
      "Connection: keep-alive",
    ].join("\r\n"),
  );
});

Deno.test("F01 an active stream is never ended, and needs one probe at most", async () => {
  using scene = new Scene();
  const wire = await scene.stream();
  for (let n = 0; n < 100; n++) {
    await scene.advance(10_000, n === 0);
    wire.say("2\r\n{}\r\n");
  }
  assert.deepEqual(scene.ends, []);
  assert.equal(scene.wires[1]!.requests, 1);
});

Deno.test("F01 of several streams, those that received data during a probe continue", async () => {
  using scene = new Scene();
  await scene.stream();
  const second = await scene.stream();
  await scene.advance(5_000, true);
  for (let n = 0; n < 12; n++) {
    await scene.advance(5_000, false);
    second.say("2\r\n{}\r\n");
  }
  assert.deepEqual(scene.ends.map(([wire]) => wire), [0]);
});

Deno.test("F02 a call to an unreachable server ends before its deadline of 65 s", async () => {
  using scene = new Scene();
  const connection = await scene.pool.take(signal);
  const failed = assert.rejects(
    connection.send({ method: "GET", target: "/", headers: [] }),
    SilentPeerError,
  );
  await scene.advance(50_000, false);
  await failed;
  assert.equal(scene.wires.length, 2);
});

Deno.test("F01 the connection of the probes is replaced when the server closes it, and closed with the last stream", async () => {
  using scene = new Scene();
  const wire = await scene.stream();
  await scene.advance(5_000, true);
  scene.wires[1]!.end();
  await scene.clock.advance(3_000);
  assert.equal(scene.wires.length, 3);
  scene.wires[2]!.say(VERSION);
  wire.say("0\r\n\r\n");
  await scene.clock.advance(6_000);
  assert.ok(scene.wires.every(({ stream }) => stream.destroyed));
  assert.equal(scene.clock.pending, 0);
});

Deno.test("F01 a suspended process does not mistake its own silence for that of the server", async () => {
  using scene = new Scene();
  await scene.stream();
  await scene.advance(5_000, true);
  scene.clock.step(3_600_000);
  await scene.clock.settle();
  await scene.advance(20_000, true);
  assert.deepEqual(scene.ends, []);
});
