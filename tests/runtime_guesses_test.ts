/**
 * The properties of Deno and V8 that the cache relies on without a promise of theirs. A test that
 * fails here after an update of Deno names the mechanism that has lost its ground, and the file to
 * change.
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { deflateRawSync } from "node:zlib";
import { createClient } from "@xca/operator/client";
import { Pod } from "@xca/operator/meta";
import { ApiServer } from "@xca/operator/testing";
import { release } from "../lib/apimachinery/base/release.ts";
import { listWatch } from "../lib/cache/watch/list_watch.ts";
import { READY_WITHIN } from "../lib/client/transport/answer.ts";
import { compileStage } from "./support/stage.ts";

const encoder = new TextEncoder();
const json = { headers: { "content-type": "application/json" } };

/** The body of a watch whose events are all there, each in a chunk of its own. */
function watchBody(events: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let i = 1; i <= events; i++) {
        const metadata = { name: `pod-${i}`, resourceVersion: `${i}` };
        const event = { type: "ADDED", object: { apiVersion: "v1", kind: "Pod", metadata } };
        controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      }
      controller.close();
    },
  });
}

/** Counts the microtasks that each batch takes, up to a thousand. */
async function microtasksOf(batches: AsyncIterable<unknown>): Promise<number[]> {
  const iterator = batches[Symbol.asyncIterator]();
  const counts: number[] = [];
  for (;;) {
    let settled = false;
    let count = 0;
    const step = iterator.next().finally(() => settled = true);
    for (; !settled && count < 1_000; count++) await undefined;
    if ((await step).done) return counts;
    counts.push(count);
  }
}

Deno.test("guess: a buffered batch of a watch arrives within half the microtasks that answer.ts waits", async () => {
  using client = createClient({ server: "https://example.invalid" }, {
    fetch: () => Promise.resolve(new Response(watchBody(20), json)),
  });
  const { signal } = new AbortController();
  const batches = await listWatch(client, Pod).watch({}, { signal, idleTimeoutMs: 60_000 });
  const counts = await microtasksOf(batches);
  assert.equal(counts.length, 20);
  assert.ok(
    Math.max(...counts) <= READY_WITHIN / 2,
    `buffered batches took up to ${Math.max(...counts)} microtasks: raise READY_WITHIN in ` +
      "lib/client/transport/answer.ts, or a stream that floods in holds the event loop",
  );
});

Deno.test("guess: a batch that has not arrived takes longer than any number of microtasks", async () => {
  const controllers: ReadableStreamDefaultController<Uint8Array>[] = [];
  const body = new ReadableStream<Uint8Array>({ start: (each) => void controllers.push(each) });
  using client = createClient({ server: "https://example.invalid" }, {
    fetch: () => Promise.resolve(new Response(body, json)),
  });
  const { signal } = new AbortController();
  const batches = await listWatch(client, Pod).watch({}, { signal, idleTimeoutMs: 60_000 });
  setTimeout(() => {
    controllers[0]!.enqueue(encoder.encode('{"type":"ADDED","object":{}}\n'));
    controllers[0]!.close();
  });
  assert.deepEqual(await microtasksOf(batches), [1_000]);
});

interface BlockFigures {
  readonly allocated: number;
  readonly kept: number;
  readonly left: number;
}

async function blockFigures(kind: "resizable" | "plain"): Promise<BlockFigures> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--v8-flags=--expose-gc", "--no-config"],
      new URL("support/block_memory.ts", import.meta.url).pathname,
      kind,
    ],
    stderr: "inherit",
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout)) as BlockFigures;
}

Deno.test({
  name:
    "guess: blocks in resizable buffers are pages, which go back to the system when they are dropped",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const { allocated, kept, left } = await blockFigures("resizable");
    const figures = `${allocated} MB allocated, ${kept} kept, ${left} left`;
    assert.ok(allocated > 90, figures);
    assert.ok(
      left < 2 * kept,
      `${figures}: resizable buffers are no pages any more; see newBlock() in ` +
        "lib/cache/packed/arena_pool.ts",
    );
  },
});

Deno.test({
  name: "guess: blocks in plain buffers stay with the C allocator when most of them are dropped",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const { allocated, kept, left } = await blockFigures("plain");
    assert.ok(
      left > 4 * kept,
      `${allocated} MB allocated, ${kept} kept, ${left} left: plain buffers go back too, so that ` +
        "newBlock() in lib/cache/packed/arena_pool.ts needs no pages any more",
    );
  },
});

Deno.test("guess: Buffer has the native slices, and they accept a resizable buffer", () => {
  const bytes = new Uint8Array(new ArrayBuffer(8, { maxByteLength: 8 }), 0, 8);
  bytes.set(encoder.encode("aé漢"));
  const natives = Buffer.prototype as unknown as Record<
    "latin1Slice" | "utf8Slice",
    (this: Uint8Array, start: number, end: number) => string
  >;
  const why =
    "lib/apimachinery/base/json/text_slice.ts falls back to making a Buffer for each text";
  assert.equal(natives.latin1Slice?.call(bytes, 0, 2), "aÃ", why);
  assert.equal(natives.utf8Slice?.call(bytes, 0, 6), "aé漢", why);
});

Deno.test("guess: WebAssembly with SIMD compiles, for the scan of texts", () => {
  compileStage();
});

Deno.test("guess: a buffer whose memory is released is empty at once", () => {
  const bytes = new Uint8Array(1024);
  release(bytes);
  assert.deepEqual([bytes.length, bytes.buffer.byteLength], [0, 0]);
});

Deno.test("guess: synchronous deflate ignores a dictionary, so that the cache needs a coder of its own", () => {
  const text = encoder.encode(
    JSON.stringify({ kind: "Pod", spec: { nodeName: "a node", containers: ["one", "two"] } }),
  );
  const [without, with_] = [{}, { dictionary: text }].map((options) =>
    deflateRawSync(text, options).length
  );
  assert.equal(
    with_,
    without,
    "deflateRawSync honors a dictionary: compare it with lib/cache/packed/sibling_codec.ts",
  );
});

Deno.test("guess: V8 lets the objects of a call and of a run die young", async () => {
  await using api = await ApiServer.start({ controllers: false });
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => api.fetch(request),
  );
  const count = 500;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--no-check", "--v8-flags=--max-semi-space-size=1,--trace-gc-nvp"],
      new URL("support/reconciled_garbage.ts", import.meta.url).pathname,
      ...[`http://127.0.0.1:${server.addr.port}`, `${count}`],
    ],
    stderr: "inherit",
  }).output();
  const trace = new TextDecoder().decode(stdout).split("warm\n")[1]!;
  const promoted = [...trace.matchAll(/"gc":"s".*?"promoted":(\d+)/g)].map(([, bytes]) => +bytes!);
  assert.ok(promoted.length > 20, `only ${promoted.length} collections of the young generation`);
  const bytes = promoted.reduce((sum, bytes) => sum + bytes, 0) / count;
  assert.ok(
    bytes < 4_000,
    `${Math.round(bytes)} bytes per object are moved to the old generation: V8 creates a closure ` +
      "that is assigned to a property, and a getter of an object literal, there, with all that " +
      "they refer to; find the new ones in lib/client and lib/controller",
  );
});
