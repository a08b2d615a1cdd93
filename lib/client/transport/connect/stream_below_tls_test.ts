import assert from "node:assert/strict";
import net, { type AddressInfo } from "node:net";
import { connectTcp } from "./connect.ts";
import { ReadBuffer } from "./read_buffer.ts";
import { StreamBelowTls } from "./below_tls.ts";

/** Opens a stream to a server on loopback, and returns both ends of the connection. */
async function connected({ buffered }: { readonly buffered: boolean }) {
  const server = net.createServer();
  const accepted = new Promise<net.Socket>((resolve) => server.once("connection", resolve));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const reads = buffered ? new ReadBuffer() : undefined;
  const signal = new AbortController().signal;
  const stream = new StreamBelowTls(
    await connectTcp({ host: "127.0.0.1", port }, signal, reads),
    reads,
  );
  const events: string[] = [];
  for (const name of ["end", "close"]) stream.on(name, () => events.push(name));
  stream.on("error", (error: Error) => events.push(`error: ${error.message}`));
  const peer = await accepted;
  peer.on("error", () => {});
  const ended = Promise.withResolvers<void>();
  server.on("close", () => ended.resolve());
  return {
    stream,
    peer,
    events,
    async [Symbol.asyncDispose]() {
      stream.destroy();
      peer.destroy();
      server.close();
      await ended.promise;
    },
  };
}

/** Resolves with the bytes of a socket until it ends, as text. */
async function textOf(socket: net.Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += new TextDecoder().decode(chunk);
  return text;
}

function closed(stream: StreamBelowTls): Promise<void> {
  return new Promise((resolve) => stream.once("close", resolve));
}

for (const buffered of [true, false]) {
  Deno.test(`StreamBelowTls passes the bytes of the socket, and its end, with a read buffer: ${buffered}`, async () => {
    await using ends = await connected({ buffered });
    let text = "";
    const ended = new Promise<void>((resolve) => ends.stream.once("end", resolve));
    ends.stream.on("data", (chunk: Uint8Array) => text += new TextDecoder().decode(chunk));
    for (let i = 0; i < 50; i++) {
      ends.peer.write(`${i};`);
      if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    ends.peer.end();
    await ended;
    assert.equal(text, Array.from({ length: 50 }, (_, i) => `${i};`).join(""));
  });
}

Deno.test("StreamBelowTls: nothing arrives while it is paused", async () => {
  await using ends = await connected({ buffered: true });
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  let bytes = 0;
  ends.stream.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    resolve();
  });
  ends.stream.pause();
  await new Promise((resolve) => ends.peer.write("x".repeat(1_000), resolve));
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(bytes, 0);
  ends.stream.resume();
  await arrived;
  assert.equal(bytes, 1_000);
});

Deno.test("StreamBelowTls sends nothing when its check throws, and fails with that error", async () => {
  await using ends = await connected({ buffered: true });
  const received = textOf(ends.peer);
  const gone = closed(ends.stream);
  ends.stream.check = () => {
    throw new Error("not the leader");
  };
  const errors: unknown[] = [];
  assert.equal(ends.stream.write(new Uint8Array(9), (error) => errors.push(error)), false);
  await gone;
  assert.equal(await received, "");
  assert.match(String(errors), /not the leader/);
  assert.deepEqual(ends.events, ["error: not the leader", "close"]);
  assert.equal(ends.stream.writable, false);
});

Deno.test("StreamBelowTls ends after the chunks that were written", async () => {
  await using ends = await connected({ buffered: true });
  const received = textOf(ends.peer);
  ends.stream.write(new TextEncoder().encode("last words"), () => {});
  await new Promise<void>((resolve) => ends.stream.end(resolve));
  assert.equal(await received, "last words");
});

Deno.test("StreamBelowTls closes once, whichever end closes first", async () => {
  for (const first of ["stream", "peer"] as const) {
    await using ends = await connected({ buffered: true });
    const gone = closed(ends.stream);
    if (first === "peer") ends.peer.resetAndDestroy();
    else ends.stream.destroy();
    await gone;
    ends.stream.destroy(new Error("again"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(ends.events.filter((event) => event === "close").length, 1, first);
    assert(!ends.events.includes("error: again"));
  }
});
