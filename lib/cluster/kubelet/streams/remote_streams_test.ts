import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { duplexPair } from "node:stream";
import { serveSpdy } from "./spdy_streams.ts";
import type { ProcessStreams, StreamContext, TerminalSize } from "./stream_context.ts";
import { serveRemote } from "./web_socket_streams.ts";

/** Returns the context of an exec request with the given program. */
function contextOf(program: (streams: ProcessStreams) => Promise<string>): StreamContext {
  return {
    query: new URLSearchParams("input=1&output=1&tty=1"),
    forward: false,
    remote: program,
    connect: () => Promise.resolve("no port"),
  };
}

function spdyRequest(protocol: string): IncomingMessage {
  return { headers: { "x-stream-protocol-version": protocol } } as unknown as IncomingMessage;
}

for (
  const [what, protocol, head] of [
    ["is refused", "v9.channel.k8s.io", "HTTP/1.1 403 "],
    ["leaves before its streams are open", "v4.channel.k8s.io", "HTTP/1.1 101 "],
  ] as const
) {
  Deno.test(`nothing runs in a container for a SPDY client that ${what}`, async () => {
    let runs = 0;
    const context = contextOf(() => Promise.resolve(String(++runs)));
    const [client, server] = duplexPair();
    const served = serveSpdy(spdyRequest(protocol), server, context);
    const [first] = await new Promise<Uint8Array[]>((resolve) =>
      client.once("data", (data) => resolve([data]))
    );
    client.end();
    await served;
    assert.equal(new TextDecoder().decode(first).slice(0, head.length), head);
    assert.equal(runs, 0);
  });
}

/** A WebSocket whose client is the test. */
class FakeSocket extends EventEmitter {
  readonly protocol = "v5.channel.k8s.io";
  readonly sent: string[] = [];

  send(data: Uint8Array, done?: (error?: Error) => void): void {
    if (data.byteLength > 1) {
      this.sent.push(`${data[0]} ${new TextDecoder().decode(data.slice(1))}`);
    }
    done?.();
  }

  close(): void {
    this.emit("close");
  }

  receive(channel: number, text: string): void {
    this.emit("message", Uint8Array.of(channel, ...new TextEncoder().encode(text)));
  }
}

for (const malformed of ["{", "null", '{"Width":"80"}', '{"Width":-1}', '{"Width":65536}']) {
  Deno.test(`a process outlives the malformed terminal size ${malformed}`, async () => {
    const sizes: TerminalSize[] = [];
    const socket = new FakeSocket();
    const served = serveRemote(
      socket,
      contextOf(async (streams) => {
        for await (const size of streams.sizes) sizes.push(size);
        for await (const bytes of streams.stdin) await streams.out(bytes);
        return "done";
      }),
    );
    socket.receive(4, '{"Width":80,"Height":24}');
    socket.receive(4, malformed);
    socket.receive(0, "still here");
    socket.receive(255, "\0");
    await served;
    assert.deepEqual(sizes, [{ Width: 80, Height: 24 }]);
    assert.deepEqual(socket.sent, ["1 still here", "3 done"]);
  });
}
