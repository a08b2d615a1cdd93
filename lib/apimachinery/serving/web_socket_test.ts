import assert from "node:assert/strict";
import { once } from "node:events";
import type { ClientRequest, ClientRequestArgs, IncomingMessage } from "node:http";
import { connect, type TLSSocket } from "node:tls";
import { WebSocket } from "ws";
import { CertificateAuthority } from "../pki/certificate_authority.ts";
import type { Handler } from "./http_server.ts";
import { HttpsServer, type HttpsServerOptions } from "./https_server.ts";

const ca = await CertificateAuthority.create("ca", new Date());
const certificate = await ca.serving("server", ["localhost"], ["127.0.0.1"]);

function serve(
  handler: Handler,
  options: Partial<HttpsServerOptions> = {},
): Promise<HttpsServer> {
  const webSockets = { covers: (_: string, target: string) => target.startsWith("/lines") };
  return HttpsServer.listen({ handler, certificate, webSockets, ...options });
}

/** A stream source of a response that a test writes to, with its state. */
class Source {
  readonly cancelled: Promise<void>;
  readonly body: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.cancelled = promise;
    this.body = new ReadableStream({
      start: (controller) => void (this.#controller = controller),
      cancel: () => resolve(),
    });
  }

  send(text: string): void {
    this.#controller.enqueue(new TextEncoder().encode(text));
  }

  end(): void {
    this.#controller.close();
  }

  fail(): void {
    this.#controller.error(new Error("broken"));
  }
}

/** A WebSocket client of the package `ws`, with the messages that it received. */
class Client {
  readonly messages: string[] = [];
  readonly opened: Promise<void>;
  readonly closed: Promise<number>;
  /** The status and body of the response that refuses the WebSocket. */
  readonly refused: Promise<{ code: number; text: string; headers: IncomingMessage["headers"] }>;
  readonly socket: WebSocket;

  constructor(
    server: HttpsServer,
    path: string,
    protocols: string[] = [],
    options: ClientRequestArgs & { origin?: string; ca?: string } = {},
  ) {
    const url = server.url.replace("https", "wss") + path;
    const socket = new WebSocket(url, protocols, {
      ca: ca.cert,
      origin: "https://origin.example",
      perMessageDeflate: false,
      ...options,
    });
    this.socket = socket;
    socket.on("message", (data: Uint8Array, isBinary: boolean) => {
      this.messages.push(isBinary ? "binary" : data.toString());
    });
    socket.on("error", () => {});
    this.opened = new Promise((resolve) => socket.on("open", () => resolve()));
    this.closed = new Promise((resolve) => socket.on("close", (code: number) => resolve(code)));
    this.refused = new Promise((resolve) => {
      socket.on("unexpected-response", (request: ClientRequest, answer: IncomingMessage) => {
        let text = "";
        answer.on("data", (chunk: Uint8Array) => text += chunk);
        answer.on("end", () => {
          request.destroy();
          resolve({ code: answer.statusCode!, text, headers: answer.headers });
        });
      });
    });
  }
}

Deno.test("each line of a response is a text message, and the end of the stream is a normal closure", async () => {
  const source = new Source();
  await using server = await serve(() => Promise.resolve(new Response(source.body)));
  const client = new Client(server, "/lines");
  await client.opened;
  source.send('{"a":1}\n{"b":');
  source.send('"ü"}\n');
  source.end();
  assert.equal(await client.closed, 1000);
  assert.deepEqual(client.messages, ['{"a":1}\n', '{"b":"ü"}\n']);
});

Deno.test("a single protocol that a client offers is confirmed", async () => {
  const source = new Source();
  await using server = await serve(() => Promise.resolve(new Response(source.body)));
  const client = new Client(server, "/lines", ["base64.binary.k8s.io"]);
  await client.opened;
  assert.equal(client.socket.protocol, "base64.binary.k8s.io");
  source.send("text\n");
  source.end();
  await client.closed;
  assert.deepEqual(client.messages, ["text\n"]);
});

Deno.test("a client that disconnects cancels the source and aborts the request", async () => {
  for (const leave of ["close", "terminate"] as const) {
    const source = new Source();
    let signal: AbortSignal | undefined;
    await using server = await serve((request) => {
      signal = request.signal;
      return Promise.resolve(new Response(source.body));
    });
    const client = new Client(server, "/lines");
    await client.opened;
    client.socket[leave]();
    await source.cancelled;
    await client.closed;
    if (leave === "terminate") {
      await new Promise<void>((resolve) => {
        if (signal!.aborted) resolve();
        signal!.addEventListener("abort", () => resolve());
      });
    }
  }
});

Deno.test("pings are answered while nothing is sent, and messages of a client are ignored", async () => {
  const source = new Source();
  await using server = await serve(() => Promise.resolve(new Response(source.body)));
  const client = new Client(server, "/lines");
  await client.opened;
  client.socket.send("x".repeat(100_000));
  const pong = new Promise((resolve) => client.socket.on("pong", resolve));
  client.socket.ping("are you there");
  assert.equal(String(await pong), "are you there");
  source.end();
  assert.equal(await client.closed, 1000);
});

Deno.test("a stream that fails closes the connection without a closing frame", async () => {
  const source = new Source();
  const errors: unknown[] = [];
  await using server = await serve(() => Promise.resolve(new Response(source.body)), {
    onError: (error) => void errors.push(error),
  });
  const client = new Client(server, "/lines");
  await client.opened;
  source.fail();
  assert.equal(await client.closed, 1006);
  assert.match(String(errors), /broken/);
});

Deno.test("a response that is not a stream of lines is sent as the refusal of the WebSocket", async () => {
  await using server = await serve(() =>
    Promise.resolve(new Response("there is no such thing", { status: 404 }))
  );
  const { code, text } = await new Client(server, "/lines").refused;
  assert.deepEqual({ code, text }, { code: 404, text: "there is no such thing" });
});

Deno.test("a handshake without an origin, or with several protocols, is refused, and its stream cancelled", async () => {
  const wrong: [string[], string | undefined, number][] = [
    [[], undefined, 403],
    [[], "null", 403],
    [["a", "b"], "https://origin.example", 400],
  ];
  for (const [protocols, origin, code] of wrong) {
    const source = new Source();
    await using server = await serve(() => Promise.resolve(new Response(source.body)));
    const options = origin === undefined ? { origin: undefined } : { origin };
    const client = new Client(server, "/lines", protocols, options as { origin?: string });
    assert.equal((await client.refused).code, code);
    await source.cancelled;
  }
});

Deno.test("a request for a WebSocket where none is offered is answered as any other", async () => {
  await using server = await serve((request) =>
    Promise.resolve(new Response(new URL(request.url).pathname))
  );
  const { code, text } = await new Client(server, "/other").refused;
  assert.deepEqual({ code, text }, { code: 200, text: "/other" });
});

Deno.test("a connection serves further requests after one that did not become a WebSocket", async () => {
  await using server = await serve((request) => {
    const { pathname } = new URL(request.url);
    const status = pathname.startsWith("/lines") ? 404 : 200;
    return Promise.resolve(new Response(`[${pathname} ${request.headers.get("x")}]`, { status }));
  });
  const socket = connect({ port: server.port, host: "127.0.0.1", ca: [ca.cert] });
  socket.setEncoding("utf8");
  let text = "";
  socket.on("data", (chunk) => text += chunk);
  const answered = async (count: number): Promise<string[]> => {
    for (;;) {
      const bodies = text.match(/\[.*?\]/g) ?? [];
      if (bodies.length >= count) return bodies;
      await once(socket, "data");
    }
  };
  await once(socket, "secureConnect");
  const asked = (path: string, lines: readonly string[] = []): string =>
    [`GET ${path} HTTP/1.1`, "Host: x", ...lines, "", ""].join("\r\n");
  const upgrade = ["Connection: Upgrade", "Upgrade: websocket"];
  // The requests of one packet follow the handshake at once.
  socket.write(asked("/lines/a", upgrade) + asked("/b") + asked("/lines/c", upgrade));
  await answered(3);
  socket.write(asked("/d", ["X: 1"]));
  await answered(4);
  socket.write(asked("/lines/e", [...upgrade, "X: 2"]));
  assert.deepEqual(await answered(5), [
    "[/lines/a null]",
    "[/b null]",
    "[/lines/c null]",
    "[/d 1]",
    "[/lines/e 2]",
  ]);
  assert.doesNotMatch(text, /connection: close/i);
  socket.destroy();
});

/** Sends a WebSocket handshake and returns the head of the response. */
async function handshake(
  server: HttpsServer,
  lines: readonly string[],
): Promise<[string, TLSSocket]> {
  const socket = connect({ port: server.port, host: "127.0.0.1", ca: [ca.cert] });
  const head = await new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes;
      if (text.includes("\r\n\r\n")) resolve(text);
    });
    socket.on("secureConnect", () => {
      socket.write(["GET /lines HTTP/1.1", "Host: x", ...lines, "", ""].join("\r\n"));
    });
  });
  return [head, socket];
}

Deno.test("a handshake of another version, or without a key, is refused with the reason", async () => {
  await using server = await serve(() => Promise.resolve(new Response(new Source().body)));
  const good = [
    "Connection: keep-alive, Upgrade",
    "Upgrade: WebSocket",
    "Origin: https://x.example",
  ];
  const [version] = await handshake(server, [
    ...good,
    "Sec-WebSocket-Key: abc",
    "Sec-WebSocket-Version: 12",
  ]);
  assert.match(
    version,
    /^HTTP\/1.1 400 [^]*sec-websocket-version: 13\r\n[^]*bad WebSocket Version$/,
  );
  const [key] = await handshake(server, [...good, "Sec-WebSocket-Version: 13"]);
  assert.match(key, /^HTTP\/1.1 400 [^]*mismatch challenge\/response$/);
});

Deno.test("a server that stops closes WebSockets", async () => {
  const source = new Source();
  const server = await serve(() => Promise.resolve(new Response(source.body)));
  const client = new Client(server, "/lines");
  await client.opened;
  await server.stop({ graceMs: 0 });
  assert.equal(await client.closed, 1006);
  await source.cancelled;
});

Deno.test("a client that does not read slows the source", async () => {
  let pulled = 0;
  const line = new TextEncoder().encode(`${"x".repeat(64 * 1024)}\n`);
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled++;
      controller.enqueue(line);
    },
  }, { highWaterMark: 0 });
  await using server = await serve(() => Promise.resolve(new Response(body)));
  // This client reads on demand, and the test does not read.
  using client = await Deno.connectTls({
    hostname: "127.0.0.1",
    port: server.port,
    caCerts: [ca.cert],
  });
  const head = ["GET /lines HTTP/1.1", "Host: x", "Connection: Upgrade", "Upgrade: websocket"];
  const more = ["Origin: https://x", "Sec-WebSocket-Key: abc", "Sec-WebSocket-Version: 13"];
  await client.write(new TextEncoder().encode([...head, ...more, "", ""].join("\r\n")));
  const enough = 1000;
  for (let before = -1; pulled === 0 || (pulled !== before && pulled < enough);) {
    before = pulled;
    for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(pulled < enough, `${pulled} lines of 64 KiB`);
});

Deno.test("a request for which the owner's covers() throws is answered as any other", async () => {
  const covers = (): boolean => {
    throw new TypeError("Invalid URL");
  };
  const webSockets = { covers };
  await using server = await serve(() => Promise.resolve(new Response("plain")), { webSockets });
  const { code, text } = await new Client(server, "/lines").refused;
  assert.deepEqual({ code, text }, { code: 200, text: "plain" });
});

Deno.test("only the newest ping of a client that does not read is answered", async () => {
  const source = new Source();
  await using server = await serve(() => Promise.resolve(new Response(source.body)));
  using client = await Deno.connectTls({
    hostname: "127.0.0.1",
    port: server.port,
    caCerts: [ca.cert],
  });
  const head = ["GET /lines HTTP/1.1", "Host: x", "Connection: Upgrade", "Upgrade: websocket"];
  const more = ["Origin: https://x", "Sec-WebSocket-Key: abc", "Sec-WebSocket-Version: 13"];
  await client.write(new TextEncoder().encode([...head, ...more, "", ""].join("\r\n")));
  const ping = new Uint8Array(131).fill(0x61); // 125 bytes of payload behind head and mask.
  ping.set([0x89, 0x80 | 125, 0, 0, 0, 0]);
  const pings = new Uint8Array(131 * 500);
  for (let at = 0; at < pings.length; at += ping.length) pings.set(ping, at);
  let sent = 0;
  while (sent < PING_BYTES) sent += await client.write(pings);
  source.end();
  let heard = 0;
  const bytes = new Uint8Array(64 * 1024);
  for (let length; (length = await client.read(bytes).catch(() => null)) !== null;) heard += length;
  assert.ok(heard < sent / 2, `${heard} bytes for ${sent} bytes of pings`);
});

/** The number of bytes of pings that exceeds twice the kernel's buffers of both ends. */
const PING_BYTES = 64 * 1024 * 1024;
