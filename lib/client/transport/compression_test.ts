import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { hostWith, simpleKubeconfig } from "../../../tests/kubeconfig/fake_host.ts";
import { RawServer, type Wire } from "../../../tests/client/raw_server.ts";
import { ConfigMap } from "@xca/apimachinery/meta";
import { createClient } from "../create_client.ts";
import { loadConfig } from "../kubeconfig/load_config.ts";
import { StreamBrokenError } from "../errors/unreachable_error.ts";

const ITEMS = Array.from({ length: 3_000 }, (_, i) => ({ metadata: { name: `cm-${i}` } }));
const LIST = gzipSync(JSON.stringify({ kind: "ConfigMapList", metadata: {}, items: ITEMS }));

async function sendGzip(wire: Wire, bytes: Uint8Array, length = bytes.length): Promise<void> {
  await wire.send(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${length}\r\n\r\n`);
  for (let at = 0; at < bytes.length; at += 1_000) await wire.send(bytes.subarray(at, at + 1_000));
}

function asked(server: RawServer): (string | undefined)[] {
  return server.requests.map(({ headers }) =>
    headers.find(([name]) => name === "accept-encoding")?.[1]
  );
}

Deno.test("reads are compressed on the wire; watches and writes are not", async () => {
  await using server = new RawServer(async ({ line }, wire) => {
    if (line.startsWith("GET") && !line.includes("watch=")) return await sendGzip(wire, LIST);
    const body = line.startsWith("GET") ? "" : "{}";
    await wire.send(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  });
  using client = createClient({ server: server.url });
  const { items } = await client.list(ConfigMap);
  assert.equal(items.length, ITEMS.length);
  assert.equal(items.at(-1)!.metadata.name, "cm-2999");
  await client.requestJson({ path: "/x", method: "POST", body: {} });
  for await (const _ of await client.raw(ConfigMap).watch({})) { /* it ends by itself */ }
  assert.deepEqual(asked(server), ["gzip", undefined, "identity"]);
});

Deno.test("a watch by the runtime's fetch yields every event of a server that compresses each", async () => {
  const lines = ["a", "b"].map((name) =>
    `${JSON.stringify({ type: "ADDED", object: { metadata: { name } } })}\n`
  );
  await using server = new RawServer(async ({ headers }, wire) => {
    const compresses = headers.some(([name, value]) =>
      name === "accept-encoding" && value.includes("gzip")
    );
    const chunks = lines.map((line) =>
      compresses ? gzipSync(line) : new TextEncoder().encode(line)
    );
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const encoding = compresses ? "Content-Encoding: gzip\r\n" : "";
    await wire.send(`HTTP/1.1 200 OK\r\n${encoding}Content-Length: ${length}\r\n\r\n`);
    for (const chunk of chunks) await wire.send(chunk);
  });
  using client = createClient({ server: server.url }, { fetch: (request) => fetch(request) });
  let events = 0;
  for await (const batch of await client.raw(ConfigMap).watch({})) events += batch.length;
  assert.equal(events, 2);
});

Deno.test("disable-compression of the kubeconfig disables compression", async () => {
  await using server = new RawServer((_, wire) =>
    wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
  );
  for (const disabled of [true, false]) {
    const cluster = { server: server.url, "disable-compression": disabled };
    using client = createClient(await loadConfig({}, hostWith(simpleKubeconfig({ cluster }))));
    await client.requestJson({ path: "/x" });
  }
  assert.deepEqual(asked(server), [undefined, "gzip"]);
});

Deno.test("a compressed answer that is incomplete, or not gzip, is broken", async () => {
  const bodies: ((wire: Wire) => Promise<void>)[] = [
    async (wire) => {
      await sendGzip(wire, LIST.subarray(0, LIST.length - 500), LIST.length);
      wire.cut();
    },
    (wire) => sendGzip(wire, LIST.subarray(0, LIST.length - 500)),
    (wire) => sendGzip(wire, new TextEncoder().encode('{"items":[]}')),
  ];
  for (const [index, body] of bodies.entries()) {
    await using server = new RawServer((_, wire) => body(wire));
    using client = createClient({ server: server.url });
    await assert.rejects(
      client.requestJson({ path: "/x", retry: false }),
      StreamBrokenError,
      `body ${index}`,
    );
  }
});

Deno.test("an empty answer that is marked as compressed is empty, as in Go", async () => {
  const heads = ["Content-Length: 0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"];
  for (const head of heads) {
    await using server = new RawServer((_, wire) =>
      wire.send(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n${head}`)
    );
    using client = createClient({ server: server.url });
    assert.equal(await (await client.request({ path: "/x" })).text(), "");
  }
});

Deno.test("leaving a compressed answer closes its connection", async () => {
  const closed = Promise.withResolvers<void>();
  await using server = new RawServer(async (_, wire) => {
    void wire.peerClosed.then(closed.resolve);
    await sendGzip(wire, LIST.subarray(0, 4_000), LIST.length);
  });
  using client = createClient({ server: server.url });
  const response = await client.request({ path: "/x" });
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  await closed.promise;
});
