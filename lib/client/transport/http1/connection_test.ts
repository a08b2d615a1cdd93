import assert from "node:assert/strict";
import { FakeWire } from "../../../../tests/client/fake_wire.ts";
import { BodyQueue } from "./body_queue.ts";
import { type HttpAnswer, HttpConnection } from "./connection.ts";

const GET = { method: "GET", target: "/", headers: [["Host", "a"]] } as const;

/** Returns an HTTP connection that records the notifications of its owner. */
function connection(): {
  readonly wire: FakeWire;
  readonly connection: HttpConnection;
  readonly told: string[];
} {
  const wire = new FakeWire();
  const told: string[] = [];
  const owner = { onFree: () => told.push("free"), onGone: () => told.push("gone") };
  return { wire, connection: new HttpConnection(wire, owner), told };
}

async function text({ body }: HttpAnswer): Promise<string> {
  if (!(body instanceof BodyQueue)) return new TextDecoder().decode(body);
  let text = "";
  for (let chunk = await body.read(); chunk; chunk = await body.read()) {
    text += new TextDecoder().decode(chunk);
  }
  return text;
}

/** Waits until written data has arrived. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("a small answer arrives whole, and the connection is free once the caller has it", async () => {
  const { wire, connection: it, told } = connection();
  const pending = it.send(GET).then((answer) => (told.push("answer"), answer));
  wire.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
  const answer = await pending;
  assert.equal(wire.written, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await Promise.resolve();
  // Until then the caller may abort by closing the connection, which must not belong to another
  // request.
  assert.deepEqual(told, ["answer", "free"]);
  assert.ok(answer.body instanceof Uint8Array);
  assert.equal(await text(answer), "hi");
});

Deno.test("successive requests share a connection, however their answers end", async () => {
  const { wire, connection: it, told } = connection();
  for (
    const said of [
      ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "h", "i"],
      [
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "1\r\nh\r\n1\r\ni\r\n0\r\n",
        "\r\n",
      ],
      ["HTTP/1.1 200 ", "OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"],
    ]
  ) {
    const pending = it.send(GET);
    for (const piece of said) {
      wire.say(piece);
      await turn();
    }
    assert.equal(await text(await pending), "hi");
  }
  const empty = it.send(GET);
  wire.say("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n");
  assert.equal(await text(await empty), "");
  assert.deepEqual(told, ["free", "free", "free", "free"]);
});

Deno.test("a body is sent after its head, small or large", async () => {
  for (const size of [3, 100_000]) {
    const { wire, connection: it } = connection();
    const body = new Uint8Array(size).fill(0x78);
    const pending = it.send({ ...GET, method: "POST", body });
    await turn();
    assert.equal(wire.written, `POST / HTTP/1.1\r\nHost: a\r\n\r\n${"x".repeat(size)}`);
    wire.say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    await pending;
  }
});

Deno.test("an answer may end with the connection", async () => {
  const { wire, connection: it, told } = connection();
  const pending = it.send(GET);
  wire.say("HTTP/1.1 200 OK\r\n\r\nhello");
  const answer = await pending;
  wire.end();
  assert.equal(await text(answer), "hello");
  assert.deepEqual(told, ["gone"]);
});

for (
  const [what, said] of [
    ["says close", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi"],
    ["is HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi"],
    ["is followed by more", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 200 OK"],
    ["switches protocols", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
  ] as const
) {
  Deno.test(`a connection whose answer ${what} is not used again`, async () => {
    const { wire, connection: it, told } = connection();
    const pending = it.send(GET);
    wire.say(said);
    await pending;
    assert.deepEqual(told, ["gone"]);
    await assert.rejects(it.send(GET), { code: "ECONNRESET" });
  });
}

Deno.test("an answer that arrives before its request was sent closes the connection", async () => {
  const { wire, connection: it, told } = connection();
  wire.stalled = true;
  const pending = it.send({ ...GET, method: "POST", body: new Uint8Array(100_000) });
  wire.say("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
  assert.equal((await pending).head.status, 413);
  assert.deepEqual(told, ["gone"]);
});

Deno.test("unexpected data closes the connection", async () => {
  const { wire, connection: it, told } = connection();
  wire.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
  await turn();
  assert.deepEqual(told, ["gone"]);
  await assert.rejects(it.send(GET));
});

for (
  const [what, said, code] of [
    ["nothing", "", "ECONNRESET"],
    ["half a head", "HTTP/1.1 200 OK\r\nA:", "ECONNRESET"],
    ["no HTTP", "SSH-2.0\r\n", "HPE_INVALID_CONSTANT"],
    [
      "two lengths",
      "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n",
      "HPE_INVALID_CONTENT_LENGTH",
    ],
  ] as const
) {
  Deno.test(`a server that says ${what} and closes is an error with a code`, async () => {
    const { wire, connection: it, told } = connection();
    const failed = assert.rejects(it.send(GET), { code });
    wire.say(said);
    await turn();
    wire.end();
    await failed;
    assert.deepEqual(told, ["gone"]);
  });
}

for (
  const [what, said, code] of [
    ["cut", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", "ECONNRESET"],
    [
      "cut in chunks",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhello",
      "ECONNRESET",
    ],
    [
      "no chunks",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX",
      "HPE_INVALID_CHUNK_SIZE",
    ],
  ] as const
) {
  Deno.test(`a body that is ${what} is an error, not an end`, async () => {
    const { wire, connection: it, told } = connection();
    const pending = it.send(GET);
    const head = said.indexOf("\r\n\r\n") + 4;
    wire.say(said.slice(0, head));
    const answer = await pending;
    wire.say(said.slice(head));
    await turn();
    wire.end();
    await assert.rejects(text(answer), { code });
    assert.deepEqual(told, ["gone"]);
  });
}

Deno.test("an error of the stream ends the request, though the stream does not close", async () => {
  const { wire, connection: it, told } = connection();
  const early = assert.rejects(it.send(GET), /bad record/);
  wire.stream.emit("error", new Error("bad record"));
  await early;
  assert.ok(wire.stream.destroyed);
  assert.deepEqual(told, ["gone"]);
});

Deno.test("destroying a connection ends its request with the reason, in the head and in the body", async () => {
  const reason = new Error("enough");
  const early = connection();
  const pending = early.connection.send(GET);
  early.connection.destroy(reason);
  await assert.rejects(pending, reason);
  const late = connection();
  const answered = late.connection.send(GET);
  late.wire.say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello");
  const { body } = await answered;
  late.connection.destroy(reason);
  assert.ok(body instanceof BodyQueue);
  assert.equal(new TextDecoder().decode(await body.read()), "hello");
  await assert.rejects(body.read(), reason);
  assert.deepEqual([...early.told, ...late.told], ["gone", "gone"]);
});

Deno.test("a reader that stops in the middle of a body closes the connection", async () => {
  const { wire, connection: it, told } = connection();
  const pending = it.send(GET);
  wire.say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello");
  const { body } = await pending;
  assert.ok(body instanceof BodyQueue);
  body.cancel(new Error("enough"));
  assert.ok(wire.stream.destroyed);
  assert.deepEqual(told, ["gone"]);
});

Deno.test("a late reader does not leave the connection paused for the next request", async () => {
  const { wire, connection: it, told } = connection();
  const pending = it.send(GET);
  wire.say("HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n");
  const answer = await pending;
  wire.say("x".repeat(300_000));
  await turn();
  assert.ok(wire.stream.isPaused());
  const body = text(answer);
  await turn();
  wire.say("x".repeat(100_000));
  assert.equal((await body).length, 400_000);
  assert.ok(!wire.stream.isPaused());
  assert.deepEqual(told, ["free"]);
});

Deno.test("a second request during another is refused", async () => {
  const { wire, connection: it } = connection();
  const pending = it.send(GET);
  assert.throws(() => it.send(GET), TypeError);
  wire.say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  await pending;
});
