import assert from "node:assert/strict";
import { answer, CHUNKED_HEAD, RawServer } from "../../../tests/client/raw_server.ts";
import { requestWithPairs } from "./header_pairs.ts";
import { createTransport } from "./transport.ts";

Deno.test("transport sends method, headers and body, and returns status, headers and body", async () => {
  await using server = new RawServer((_request, wire) =>
    wire.send(answer(`{"ok":true}`, { status: "201 Created", headers: ["X-One: 1"] }))
  );
  using transport = createTransport({ server: server.url });
  const request = new Request(`${server.url}/a?b=c`, {
    method: "POST",
    body: "hällo",
    headers: { "X-Two": "2" },
  });
  const response = await transport.fetch(request);
  assert.equal(response.status, 201);
  assert.equal(response.headers.get("x-one"), "1");
  assert.deepEqual(await response.json(), { ok: true });
  const [seen] = server.requests;
  assert.equal(seen!.line, "POST /a?b=c HTTP/1.1");
  assert.equal(seen!.body, "hällo");
  assert.ok(seen!.headers.some(([name, value]) => name === "x-two" && value === "2"));
});

Deno.test("transport sends repeated headers separately, also of a cloned request", async () => {
  await using server = new RawServer((_request, wire) => wire.send(answer("{}")));
  using transport = createTransport({ server: server.url });
  const request = requestWithPairs(`${server.url}/`, {
    headers: [["Impersonate-Group", "a"], ["Impersonate-Group", "b"], ["Accept", "x/y"]],
  });
  for (const each of [request, request.clone(), new Request(request)]) {
    await (await transport.fetch(each)).body?.cancel();
  }
  for (const seen of server.requests) {
    const groups = seen.headers.filter(([name]) => name === "impersonate-group");
    assert.deepEqual(groups.map(([, value]) => value), ["a", "b"]);
  }
  assert.equal(server.requests.length, 3);
});

Deno.test("transport keeps the name of a group that contains a comma", async () => {
  await using server = new RawServer((_request, wire) => wire.send(answer("{}")));
  using transport = createTransport({ server: server.url });
  const request = requestWithPairs(`${server.url}/`, {
    headers: [["Impersonate-Group", "cn=a, ou=b"], ["Impersonate-Group", "c"]],
  });
  await (await transport.fetch(request)).text();
  const groups = server.requests[0]!.headers.filter(([name]) => name === "impersonate-group");
  assert.deepEqual(groups.map(([, value]) => value), ["cn=a, ou=b", "c"]);
});

Deno.test("transport uses one connection for successive calls, and another for each watch", async () => {
  await using server = new RawServer((_request, wire) => wire.send(answer("{}")));
  using transport = createTransport({ server: server.url });
  for (const path of ["/a", "/b", "/w?watch=true", "/c", "/w?watch=true", "/w?watch"]) {
    await (await transport.fetch(new Request(server.url + path))).text();
  }
  for (const no of ["watch=false", "watch=False", "watch=0", "watch=0&watch=1"]) {
    await (await transport.fetch(new Request(`${server.url}/a?${no}`))).text();
  }
  const used = server.requests.map(({ connection }) => connection);
  assert.deepEqual(used, [0, 0, 1, 0, 2, 3, 0, 0, 0, 0]);
});

Deno.test("F03 transport: aborting inside the body rejects the read and closes the connection", async () => {
  const closed = Promise.withResolvers<void>();
  await using server = new RawServer(async (_request, wire) => {
    await wire.send(CHUNKED_HEAD);
    await wire.chunk("first");
    wire.peerClosed.then(closed.resolve);
  });
  using transport = createTransport({ server: server.url });
  const abort = new AbortController();
  const response = await transport.fetch(new Request(server.url, { signal: abort.signal }));
  const reader = response.body!.getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), "first");
  const pending = reader.read();
  const reason = new Error("enough");
  abort.abort(reason);
  await assert.rejects(pending, reason);
  await closed.promise;
});

Deno.test("transport: aborting before the headers rejects with the reason and closes the connection", async () => {
  const closed = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  await using server = new RawServer((_request, wire) => {
    arrived.resolve();
    wire.peerClosed.then(closed.resolve);
  });
  using transport = createTransport({ server: server.url });
  const abort = new AbortController();
  const pending = transport.fetch(new Request(server.url, { signal: abort.signal }));
  await arrived.promise;
  const reason = new Error("enough");
  abort.abort(reason);
  await assert.rejects(pending, reason);
  await closed.promise;
});

Deno.test("transport: cancelling the body closes the connection", async () => {
  const closed = Promise.withResolvers<void>();
  await using server = new RawServer(async (_request, wire) => {
    await wire.send(CHUNKED_HEAD);
    await wire.chunk("first");
    wire.peerClosed.then(closed.resolve);
  });
  using transport = createTransport({ server: server.url });
  const response = await transport.fetch(new Request(server.url));
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  await closed.promise;
});

for (
  const [how, head] of [
    ["of chunks", `${CHUNKED_HEAD}5\r\nfirst\r\n`],
    ["of known length", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nfirst"],
  ] as const
) {
  Deno.test(`F14 transport: a body ${how} that is cut is an error, not an end`, async () => {
    await using server = new RawServer(async (_request, wire) => {
      await wire.send(head);
      wire.cut();
    });
    using transport = createTransport({ server: server.url });
    const response = await transport.fetch(new Request(server.url));
    await assert.rejects(response.text());
  });
}

Deno.test("F04 transport: 500 aborted watches leave no socket behind", async () => {
  await using server = new RawServer(async (_request, wire) => {
    await wire.send(CHUNKED_HEAD);
    await wire.chunk("first");
  });
  using transport = createTransport({ server: server.url });
  for (let i = 0; i < 500; i++) {
    const abort = new AbortController();
    const request = new Request(`${server.url}/?watch=1`, { signal: abort.signal });
    const response = await transport.fetch(request);
    await response.body!.getReader().read();
    abort.abort();
  }
  assert.ok(transport.openSockets <= 1, `${transport.openSockets} sockets are open`);
});

Deno.test("F02 transport: aborting a call without an answer closes the idle connections", async () => {
  const gate = Promise.withResolvers<void>();
  let arrived = 0;
  const silent = Promise.withResolvers<void>();
  await using server = new RawServer(async (request, wire) => {
    if (request.line.includes("/silent")) return silent.resolve();
    if (++arrived === 2) gate.resolve();
    if (arrived <= 2) await gate.promise;
    await wire.send(answer("{}"));
  });
  using transport = createTransport({ server: server.url });
  const call = async (path: string, signal?: AbortSignal): Promise<string> =>
    (await transport.fetch(new Request(server.url + path, signal ? { signal } : {}))).text();
  await Promise.all([call("/a"), call("/b")]);
  await new Promise((resolve) => setTimeout(resolve, 0)); // both connections are back in the pool
  const abort = new AbortController();
  const failed = assert.rejects(call("/silent", abort.signal));
  await silent.promise;
  abort.abort();
  await failed;
  await call("/c");
  // Two connections at first, one of them dead; the last call uses neither.
  const [, , dead, last] = server.requests.map(({ connection }) => connection);
  assert.ok(dead! < 2, `the silent call made connection ${dead}`);
  assert.equal(last, 2);
});

Deno.test("transport reads no faster than its reader", async () => {
  const block = new Uint8Array(1024 * 1024);
  let sent = 0;
  await using server = new RawServer(async (_request, wire) => {
    const gone = wire.peerClosed.then(() => "gone");
    await wire.send(CHUNKED_HEAD);
    for (let i = 0; i < 200; i++) {
      const went = await Promise.race([wire.chunk(block), gone]);
      if (went === "gone") return;
      sent += block.byteLength;
    }
  });
  using transport = createTransport({ server: server.url });
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

Deno.test("transport delivers every byte of a large body unchanged", async () => {
  const body = new Uint8Array(3_000_001).map((_, i) => (i * 7 + (i >> 8)) & 0xff);
  await using server = new RawServer(async (_request, wire) => {
    await wire.send(`HTTP/1.1 200 OK\r\nContent-Length: ${body.byteLength}\r\n\r\n`);
    await wire.send(body);
  });
  using transport = createTransport({ server: server.url });
  const chunks: Uint8Array[] = [];
  const response = await transport.fetch(new Request(server.url));
  for await (const chunk of response.body!) chunks.push(chunk);
  const got = new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
  assert.ok(got.every((byte, i) => byte === body[i]) && got.byteLength === body.byteLength);
});

Deno.test("transport: closing it aborts calls in flight, and refuses later ones", async () => {
  const arrived = Promise.withResolvers<void>();
  await using server = new RawServer(() => arrived.resolve());
  const transport = createTransport({ server: server.url });
  const pending = transport.fetch(new Request(server.url));
  await arrived.promise;
  transport[Symbol.dispose]();
  await assert.rejects(pending);
  await assert.rejects(transport.fetch(new Request(server.url)), /closed/);
});

Deno.test("transport answers 204 without a body", async () => {
  await using server = new RawServer((_request, wire) =>
    wire.send("HTTP/1.1 204 No Content\r\n\r\n")
  );
  using transport = createTransport({ server: server.url });
  const response = await transport.fetch(new Request(server.url));
  assert.equal(response.status, 204);
  assert.equal(response.body, null);
});

Deno.test("transport does not follow redirects", async () => {
  await using server = new RawServer((_request, wire) =>
    wire.send(answer("", { status: "302 Found", headers: ["Location: /elsewhere"] }))
  );
  using transport = createTransport({ server: server.url });
  const response = await transport.fetch(new Request(server.url));
  assert.equal(response.status, 302);
  await response.text();
  assert.equal(server.requests.length, 1);
});
