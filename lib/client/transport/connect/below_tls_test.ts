import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { release } from "@xca/apimachinery/internal/base";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { CHUNKED_HEAD, RawServer } from "../../../../tests/client/raw_server.ts";
import { printedRandom } from "../../../../tests/support/seed.ts";
import type { ByteSource } from "../http1/byte_source.ts";
import { answerOf } from "../answer.ts";
import { createTransport } from "../transport.ts";

const NOW = new Date();
const authority = await CertificateAuthority.create("ours", NOW);
const pair = await authority.serving("s", ["localhost"], ["127.0.0.1"]);
const PIECES = 400;

Deno.test("TLS: a body of many megabytes arrives unchanged while its memory is released, at any pace", async () => {
  const { seed, random } = printedRandom();
  const sent = createHash("sha256");
  await using server = new RawServer(async (_request, wire) => {
    await wire.send(CHUNKED_HEAD);
    for (let i = 0; i < PIECES; i++) {
      const piece = new Uint8Array(1 + Math.floor(random.next() * 60_000));
      for (let at = 0; at < piece.length; at++) piece[at] = (at * 31 + i * 7) & 0xff;
      sent.update(piece);
      await wire.chunk(piece);
    }
    await wire.send("0\r\n\r\n");
  }, pair);
  using transport = createTransport({ server: server.url, tls: { caData: authority.cert } });
  const got = createHash("sha256");
  const source = answerOf(await transport.fetch(new Request(server.url))).body as ByteSource;
  for (let i = 0;; i++) {
    const chunk = await source.read();
    if (!chunk) break;
    if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    got.update(chunk);
    release(chunk);
  }
  assert.equal(got.digest("hex"), sent.digest("hex"), `seed=${seed}`);
  const [{ connection } = { connection: -1 }] = server.requests;
  assert.equal(connection, 0);
});

Deno.test("TLS: a reader that pauses slows the server down", async () => {
  const block = new Uint8Array(1024 * 1024);
  let sent = 0;
  await using server = new RawServer(async (_request, wire) => {
    const gone = wire.peerClosed.then(() => "gone");
    await wire.send(CHUNKED_HEAD);
    for (let i = 0; i < 200; i++) {
      if (await Promise.race([wire.chunk(block), gone]) === "gone") return;
      sent += block.byteLength;
    }
  }, pair);
  using transport = createTransport({ server: server.url, tls: { caData: authority.cert } });
  const response = await transport.fetch(new Request(server.url));
  const reader = response.body!.getReader();
  await reader.read();
  for (let before = -1; before !== sent;) {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.ok(sent < 100 * 1024 * 1024, `${sent} bytes left the server`);
  await reader.cancel();
});

Deno.test("TLS: aborted watches leave no connection behind", async () => {
  const closed: Promise<void>[] = [];
  await using server = new RawServer(async (_request, wire) => {
    closed.push(wire.peerClosed);
    await wire.send(CHUNKED_HEAD);
    await wire.chunk("first");
  }, pair);
  using transport = createTransport({ server: server.url, tls: { caData: authority.cert } });
  for (let i = 0; i < 50; i++) {
    const abort = new AbortController();
    const request = new Request(`${server.url}/?watch=1`, { signal: abort.signal });
    const response = await transport.fetch(request);
    await response.body!.getReader().read();
    abort.abort();
  }
  await Promise.all(closed);
  assert.equal(closed.length, 50);
  assert.equal(transport.openSockets, 0);
});

Deno.test("TLS: successive calls share a connection", async () => {
  await using server = new RawServer(
    (_request, wire) => wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"),
    pair,
  );
  using transport = createTransport({ server: server.url, tls: { caData: authority.cert } });
  for (let i = 0; i < 20; i++) await (await transport.fetch(new Request(server.url))).text();
  assert.equal(server.connections, 1);
});

Deno.test("TLS: idle connections do not keep the process alive", async () => {
  await using server = new RawServer(
    (_request, wire) => wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"),
    pair,
  );
  const program = `
    import { createTransport } from ${JSON.stringify(import.meta.resolve("../transport.ts"))};
    const [server, caData] = Deno.args;
    const transport = createTransport({ server, tls: { caData } });
    // Read at once, before the idle connection is closed.
    addEventListener("unload", () => console.log(transport.openSockets));
    console.log(await (await transport.fetch(new Request(server))).text());
  `;
  const config = new URL("../../../../deno.json", import.meta.url).pathname;
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      "--ext=ts",
      "--no-lock",
      `--config=${config}`,
      program,
      server.url,
      authority.cert,
    ],
  }).output();
  assert.equal(code, 0);
  assert.equal(new TextDecoder().decode(stdout), "{}\n1\n");
});
