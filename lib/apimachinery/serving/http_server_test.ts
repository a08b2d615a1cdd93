import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { FakeClock } from "../base/time/fake_clock.ts";
import { CertificateAuthority } from "../pki/certificate_authority.ts";
import { HttpServer } from "./http_server.ts";
import { HttpsServer } from "./https_server.ts";

Deno.test("an HTTP server without TLS hands over requests, and its peers have no certificate", async () => {
  await using server = await HttpServer.listen({
    handler: async (request, peer) => {
      const text = `${request.method} ${await request.text()} ${peer.certificate ?? "none"}`;
      return new Response(text, { headers: { "content-length": `${text.length}` } });
    },
  });
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  const answer = await fetch(`${server.url}/a`, { method: "POST", body: "hello" });
  assert.equal(await answer.text(), "POST hello none");
});

Deno.test("an HTTP server without TLS limits heads and bodies, and ends a client that sends no head", async () => {
  await using server = await HttpServer.listen({
    handler: () => Promise.resolve(new Response(null, { headers: { "content-length": "0" } })),
    limits: { headerBytes: 4096, bodyBytes: 10, headerTimeoutMs: 50 },
  });
  const large = await fetch(server.url, { method: "POST", body: "x".repeat(11) });
  assert.equal(large.status, 413);
  await large.body?.cancel();
  const head = await fetch(server.url, { headers: { "x-large": "x".repeat(8192) } });
  assert.equal(head.status, 431);
  await head.body?.cancel();
  const slow = connect(server.port, "127.0.0.1");
  slow.write("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ");
  slow.resume();
  await once(slow, "close");
});

for (const scheme of ["http", "https"] as const) {
  Deno.test(`a server of ${scheme} ends a connection whose client does not read its response`, async () => {
    const bytes = new Uint8Array(32 * 1024 * 1024); // More than the buffers of both sockets hold.
    const headers = { "content-length": `${bytes.length}` };
    const options = {
      handler: () => Promise.resolve(new Response(bytes, { headers })),
      limits: { silenceTimeoutMs: 100 },
      clock: new FakeClock(), // The grace of a stop never ends.
    };
    const authority = await CertificateAuthority.create("ca", new Date());
    const certificate = await authority.serving("localhost", [], ["127.0.0.1"]);
    await using server = scheme === "http"
      ? await HttpServer.listen(options)
      : await HttpsServer.listen({ ...options, certificate });
    const address = { port: server.port, host: "127.0.0.1", rejectUnauthorized: false };
    const client = scheme === "http" ? connect(address) : connectTls(address);
    client.on("error", () => {});
    client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(client, "readable"); // Nothing more is taken from the buffer of the socket.
    await server.stop({ graceMs: 1 }); // A stop waits for the request, which never ends by itself.
    client.destroy();
    await once(client, "close");
  });
}

Deno.test("F47 an HTTP server on a port in use is refused; the first continues", async () => {
  const handler = (): Promise<Response> => Promise.resolve(new Response("first"));
  await using first = await HttpServer.listen({ handler });
  const second = HttpServer.listen({ handler, port: first.port });
  await assert.rejects(second, { code: "EADDRINUSE" });
  assert.equal(await (await fetch(first.url)).text(), "first");
});
