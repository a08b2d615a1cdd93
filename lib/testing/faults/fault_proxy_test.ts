import assert from "node:assert/strict";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import { until } from "../../../tests/support/until.ts";
import { FakeClock } from "../fake_clock.ts";
import { FaultProxy } from "./fault_proxy.ts";

/** A test TCP server that echoes all bytes. */
class Echo implements AsyncDisposable {
  received = 0;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #conns = new Set<Promise<void>>();
  readonly #accepting = this.#accept();

  get target(): string {
    return `127.0.0.1:${this.#listener.addr.port}`;
  }

  async #accept(): Promise<void> {
    for await (const conn of this.#listener) this.#conns.add(this.#echo(conn).catch(() => {}));
  }

  async #echo(conn: Deno.TcpConn): Promise<void> {
    using _closed = conn;
    const buffer = new Uint8Array(4096);
    for (;;) {
      const count = await conn.read(buffer);
      if (count === null) return;
      this.received += count;
      for (let at = 0; at < count;) at += await conn.write(buffer.subarray(at, count));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#accepting;
    await Promise.all(this.#conns);
  }
}

function connect(address: string): Promise<Deno.TcpConn> {
  const [hostname, port] = address.split(":");
  return Deno.connect({ hostname: hostname!, port: Number(port) });
}

/**
 * Reads from a connection until `count` bytes have come or the connection has ended, and returns
 * them as text.
 */
async function read(conn: Deno.TcpConn, count = Infinity): Promise<string> {
  const buffer = new Uint8Array(4096);
  let text = "";
  while (text.length < count) {
    const got = await conn.read(buffer).catch(() => null);
    if (got === null) break;
    text += new TextDecoder().decode(buffer.subarray(0, got));
  }
  return text;
}

const send = (conn: Deno.TcpConn, text: string): Promise<number> =>
  conn.write(new TextEncoder().encode(text));

/**
 * Makes round trips to the echo server past the proxy, so that all bytes that can pass have passed.
 */
async function settle(echo: Echo): Promise<void> {
  using direct = await connect(echo.target);
  for (let trip = 0; trip < 20; trip++) {
    await send(direct, "x");
    await read(direct, 1);
  }
}

Deno.test("FaultProxy passes bytes both ways, counts them, and passes a half-close", async () => {
  await using echo = new Echo();
  await using proxy = FaultProxy.start({ target: echo.target });
  {
    using conn = await connect(proxy.address);
    await send(conn, "hello");
    assert.equal(await read(conn, 5), "hello");
    assert.equal(proxy.connections, 1);
    await conn.closeWrite();
    assert.equal(await read(conn), "", "the server saw the end and ended too");
  }
  assert.equal(proxy.accepted, 1);
  assert.equal(proxy.bytesToServer, 5);
  assert.equal(proxy.bytesToClient, 5);
});

Deno.test("cutAfter() passes exactly the given number of further bytes of the server", async () => {
  await using echo = new Echo();
  await using proxy = FaultProxy.start({ target: echo.target });
  for (const bytes of [0, 1, 3, 5]) {
    using conn = await connect(proxy.address);
    await send(conn, "ab");
    assert.equal(await read(conn, 2), "ab");
    proxy.cutAfter(bytes);
    await send(conn, "12345");
    assert.equal(await read(conn), "12345".slice(0, bytes));
  }
});

Deno.test("cutAfter() can apply to the next connection, or to every later one", async () => {
  await using echo = new Echo();
  await using proxy = FaultProxy.start({ target: echo.target });
  const trip = async (): Promise<string> => {
    using conn = await connect(proxy.address);
    await send(conn, "123");
    return await read(conn, 3);
  };
  using before = await connect(proxy.address);
  await send(before, "a");
  assert.equal(await read(before, 1), "a");

  proxy.cutAfter(2, "next");
  assert.equal(await trip(), "12");
  assert.equal(await trip(), "123");

  proxy.cutAfter(1, "later");
  assert.deepEqual([await trip(), await trip()], ["1", "1"]);
  await proxy.resume();
  assert.equal(await trip(), "123");

  await send(before, "still");
  assert.equal(await read(before, 5), "still");
});

Deno.test("a stalled proxy stays silent in both directions and closes nothing, until resume()", async () => {
  await using echo = new Echo();
  await using proxy = FaultProxy.start({ target: echo.target });
  using conn = await connect(proxy.address);
  await send(conn, "1");
  assert.equal(await read(conn, 1), "1");

  proxy.stall();
  using late = await connect(proxy.address);
  while (proxy.connections < 2) await settle(echo);
  const before = echo.received;
  await send(conn, "2");
  await send(late, "3");
  await settle(echo);
  assert.equal(echo.received - before, 20, "only the round trips past the proxy arrived");
  assert.equal(proxy.connections, 2);

  await proxy.resume();
  assert.equal(await read(conn, 1), "2");
  assert.equal(await read(late, 1), "3");
});

Deno.test("a stalled proxy hides the end of a connection from the other side", async () => {
  await using echo = new Echo();
  await using proxy = FaultProxy.start({ target: echo.target });
  {
    using conn = await connect(proxy.address);
    await send(conn, "1");
    assert.equal(await read(conn, 1), "1");
    proxy.stall();
  }
  await settle(echo);
  assert.equal(proxy.connections, 1, "the client left, and the proxy does not tell");
});

Deno.test("refuse() affects new connections only; resume() listens on the same port", async () => {
  await using echo = new Echo();
  await using proxy = FaultProxy.start({ target: echo.target });
  using open = await connect(proxy.address);
  await send(open, "1");
  assert.equal(await read(open, 1), "1");

  await proxy.refuse();
  await assert.rejects(connect(proxy.address), Deno.errors.ConnectionRefused);
  await send(open, "2");
  assert.equal(await read(open, 1), "2");

  await proxy.resume();
  using again = await connect(proxy.address);
  await send(again, "3");
  assert.equal(await read(again, 1), "3");
});

Deno.test("a proxy accepts connections again after an error of its listener", async () => {
  await using log = await CollectedLog.start();
  await using echo = new Echo();
  const { listen } = Deno;
  const inner = listen({ hostname: "127.0.0.1", port: 0 });
  const accept = inner.accept.bind(inner);
  let tries = 0;
  inner.accept = async () => {
    if (tries++ === 0) throw new Error("too many open files");
    return await accept();
  };
  Deno.listen = () => inner as never;
  const started = FaultProxy.start({ target: echo.target });
  Deno.listen = listen;
  await using proxy = started;
  using conn = await connect(proxy.address);
  await send(conn, "1");
  assert.equal(await read(conn, 1), "1");
  assert.deepEqual(log.messages("warning"), [
    "The fault proxy cannot accept a connection: too many open files",
  ]);
});

Deno.test("cutAll() closes open connections, stalled or not", async () => {
  await using echo = new Echo();
  await using proxy = FaultProxy.start({ target: echo.target });
  using first = await connect(proxy.address);
  await send(first, "1");
  assert.equal(await read(first, 1), "1");
  proxy.stall();
  using second = await connect(proxy.address);
  await send(second, "2");
  while (proxy.connections < 2) await settle(echo);
  proxy.cutAll();
  assert.equal(await read(first), "");
  assert.equal(await read(second), "");
});

Deno.test("a client whose target is gone loses its connection, and the proxy continues", async () => {
  await using proxy = FaultProxy.start({ target: "127.0.0.1:1" });
  using conn = await connect(proxy.address);
  assert.equal(await read(conn), "");
  using again = await connect(proxy.address);
  assert.equal(await read(again), "");
});

Deno.test("delay() holds back what passes, in each direction, on open and new connections, until 0", async () => {
  await using echo = new Echo();
  const clock = new FakeClock();
  await using proxy = FaultProxy.start({ target: echo.target, clock });
  using open = await connect(proxy.address);
  await send(open, "a");
  assert.equal(await read(open, 1), "a");
  proxy.delay(300);
  using later = await connect(proxy.address);
  for (const conn of [open, later]) {
    await send(conn, "b");
    const answer = read(conn, 1);
    await until(() => clock.pending > 0, "the delay of the request");
    await settle(echo);
    assert.equal(proxy.bytesToClient, conn === open ? 1 : 2);
    await clock.advance(300);
    await until(() => clock.pending > 0, "the delay of the answer");
    await clock.advance(300);
    assert.equal(await answer, "b");
  }
  proxy.delay(0);
  await send(open, "c");
  assert.equal(await read(open, 1), "c");
  assert.throws(() => proxy.delay(-1), RangeError);
});

Deno.test("a delayed connection ends at once when it is cut", async () => {
  await using echo = new Echo();
  const clock = new FakeClock();
  const proxy = FaultProxy.start({ target: echo.target, clock });
  proxy.delay(60_000);
  using conn = await connect(proxy.address);
  await send(conn, "a");
  await until(() => clock.pending > 0, "the delay");
  await proxy[Symbol.asyncDispose]();
  assert.equal(clock.pending, 0);
  assert.equal(await read(conn), "");
});

Deno.test("urlOf() keeps scheme and path; a target without a port is refused", async () => {
  await using proxy = FaultProxy.start({ target: "https://127.0.0.1:6443" });
  assert.equal(proxy.urlOf("https://127.0.0.1:6443"), `https://${proxy.address}`);
  assert.equal(proxy.urlOf("https://h:1/a?b=c"), `https://${proxy.address}/a?b=c`);
  assert.throws(() => FaultProxy.start({ target: "localhost" }), {
    name: "TypeError",
    message: 'Cannot proxy to "localhost": it must be host:port or a URL with a port',
  });
});
