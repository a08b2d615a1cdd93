import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { Agent, request as httpsRequest, type RequestOptions } from "node:https";
import type { IncomingMessage } from "node:http";
import { connect, type TLSSocket } from "node:tls";
import { CertificateAuthority } from "../pki/certificate_authority.ts";
import type { Handler } from "./http_server.ts";
import { HttpsServer, type HttpsServerOptions } from "./https_server.ts";
import type { Peer } from "./peer.ts";

const ca = await CertificateAuthority.create("ca", new Date());
const certificate = await ca.serving("first", ["localhost"], ["127.0.0.1"]);
const jane = await ca.client("jane", ["developers", "system:masters"]);

function serve(
  handler: Handler,
  options: Partial<HttpsServerOptions> = {},
): Promise<HttpsServer> {
  return HttpsServer.listen({ handler, certificate, clientCa: ca.cert, ...options });
}

interface Answer {
  readonly code: number | undefined;
  readonly text: string;
  readonly headers: IncomingMessage["headers"];
}

function send(
  server: HttpsServer,
  path: string,
  options: RequestOptions & { body?: string | Uint8Array } = {},
): Promise<Answer> {
  const { body, ...rest } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const agent = new Agent({ keepAlive: false });
  const outgoing = httpsRequest(server.url + path, { ca: [ca.cert], agent, ...rest }, (answer) => {
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (chunk) => text += chunk);
    answer.on("end", () => resolve({ code: answer.statusCode, text, headers: answer.headers }));
    answer.on("error", reject);
  });
  outgoing.on("error", reject);
  outgoing.end(body);
  return promise.finally(() => agent.destroy());
}

/**
 * Sends raw bytes to a server and returns the text of its response, until it closes the connection
 * or the response matches `enough`.
 */
async function say(
  server: HttpsServer,
  text: string,
  options: { readonly enough?: RegExp; readonly cert?: string; readonly key?: string } = {},
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { enough, ...pair } = options;
  let said = "";
  const socket = connect({ port: server.port, host: "127.0.0.1", ca: [ca.cert], ...pair });
  socket.on("secureConnect", () => socket.write(text));
  socket.on("data", (bytes) => {
    said += bytes;
    if (enough?.test(said)) resolve();
  });
  socket.on("error", () => resolve());
  socket.on("close", () => resolve());
  await promise;
  await closed(socket);
  return said;
}

async function closed(socket: TLSSocket): Promise<void> {
  if (socket.closed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on("close", () => resolve());
  socket.destroy();
  await promise;
}

const echo: Handler = async (request) => {
  const { pathname, search } = new URL(request.url);
  return new Response(`${request.method} ${pathname}${search} ${await request.text()}`);
};

Deno.test("the handler receives method, path, query, headers and body, and the client its response", async () => {
  await using server = await serve(async (request) => {
    const said = `${request.method} ${request.url.slice(server.url.length)} ${await request
      .text()}`;
    return new Response(said, {
      status: 201,
      headers: {
        "x-seen": request.headers.get("x-sent") ?? "",
        "content-length": `${said.length}`,
      },
    });
  });
  const answer = await send(server, "/a/b?c=d%20e&c=f", {
    method: "PUT",
    body: "text",
    headers: { "X-Sent": "1" },
  });
  assert.equal(answer.code, 201);
  assert.equal(answer.text, "PUT /a/b?c=d%20e&c=f text");
  assert.equal(answer.headers["x-seen"], "1");
  assert.equal(answer.headers["content-length"], "25");
});

Deno.test("a chunked body is received completely and unchanged", async () => {
  await using server = await serve(async (request) => {
    const bytes = await request.bytes();
    return new Response(bytes, { headers: { "content-length": `${bytes.length}` } });
  });
  const body = "ü".repeat(100_000);
  const headers = { "transfer-encoding": "chunked" };
  const { text } = await send(server, "/", { method: "POST", body, headers });
  assert.equal(text, body);
});

Deno.test("the peer has name and organizations of a verified client certificate", async () => {
  let seen: Peer | undefined;
  await using server = await serve((_, peer) => {
    seen = peer;
    return Promise.resolve(new Response(""));
  });
  await send(server, "/", { ...jane, headers: { "x-many": ["a", "b, c"] } });
  assert.deepEqual(seen?.certificate, {
    commonName: "jane",
    organizations: ["developers", "system:masters"],
    sha256: new X509Certificate(jane.cert).fingerprint256.replaceAll(":", "").toLowerCase(),
  });
  assert.equal(seen?.address, "127.0.0.1");
  const many = seen.rawHeaders.filter((_, at, all) => all[at - 1]?.toLowerCase() === "x-many");
  assert.deepEqual(many, ["a", "b, c"]);
  await send(server, "/");
  assert.equal(seen?.certificate, undefined);
  assert.equal(seen?.certificateError, undefined);
});

Deno.test("certificates of another authority, expired ones and those of servers are not verified", async () => {
  const seen: Peer[] = [];
  await using server = await serve((_, peer) => {
    seen.push(peer);
    return Promise.resolve(new Response(""));
  });
  const other = await CertificateAuthority.create("ca", new Date());
  await send(server, "/", await other.client("mallory", ["system:masters"]));
  const then = new Date("2020-01-01");
  await send(server, "/", await ca.client("late", [], { now: then }));
  await send(server, "/", await ca.serving("server", [], ["127.0.0.1"]));
  assert.equal(seen.length, 3);
  for (const peer of seen) {
    assert.equal(peer.certificate, undefined);
    assert.equal(typeof peer.certificateError, "string");
  }
});

Deno.test("many requests share one connection", async () => {
  let count = 0;
  const ports = new Set<number>();
  await using server = await serve(() => Promise.resolve(new Response(String(++count))));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let times = 0; times < 3; times++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const outgoing = httpsRequest(server.url, { ca: [ca.cert], agent }, (answer) => {
      ports.add(answer.socket.localPort!);
      answer.resume().on("end", () => resolve());
    });
    outgoing.end();
    await promise;
  }
  agent.destroy();
  assert.deepEqual([count, ports.size], [3, 1]);
});

Deno.test("chunks of a stream are sent at once", async () => {
  let source: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (source = controller),
  });
  await using server = await serve(() => Promise.resolve(new Response(body)));
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const agent = new Agent();
  httpsRequest(server.url, { ca: [ca.cert], agent }, resolve).end();
  const answer = await promise; // The head is there before any of the body.
  const chunks = answer[Symbol.asyncIterator]();
  for (const text of ["first", "second"]) {
    source!.enqueue(new TextEncoder().encode(text));
    assert.equal(String((await chunks.next()).value), text);
  }
  source!.close();
  assert.equal((await chunks.next()).done, true);
  agent.destroy();
});

Deno.test("a client that does not read stops the source of the stream", async () => {
  let given = 0;
  const cancelled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      given++;
      controller.enqueue(new Uint8Array(1 << 20));
      if (given > 200) controller.close();
    },
    cancel: () => cancelled.resolve(),
  });
  await using server = await serve(() => Promise.resolve(new Response(body)));
  // Of the clients of the runtime only this one does not read ahead.
  const caCerts = [ca.cert];
  const client = await Deno.connectTls({ hostname: "127.0.0.1", port: server.port, caCerts });
  await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  await client.read(new Uint8Array(1000));
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
  // The absence of reads has no event: the source must not be read during many turns of the event
  // loop.
  let last = -1;
  const check = (): void => {
    if (given === last) return settle();
    last = given;
    setTimeout(check, 100);
  };
  check();
  await settled;
  assert(given < 100, `the source gave ${given} MB to a client that reads none`);
  client.close();
  await cancelled.promise;
});

Deno.test("a client that disconnects aborts the signal of the request", async () => {
  const started = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<unknown>();
  await using server = await serve((request) => {
    request.signal.addEventListener("abort", () => aborted.resolve(request.signal.reason));
    started.resolve();
    return aborted.promise.then(() => new Response("too late"));
  });
  const socket = connect({ port: server.port, host: "127.0.0.1", ca: [ca.cert] });
  socket.on("secureConnect", () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  await started.promise;
  await closed(socket);
  assert.match(String(await aborted.promise), /AbortError/);
});

Deno.test("a signal that is first used after the client disconnected is aborted", async () => {
  const started = Promise.withResolvers<Request>();
  const release = Promise.withResolvers<void>();
  await using server = await serve(async (request) => {
    started.resolve(request);
    await release.promise;
    return new Response("too late");
  });
  const socket = connect({ port: server.port, host: "127.0.0.1", ca: [ca.cert] });
  socket.on("secureConnect", () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  const request = await started.promise;
  await closed(socket);
  await server.stop({ graceMs: 0 });
  assert.equal(request.signal.aborted, true);
  release.resolve();
});

Deno.test("a response whose body fails is cut off, and not ended", async () => {
  const errors: unknown[] = [];
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("half")),
      pull: (controller) => controller.error(new Error("broken")),
    });
  await using server = await serve(() => Promise.resolve(new Response(body())), {
    onError: (error) => void errors.push(error),
  });
  const said = await say(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  assert.doesNotMatch(said, /\r\n0\r\n/);
  assert.match(String(errors[0]), /broken/);
});

Deno.test("a handler that throws is answered with 500, and reported to the owner", async () => {
  const errors: unknown[] = [];
  await using server = await serve(() => Promise.reject(new Error("secret")), {
    onError: (error) => void errors.push(error),
  });
  const { code, text } = await send(server, "/");
  assert.deepEqual([code, text], [500, "the handler failed\n"]);
  assert.match(String(errors[0]), /secret/);
});

Deno.test("a body that is too large is refused with the owner's response, declared or chunked", async () => {
  await using server = await serve(echo, {
    limits: { bodyBytes: 10 },
    refuse: (code, message) => Response.json({ code, message }, { status: code }),
  });
  const body = "x".repeat(11);
  const declared = await send(server, "/", { method: "POST", body });
  assert.deepEqual([declared.code, declared.text], [
    413,
    '{"code":413,"message":"limit is 10 bytes"}',
  ]);
  const chunked = await send(server, "/", {
    method: "POST",
    body,
    headers: { "transfer-encoding": "chunked" },
  });
  assert.equal(chunked.code, 413);
  assert.equal((await send(server, "/", { method: "POST", body: "x".repeat(10) })).code, 200);
});

Deno.test("a head that is too large, too slow or not HTTP is refused", async () => {
  await using server = await serve(echo, { limits: { headerBytes: 1000 } });
  const large = `GET / HTTP/1.1\r\nHost: x\r\nA: ${"x".repeat(2000)}\r\n\r\n`;
  assert.match(await say(server, large), /^HTTP\/1.1 431 /);
  await using hasty = await serve(echo, { limits: { headerTimeoutMs: 100 } });
  assert.match(await say(hasty, "GET / HTTP/1.1\r\nHost: x\r\n"), /^HTTP\/1.1 408 /);
  assert.match(await say(server, "what is this\r\n\r\n"), /^HTTP\/1.1 400 /);
});

Deno.test("a body that does not end is timed out", async () => {
  await using server = await serve(echo, {
    limits: { headerTimeoutMs: 100, requestTimeoutMs: 200 },
  });
  const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc";
  assert.match(await say(server, head), /^HTTP\/1.1 408 /);
});

Deno.test("the time-outs of a request do not apply to its response", async () => {
  const limits = { headerTimeoutMs: 500, requestTimeoutMs: 500, idleTimeoutMs: 500 };
  await using server = await serve(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    return new Response("late");
  }, { limits });
  assert.equal((await send(server, "/")).text, "late");
});

Deno.test("Expect: 100-continue is answered with 100, unless the body is too large", async () => {
  await using server = await serve(echo, { limits: { bodyBytes: 10 } });
  const head = (body: string): string =>
    `POST /x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n${body}\r\n` +
    "Connection: close\r\n\r\n";
  const accepted = /^HTTP\/1.1 100 .*\r\n\r\nHTTP\/1.1 200 /;
  assert.match(await say(server, `${head("Content-Length: 3")}abc`), accepted);
  assert.match(await say(server, head("Content-Length: 11")), /^HTTP\/1.1 413 /);
  const chunked = head("Transfer-Encoding: chunked");
  assert.match(await say(server, `${chunked}3\r\nabc\r\n0\r\n\r\n`), accepted);
});

Deno.test("a request for an upgrade is answered as an ordinary one", async () => {
  await using server = await serve(echo);
  const text = "GET /exec HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  const said = await say(server, text, { enough: /GET \/exec/ });
  assert.match(said, /^HTTP\/1.1 200 /);
});

Deno.test("an upgrade behind running requests of its connection is answered after them", async () => {
  const upgrades = "Connection: Upgrade\r\nUpgrade: websocket\r\nOrigin: http://x\r\n" +
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const seen: string[] = [];
  const { promise: finish, resolve } = Promise.withResolvers<void>();
  await using server = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    seen.push(pathname);
    if (pathname === "/second") resolve();
    if (pathname === "/first") await finish;
    return new Response(pathname);
  }, { webSockets: { covers: (_method, target) => target === "/lines" } });
  const head = "HTTP/1.1\r\nHost: x\r\n";
  const said = await say(
    server,
    `GET /first ${head}\r\nGET /second ${head}\r\nGET /lines ${head}${upgrades}\r\n`,
    { enough: /101 Switching Protocols/ },
  );
  assert.match(said, /\/first[^]*\/second[^]*101 Switching Protocols/);
  assert.deepEqual(seen, ["/first", "/second", "/lines"]);
});

Deno.test("an upgrade behind a request whose connection is cut is dropped", async () => {
  const seen: string[] = [];
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  await using server = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    seen.push(pathname);
    if (pathname === "/first") {
      request.signal.addEventListener("abort", () => resolve());
      await gone;
    }
    return new Response(pathname);
  }, { webSockets: { covers: () => true } });
  const socket = connect({ port: server.port, host: "127.0.0.1", ca: [ca.cert] });
  const head = "HTTP/1.1\r\nHost: x\r\n";
  const upgrades = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  socket.on("secureConnect", () => {
    socket.write(`GET /first ${head}\r\nGET /lines ${head}${upgrades}\r\n`);
    setTimeout(() => socket.destroy(), 50);
  });
  await gone;
  await closed(socket);
  assert.equal((await send(server, "/after")).code, 200);
  assert.deepEqual(seen, ["/first", "/after"]);
});

Deno.test("a target may be a whole URL; any other target without a path answers 400", async () => {
  await using server = await serve(echo);
  const ask = (line: string): Promise<string> =>
    say(server, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  assert.match(await ask("GET http://other.example/a?b=c"), /^HTTP\/1.1 200 [^]*GET \/a\?b=c/);
  assert.match(await ask("GET //other.example/a"), /^HTTP\/1.1 200 [^]*GET \/\/other.example\/a/);
  assert.match(await ask("OPTIONS *"), /^HTTP\/1.1 400 /);
});

Deno.test("the handler gets methods that Request forbids; a method unknown to HTTP answers 405", async () => {
  await using server = await serve(echo);
  const ask = (line: string): Promise<string> =>
    say(server, `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`);
  assert.match(await ask("TRACE /a HTTP/1.1"), /^HTTP\/1.1 200 [^]*TRACE \/a/);
  assert.match(await ask("FOO /a HTTP/1.1"), /^HTTP\/1.1 405 /);
  assert.match(await ask("FOO"), /^HTTP\/1.1 400 /);
});

Deno.test("a path is not changed: dot segments are refused, and a backslash and # have no meaning", async () => {
  await using server = await serve(echo);
  const ask = (target: string): Promise<string> =>
    say(server, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  for (
    const path of [
      "/a/..",
      "/a/.",
      "/a/%2e%2E/b",
      "/a/.%2e",
      "/../a",
      "/a\\..\\b",
      "http://x/a/../b",
    ]
  ) {
    assert.match(await ask(path), /^HTTP\/1.1 400 /, path);
  }
  assert.match(await ask("/a\\b"), /GET \/a%5Cb/);
  assert.match(await ask("/a#b"), /GET \/a%23b/);
  assert.match(await ask("/a..b/...?c=/../d"), /GET \/a\.\.b\/\.\.\.\?c=\/\.\.\/d/);
});

Deno.test("a new certificate is used for new connections, and clients are verified as before", async () => {
  const seen: Peer[] = [];
  await using server = await serve((_, peer) => {
    seen.push(peer);
    return Promise.resolve(new Response(""));
  });
  const shown = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect({ port: server.port, host: "127.0.0.1", ca: [ca.cert] });
      socket.on("secureConnect", () => {
        const { CN } = socket.getPeerCertificate().subject;
        closed(socket).then(() => resolve(String(CN)));
      });
    });
  assert.equal(await shown(), "first");
  server.replaceCertificate(await ca.serving("second", ["localhost"], ["127.0.0.1"]));
  assert.equal(await shown(), "second");
  await send(server, "/", jane);
  assert.equal(seen.at(-1)?.certificate?.commonName, "jane");
});

Deno.test("connections above the limit are closed", async () => {
  await using server = await serve(echo, { limits: { connections: 1 } });
  const agent = new Agent({ keepAlive: true });
  const { promise, resolve } = Promise.withResolvers<void>();
  httpsRequest(server.url, { ca: [ca.cert], agent }, (answer) => {
    answer.resume().on("end", () => resolve());
  }).end();
  await promise;
  await assert.rejects(send(server, "/"));
  agent.destroy();
});

Deno.test("a connection without a TLS handshake is closed, and no longer counts", async () => {
  await using server = await serve(echo, { limits: { connections: 1, handshakeTimeoutMs: 50 } });
  for (let round = 0; round < 2; round++) {
    using silent = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
    assert.equal(await silent.read(new Uint8Array(1)), null);
  }
  await send(server, "/");
});

Deno.test("a stop closes connections before their TLS handshake", async () => {
  const server = await serve(echo);
  using silent = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
  await send(server, "/"); // By then the server knows of both.
  await server.stop({ graceMs: 0 });
  assert.equal(await silent.read(new Uint8Array(1)), null);
});

Deno.test("a stop waits for running requests and accepts no connections", async () => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  await using server = await serve(async () => {
    started.resolve();
    await release.promise;
    return new Response("done");
  });
  const answer = send(server, "/", { agent: new Agent({ keepAlive: true }) });
  await started.promise;
  const stopped = server.stop({ graceMs: 60_000 });
  await assert.rejects(send(server, "/"));
  release.resolve();
  assert.equal((await answer).text, "done");
  await stopped;
});

Deno.test("a stop aborts requests that exceed the grace period; disposal aborts all at once", async () => {
  for (const graceMs of [20, 0]) {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    await using server = await serve((request) => {
      request.signal.addEventListener("abort", () => aborted.resolve());
      started.resolve();
      return new Promise<Response>(() => {});
    });
    const answer = assert.rejects(send(server, "/"));
    await started.promise;
    await server.stop({ graceMs });
    await aborted.promise;
    await answer;
  }
});

Deno.test("the error for a port in use has a code", async () => {
  await using server = await serve(echo);
  await assert.rejects(serve(echo, { port: server.port }), { code: "EADDRINUSE" });
});
