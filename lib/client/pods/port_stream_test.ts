import assert from "node:assert/strict";
import { FakeSocket, fakeSocketCalls, onChannel } from "../../../tests/client/fake_socket.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import { podPortForward } from "./port_forward.ts";
import { podPort } from "./port_stream.ts";
import { StreamBrokenError } from "../errors/unreachable_error.ts";

const V4 = "v4.channel.k8s.io";
const PORT_80 = [80, 0];

Deno.test("podPort() removes the number of the port from the front, however it is cut", async () => {
  const cuts = [
    [onChannel(0, PORT_80), onChannel(1, PORT_80), onChannel(0, "hello")],
    [onChannel(0, [80]), onChannel(0, [0, ..."hello".split("").map((c) => c.charCodeAt(0))])],
  ];
  for (const messages of cuts) {
    const socket = new FakeSocket(V4, ...messages);
    socket.end();
    const client = fakeSocketCalls(socket);
    using port = await podPort(client, "default/web", 80);
    assert.equal(await new Response(port.readable).text(), "hello");
    assert.deepEqual(client.requests[0]!.query, { ports: 80 });
    await port.closed;
    assert(socket.disposed);
  }
});

Deno.test("podPort() fails with the text of the error channel, and with a lost connection", async () => {
  const refused = new FakeSocket(V4, onChannel(1, PORT_80), onChannel(1, "connection refused\n"));
  using one = await podPort(fakeSocketCalls(refused), "default/web", 80);
  await assert.rejects(new Response(one.readable).text(), (error) => {
    assert(error instanceof StreamBrokenError);
    assert.match(
      error.message,
      /connection to port 80 of pod default\/web .*: connection refused$/,
    );
    return true;
  });
  const lost = new FakeSocket(V4, onChannel(0, PORT_80), new Error("reset"));
  using two = await podPort(fakeSocketCalls(lost), "default/web", 80);
  await assert.rejects(new Response(two.readable).text(), /reset/);
});

Deno.test("podPort() passes on the data that arrived before the connection was lost", async () => {
  const lost = new FakeSocket(V4, onChannel(0, PORT_80), onChannel(0, "hello"), new Error("reset"));
  using port = await podPort(fakeSocketCalls(lost), "default/web", 80);
  await port.closed;
  const reader = port.readable.getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), "hello");
  await assert.rejects(reader.read(), /reset/);
});

Deno.test("podPort() refuses an invalid port", async () => {
  for (const port of [0, 65_536, 1.5, NaN]) {
    await assert.rejects(podPort(fakeSocketCalls(), "default/web", port), TypeError);
  }
});

Deno.test("podPortForward() reports a connection that fails, and continues", async () => {
  const failures: string[] = [];
  const works = new FakeSocket(V4, onChannel(0, PORT_80), onChannel(0, "hello"));
  works.end();
  const connect = [
    () => Promise.reject(new Error("pod is gone")),
    () => Promise.resolve(works),
  ];
  await using forward = await podPortForward({ connect: () => connect.shift()!() }, "default/web", {
    port: 80,
    onError: (error) => failures.push((error as Error).message),
  });
  for (const expected of ["", "hello"]) {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port: forward.port });
    let said = "";
    const buffer = new Uint8Array(64);
    for (;;) {
      const size = await connection.read(buffer).catch(() => null);
      if (size === null) break;
      said += new TextDecoder().decode(buffer.subarray(0, size));
    }
    assert.equal(said, expected);
  }
  assert.deepEqual(failures, ["pod is gone"]);
});

Deno.test("podPortForward() answers a caller that closed its sending side for 30 s", async () => {
  const clock = new FakeClock();
  const socket = new FakeSocket(V4, onChannel(0, PORT_80));
  await using forward = await podPortForward(fakeSocketCalls(socket), "default/web", {
    port: 80,
    clock,
  });
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: forward.port });
  await connection.closeWrite();
  while (clock.pending === 0) await clock.settle();
  socket.push(onChannel(0, "late"));
  const buffer = new Uint8Array(64);
  assert.equal(await connection.read(buffer), 4);
  assert.equal(socket.disposed, false);
  await clock.advance(30_000);
  assert.equal(await connection.read(buffer).catch(() => null), null);
  assert(socket.disposed);
  connection.close();
});

Deno.test("podPortForward() ends all its connections when it is disposed, and by its signal", async () => {
  const abort = new AbortController();
  const socket = new FakeSocket(V4, onChannel(0, PORT_80));
  const signal = abort.signal;
  const forward = await podPortForward(fakeSocketCalls(socket), "default/web", {
    port: 80,
    signal,
  });
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: forward.port });
  abort.abort(new Error("enough"));
  await forward.closed;
  await assert.rejects(Deno.connect({ hostname: "127.0.0.1", port: forward.port }));
  assert.equal(await connection.read(new Uint8Array(1)).catch(() => null), null);
  await forward[Symbol.asyncDispose]();
  await assert.rejects(
    podPortForward(fakeSocketCalls(), "default/web", { port: 80, signal }),
    /enough/,
  );
});

Deno.test("podPortForward() closes its port when the listener fails", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.accept = () => Promise.reject(new Error("too many open files"));
  const listen = Deno.listen;
  Deno.listen = () => listener as never;
  const failures: string[] = [];
  const starting = podPortForward(fakeSocketCalls(), "default/web", {
    port: 80,
    onError: (error) => failures.push((error as Error).message),
  });
  Deno.listen = listen;
  await using forward = await starting;
  await forward.closed;
  assert.deepEqual(failures, ["too many open files"]);
  await assert.rejects(
    Deno.connect({ hostname: "127.0.0.1", port: forward.port }),
    Deno.errors.ConnectionRefused,
  );
});
