import assert from "node:assert/strict";
import { answer, CHUNKED_HEAD, RawServer, type Wire } from "../../../tests/client/raw_server.ts";
import { refusal, scriptedFetch, stalled } from "../../../tests/client/scripted_fetch.ts";
import { Pod } from "@xca/apimachinery/meta";
import { FakeClock } from "../../testing/fake_clock.ts";
import { isGone, isTooManyRequests } from "../errors/api_error.ts";
import { createClient } from "../create_client.ts";
import { FrameTooLargeError } from "../errors/decode_error.ts";
import type { RawWatchEvent } from "../decode/raw_event.ts";
import { IdleTimeoutError, StreamBrokenError } from "../errors/unreachable_error.ts";

const encoder = new TextEncoder();

function line(type: string, name: string): string {
  return `${JSON.stringify({ type, object: { metadata: { name } } })}\n`;
}

/** Collects type and name of each watch event before the next batch is read. */
async function collect(
  watch: AsyncIterable<readonly RawWatchEvent[]>,
  seen: string[] = [],
): Promise<string[]> {
  for await (const batch of watch) {
    for (const event of batch) {
      seen.push(
        event.type === "UNDECODABLE"
          ? event.type
          : `${event.type} ${JSON.parse(new TextDecoder().decode(event.object)).metadata?.name}`,
      );
    }
  }
  return seen;
}

async function watchOf(
  body: (wire: Wire) => Promise<void>,
): Promise<{ seen: string[]; error: unknown }> {
  await using server = new RawServer(async (_request, wire) => {
    await wire.send(CHUNKED_HEAD);
    await body(wire);
  });
  using client = createClient({ server: server.url });
  const seen: string[] = [];
  try {
    await collect(await client.raw(Pod).watch({}), seen);
    return { seen, error: undefined };
  } catch (error) {
    return { seen, error };
  }
}

Deno.test("raw watch sends its query, and a clean end ends the iteration", async () => {
  const { fetch, requests } = scriptedFetch(
    new Response(line("ADDED", "a") + line("DELETED", "a") + line("BOOKMARK", "-")),
  );
  using client = createClient({ server: "https://a.example" }, { fetch });
  const query = {
    resourceVersion: "5",
    allowWatchBookmarks: true,
    sendInitialEvents: true,
    resourceVersionMatch: "NotOlderThan",
    labelSelector: "a=b",
    timeoutSeconds: 300,
  } as const;
  const watch = await client.raw(Pod, { namespace: "n" }).watch(query);
  assert.deepEqual(await collect(watch), ["ADDED a", "DELETED a", "BOOKMARK -"]);
  const { url } = requests[0]!;
  assert.equal(url.pathname, "/api/v1/namespaces/n/pods");
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    watch: "true",
    resourceVersion: "5",
    allowWatchBookmarks: "true",
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    labelSelector: "a=b",
    timeoutSeconds: "300",
  });
});

Deno.test("raw watch rejects with a refusal at once; retry: true retries", async () => {
  const clock = new FakeClock();
  const { fetch, requests } = scriptedFetch(
    refusal(429, { retryAfter: 1 }),
    refusal(429, { retryAfter: 1 }),
    new Response(line("ADDED", "a")),
  );
  using client = createClient({ server: "https://a.example" }, { fetch, clock });
  await assert.rejects(client.raw(Pod).watch({}), isTooManyRequests);
  const watch = client.raw(Pod).watch({}, { retry: true });
  await clock.advance(2_000);
  assert.deepEqual(await collect(await watch), ["ADDED a"]);
  assert.equal(requests.length, 3);
});

Deno.test("F07 raw watch: an ERROR event is yielded", async () => {
  const status = { apiVersion: "v1", kind: "Status", code: 410, reason: "Expired", metadata: {} };
  const text = `${JSON.stringify({ type: "ERROR", object: status })}\n`;
  const { fetch } = scriptedFetch(new Response(text), new Response(text));
  using client = createClient({ server: "https://a.example" }, { fetch });
  assert.deepEqual(await collect(await client.raw(Pod).watch({})), ["ERROR undefined"]);
  await assert.rejects(async () => {
    for await (const _ of client.watch(Pod));
  }, isGone);
});

Deno.test("F14 raw watch: every event is yielded, however the body is cut", async () => {
  const text = line("ADDED", "grün") + line("MODIFIED", "日本") + line("DELETED", "🚀");
  const bytes = encoder.encode(text);
  const { seen, error } = await watchOf(async (wire) => {
    for (const byte of bytes) await wire.chunk(new Uint8Array([byte]));
    await wire.send("0\r\n\r\n");
  });
  assert.equal(error, undefined);
  assert.deepEqual(seen, ["ADDED grün", "MODIFIED 日本", "DELETED 🚀"]);
});

Deno.test("F14 raw watch: an incomplete event at a clean end is dropped", async () => {
  const { seen, error } = await watchOf(async (wire) => {
    await wire.chunk(line("ADDED", "a") + line("ADDED", "b").slice(0, 9));
    await wire.send("0\r\n\r\n");
  });
  assert.equal(error, undefined);
  assert.deepEqual(seen, ["ADDED a"]);
});

Deno.test("F14 raw watch: a connection that breaks at any byte is a StreamBrokenError after the complete events", async () => {
  const text = line("ADDED", "a") + line("ADDED", "grün");
  const bytes = encoder.encode(text);
  const first = encoder.encode(line("ADDED", "a")).byteLength;
  for (let at = 1; at <= bytes.byteLength; at += 7) {
    const { seen, error } = await watchOf(async (wire) => {
      await wire.chunk(bytes.subarray(0, at));
      wire.cut();
    });
    assert.ok(error instanceof StreamBrokenError, `cut at ${at}: ${error}`);
    assert.ok(error.cause instanceof Error);
    assert.match(error.message, /Cannot read the watch of pods\.v1 to its end: ./);
    assert.deepEqual(seen, at >= first ? ["ADDED a"] : []);
  }
});

Deno.test("F15 raw watch: an undecodable line is one event, and the stream goes on", async () => {
  const invalid = encoder.encode(line("ADDED", "?"));
  invalid[invalid.indexOf("?".charCodeAt(0))] = 0xff;
  const { seen, error } = await watchOf(async (wire) => {
    await wire.chunk(line("ADDED", "a"));
    await wire.chunk(invalid);
    await wire.chunk("{oops\n");
    await wire.chunk(`{"type":"NEVER","object":{}}\n`);
    await wire.chunk(line("ADDED", "b"));
    await wire.send("0\r\n\r\n");
  });
  assert.equal(error, undefined);
  assert.equal(seen[0], "ADDED a");
  assert.equal(seen.at(-1), "ADDED b");
  assert.ok(seen.filter((each) => each === "UNDECODABLE").length >= 2, seen.join());
});

Deno.test("F15 client.watch leaves out the undecodable line and goes on", async () => {
  const { fetch } = scriptedFetch(
    new Response(line("ADDED", "a") + "{oops\n" + line("ADDED", "b")),
  );
  using client = createClient({ server: "https://a.example" }, { fetch });
  const names: string[] = [];
  for await (const { type, object } of client.watch(Pod)) {
    names.push(`${type} ${object.kind} ${object.metadata.name}`);
  }
  assert.deepEqual(names, ["ADDED Pod a", "ADDED Pod b"]);
});

Deno.test("F16 raw watch: an event of 3 MB is yielded", async () => {
  const name = "x".repeat(3_000_000);
  const { seen, error } = await watchOf(async (wire) => {
    await wire.chunk(line("ADDED", name));
    await wire.send("0\r\n\r\n");
  });
  assert.equal(error, undefined);
  assert.equal(seen[0]!.length, name.length + "ADDED ".length);
});

Deno.test("F16 raw watch: an endless line is refused at 16 MiB, and the connection closed", async () => {
  const block = new Uint8Array(1024 * 1024).fill(0x61);
  let sent = 0;
  const { error } = await watchOf(async (wire) => {
    const gone = wire.peerClosed.then(() => true);
    for (; sent < 64; sent++) {
      if (await Promise.race([wire.chunk(block), gone])) return;
    }
  });
  assert.ok(error instanceof FrameTooLargeError, String(error));
  assert.ok(sent < 64);
});

Deno.test("F16 raw watch: a line beyond 16 MiB is refused when the body ends with its chunk", async () => {
  const body = encoder.encode(line("ADDED", "a") + "x".repeat(17 * 1024 * 1024));
  using client = createClient({ server: "https://a.example" }, {
    fetch: () => Promise.resolve(new Response(ReadableStream.from([body]))),
  });
  const seen: string[] = [];
  await assert.rejects(collect(await client.raw(Pod).watch({}), seen), FrameTooLargeError);
  assert.deepEqual(seen, ["ADDED a"]);
});

Deno.test("F01 raw watch: a silent peer ends the watch at the idle deadline and closes the connection", async () => {
  const clock = new FakeClock();
  const closed = Promise.withResolvers<void>();
  await using server = new RawServer(async (_request, wire) => {
    await wire.send(CHUNKED_HEAD);
    await wire.chunk(line("ADDED", "a"));
    wire.peerClosed.then(closed.resolve);
  });
  using client = createClient({ server: server.url }, { clock });
  const watch = await client.raw(Pod).watch({}, { idleTimeoutMs: 30_000 });
  const iterator = watch[Symbol.asyncIterator]();
  assert.equal((await iterator.next()).value!.length, 1);
  const failed = assert.rejects(iterator.next(), (error) => {
    assert.ok(error instanceof IdleTimeoutError);
    assert.equal(
      error.message,
      "Cannot go on with the watch of pods.v1: no byte came for 30000 ms",
    );
    return true;
  });
  await clock.advance(29_999);
  await clock.advance(1);
  await failed;
  await closed.promise;
  assert.equal(clock.pending, 0);
});

Deno.test("F34 raw watch: the time in which the consumer is busy does not count as silence", async () => {
  const clock = new FakeClock();
  const { fetch } = scriptedFetch(new Response(stalled(line("ADDED", "a"), line("ADDED", "b"))));
  using client = createClient({ server: "https://a.example" }, { clock, fetch });
  const watch = await client.raw(Pod).watch({}, { idleTimeoutMs: 1_000 });
  const iterator = watch[Symbol.asyncIterator]();
  await iterator.next();
  await clock.advance(60_000);
  assert.equal((await iterator.next()).done, false);
  await iterator.return!();
  assert.equal(clock.pending, 0);
});

for (const how of ["return", "abort"] as const) {
  Deno.test(`raw watch: ending it by ${how} closes the connection`, async () => {
    const closed = Promise.withResolvers<void>();
    await using server = new RawServer(async (_request, wire) => {
      await wire.send(CHUNKED_HEAD);
      await wire.chunk(line("ADDED", "a"));
      wire.peerClosed.then(closed.resolve);
    });
    using client = createClient({ server: server.url });
    const abort = new AbortController();
    const reason = new Error("enough");
    const watch = await client.raw(Pod).watch({}, { signal: abort.signal });
    const follow = (async () => {
      for await (const _ of watch) {
        if (how === "return") return;
        abort.abort(reason);
      }
    })();
    if (how === "abort") await assert.rejects(follow, reason);
    else await follow;
    await closed.promise;
  });
}

Deno.test("raw list passes items on in batches, then version and continue token", async () => {
  const items = Array.from({ length: 2_000 }, (_, i) => ({
    metadata: { name: `p${i}` },
    data: "x".repeat(100),
  }));
  const body = JSON.stringify({
    kind: "PodList",
    apiVersion: "v1",
    metadata: { resourceVersion: "7", continue: "more" },
    items,
  });
  await using server = new RawServer((_request, wire) => wire.send(answer(body)));
  using client = createClient({ server: server.url });
  const names: string[] = [];
  let batches = 0;
  const { metadata } = await client.raw(Pod).list({ limit: 2_000 }, (batch) => {
    batches++;
    for (const each of batch) names.push(JSON.parse(new TextDecoder().decode(each)).metadata.name);
  });
  assert.deepEqual(names, items.map((item) => item.metadata.name));
  assert.ok(batches > 1, `${batches} batches`);
  assert.equal(metadata.resourceVersion, "7");
  assert.equal(metadata.continue, "more");
  assert.match(server.requests[0]!.line, /^GET \/api\/v1\/pods\?limit=2000 /);
});

Deno.test("F14 raw list: an incomplete body is an error, whether the connection broke or ended", async () => {
  const whole = JSON.stringify({ metadata: { resourceVersion: "7" }, items: [{}, {}] });
  const { fetch } = scriptedFetch(new Response(whole.slice(0, -5)));
  using client = createClient({ server: "https://a.example" }, { fetch });
  await assert.rejects(client.raw(Pod).list({}, () => {}), /Cannot/);
  await using server = new RawServer(async (_request, wire) => {
    await wire.send(CHUNKED_HEAD);
    await wire.chunk(whole.slice(0, -5));
    wire.cut();
  });
  using broken = createClient({ server: server.url });
  await assert.rejects(broken.raw(Pod).list({}, () => {}), StreamBrokenError);
});

Deno.test("F03 raw list: a body that stalls is an error", async () => {
  const clock = new FakeClock();
  const { fetch } = scriptedFetch(new Response(stalled(`{"items":[`)));
  using client = createClient({ server: "https://a.example" }, { clock, fetch });
  const failed = assert.rejects(client.raw(Pod).list({}, () => {}), IdleTimeoutError);
  await clock.advance(65_000);
  await failed;
  assert.equal(clock.pending, 0);
});

for (
  const [what, answer, said] of [
    [
      "204",
      () => new Response(null, { status: 204 }),
      "the server answered 204, which has no body",
    ],
    [
      "205",
      () => new Response(null, { status: 205 }),
      "the server answered 205, which has no body",
    ],
    [
      "an HTML page",
      () =>
        new Response("<html>Log in</html>", {
          headers: { "content-type": "text/html; charset=utf-8" },
        }),
      "it is a page (content-type text/html; charset=utf-8)",
    ],
  ] as const
) {
  Deno.test(`raw: ${what} in answer to a watch or a list is named as what it is`, async () => {
    const { fetch } = scriptedFetch(answer(), answer(), answer());
    using client = createClient({ server: "https://a.example" }, { fetch });
    const prefix = "Cannot take the answer to GET /api/v1/pods as a";
    const message = (wanted: string) =>
      `${prefix} ${wanted} of pods.v1: ${said}; does a proxy or a login answer for the API server?`;
    await assert.rejects(client.raw(Pod).watch({}), {
      name: "DecodeError",
      message: message("watch"),
    });
    await assert.rejects(
      client.raw(Pod).list({}, () => {}),
      { name: "DecodeError", message: message("list") },
    );
    await assert.rejects(
      Array.fromAsync(client.watch(Pod)),
      { name: "DecodeError", message: message("watch") },
    );
  });
}

Deno.test("raw list: a list of another kind is refused, even an empty one", async () => {
  const answer = () =>
    Response.json({
      kind: "ConfigMapList",
      apiVersion: "v1",
      metadata: { resourceVersion: "500" },
      items: [],
    });
  const { fetch } = scriptedFetch(answer(), answer());
  using client = createClient({ server: "https://a.example" }, { fetch });
  const refusal = {
    name: "DecodeError",
    message: /^Cannot take the answer to GET .* as a list of pods.v1: it is a ConfigMapList of v1;/,
  };
  await assert.rejects(client.raw(Pod).list({}, () => {}), refusal);
  await assert.rejects(client.list(Pod), refusal);
});

Deno.test("raw: a page with another media type is named as a page", async () => {
  const page = () => new Response("\n<!doctype html>\n<p>Log in</p>\n");
  const { fetch } = scriptedFetch(page(), page());
  using client = createClient({ server: "https://a.example" }, { fetch });
  await assert.rejects(
    Array.fromAsync(await client.raw(Pod).watch({})),
    /as a watch of pods\.v1: it begins as a page does: <!doctype/,
  );
  await assert.rejects(
    client.raw(Pod).list({}, () => {}),
    /as a list of pods\.v1: it begins as a page does: <!doctype/,
  );
});
