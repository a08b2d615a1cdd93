/** Opening, following, resuming and giving up a watch. */
import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { IdleTimeoutError } from "../../client/errors/unreachable_error.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import {
  added,
  bookmark,
  deleted,
  errorEvent,
  Harness,
  modified,
  page,
  raw,
  refusal,
  refused,
  ScriptedStream,
  thing,
  watching,
} from "./reflector_fakes_test.ts";
import { idleTimeoutMs, watchTimeoutSeconds } from "./reflector_options.ts";
import { RetryWindow } from "./retry_window.ts";

const listing = { watchList: false } as const;
Deno.test("B47 the timeout of a watch is random in [300, 600) s; a smaller minimum is ignored, a larger one doubles", () => {
  const random = seededRandom(1);
  const seconds = (minimum?: number) =>
    Array.from({ length: 500 }, () => watchTimeoutSeconds(minimum, random));
  for (const minimum of [undefined, 10, 300]) {
    const all = seconds(minimum);
    assert.ok(all.every((each) => each >= 300 && each <= 600 && Number.isInteger(each)));
    assert.ok(new Set(all).size > 100);
  }
  const larger = seconds(1_000);
  assert.ok(larger.every((each) => each >= 1_000 && each <= 2_000));
  assert.ok(larger.some((each) => each > 1_900));
});

Deno.test("B47 the server receives that timeout", async () => {
  await using harness = await watching({ minWatchTimeoutSeconds: 1_000 });
  const timeoutSeconds = harness.server.requests[1]?.query.timeoutSeconds ?? 0;
  assert.ok(timeoutSeconds >= 1_000 && timeoutSeconds <= 2_000);
});

Deno.test("B48 a refused connection and 429 back off and watch again at the same version: 1 list, 5 watches", async () => {
  await using harness = new Harness(listing);
  const { server, clock } = harness;
  server.lists.push(page(5));
  server.watches.push(refused(), refusal(429), refused(), refused(), new ScriptedStream());
  await harness.start();
  assert.equal(server.verbs, "LIST WATCH");
  await clock.advance(800 + 1_600 + 3_200 + 6_400);
  assert.equal(server.verbs, "LIST WATCH WATCH WATCH WATCH WATCH PROBE");
  assert.equal(harness.health.lists, 1);
  assert.ok(server.requests.slice(1, -1).every(({ query }) => query.resourceVersion === "5"));
});

Deno.test("B48 429 as an ERROR event backs off too, and its Retry-After is honored", async () => {
  await using harness = await watching();
  const { server, clock } = harness;
  server.watches.push(refusal(429, "", { after: 20 }), new ScriptedStream());
  harness.stream.push(errorEvent(429, "TooManyRequests"));
  await clock.advance(799);
  assert.equal(server.verbs, "LIST WATCH");
  await clock.advance(1);
  assert.equal(server.verbs, "LIST WATCH WATCH");
  await clock.advance(19_999);
  assert.equal(server.count("WATCH"), 2);
  await clock.advance(4_001); // and up to a fifth of jitter
  assert.equal(server.verbs, "LIST WATCH WATCH WATCH");
});

Deno.test("F18 F19 a Retry-After of an hour is reduced to a minute, and no pause is longer than that", async () => {
  await using harness = new Harness({ ...listing, backoff: { jitter: 1 } });
  const { server, clock } = harness;
  server.lists.push(page(5));
  for (let n = 0; n < 20; n++) {
    server.watches.push(refusal(429, "", n === 0 ? { after: 3_600 } : {}));
  }
  await harness.start();
  await clock.advance(72_000);
  assert.ok(server.count("WATCH") >= 2);
  for (let n = 0; n < 12; n++) {
    const before = server.count("WATCH");
    await clock.advance(60_000);
    assert.ok(server.count("WATCH") > before);
  }
  assert.equal(server.count("LIST"), 1);
});

Deno.test("B49 InternalErrors are tolerated for the configured time only: 30 s in steps of 1 s are 31 attempts; a long gap resets it", () => {
  const clock = new FakeClock();
  const retries = new RetryWindow(30_000, clock);
  const run = (): number => {
    let count = 0;
    while (retries.allows()) {
      count++;
      clock.step(1_000);
    }
    return count;
  };
  assert.equal(run(), 31);
  assert.equal(run(), 31, "after the refusal a new run begins");
  clock.step(60_000);
  assert.ok(retries.allows());
  clock.step(25_000);
  assert.ok(retries.allows());
  clock.step(60_000);
  assert.ok(retries.allows(), "a gap longer than a minute restarts the window");
  assert.ok(!new RetryWindow(0, clock).allows(), "no time allowed, no retry");
});

Deno.test("B49 an InternalError inside the stream is resumed while it is tolerated, then the state is listed", async () => {
  await using harness = await watching({ maxInternalErrorRetryMs: 5_000 });
  const { server, clock } = harness;
  server.lists.push(page(9));
  for (let n = 0; n < 4; n++) {
    server.watches.push(new ScriptedStream().push(errorEvent(500, "InternalError")));
  }
  server.watches.push(new ScriptedStream());
  harness.stream.push(errorEvent(500, "InternalError"));
  await clock.advance(60_000);
  assert.equal(server.verbs, "LIST WATCH WATCH WATCH WATCH LIST WATCH WATCH");
});

Deno.test("B49 without tolerance an InternalError lists again at once", async () => {
  await using harness = await watching();
  const { server, clock } = harness;
  server.lists.push(page(9));
  server.watches.push(new ScriptedStream());
  harness.stream.push(errorEvent(500, "InternalError"));
  await clock.advance(800);
  assert.equal(server.verbs, "LIST WATCH LIST WATCH");
});

Deno.test("B50 the pause doubles to its cap, with jitter, and is short again after a quiet period", async () => {
  await using harness = new Harness(listing);
  const { server, clock } = harness;
  for (let n = 0; n < 8; n++) server.lists.push(refused());
  server.lists.push(page(5));
  server.watches.push(new ScriptedStream());
  await harness.start();
  for (const pauseMs of [800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]) {
    const before = server.count("LIST");
    await clock.advance(pauseMs - 1);
    assert.equal(server.count("LIST"), before, `not before ${pauseMs} ms`);
    await clock.advance(1);
    assert.equal(server.count("LIST"), before + 1);
  }
  assert.equal(harness.health.synced, true);
  await clock.advance(121_000);
  server.watches.push(refused(), new ScriptedStream());
  harness.stream.push(bookmark(6)).end();
  await clock.advance(799);
  assert.equal(server.count("WATCH"), 2);
  await clock.advance(1);
  assert.equal(server.count("WATCH"), 3);
});

Deno.test("B51 an object that the server cannot read from storage: listed again, replaced, the others kept", async () => {
  await using harness = await watching();
  const { server, clock, sink } = harness;
  harness.stream.push(added("corrupt", 6), errorEvent(500, "StorageReadError"));
  server.lists.push(page(7, [thing("a", 5)]));
  server.watches.push(new ScriptedStream());
  await clock.advance(800);
  assert.deepEqual(sink.calls, ["replace a@5 at 5", "add corrupt@6", "replace a@5 at 7"]);
});

Deno.test("B52 every event advances the version, bookmarks and deletions too", async () => {
  await using harness = await watching();
  const { stream, reflector, sink } = harness;
  const seen: string[] = [];
  for (const event of [added("b", 6), modified("b", 7), deleted("b", 8), bookmark(12)]) {
    stream.push(event);
    await harness.settle();
    seen.push(reflector.lastSyncResourceVersion);
  }
  assert.deepEqual(seen, ["6", "7", "8", "12"]);
  assert.deepEqual(sink.calls.slice(1), ["add b@6", "update b@7", "delete b@8", "bookmark 12"]);
  assert.equal(harness.health.events, 3);
  assert.equal(harness.health.bookmarks, 1);
});

Deno.test("B52 an event of another kind, a Table among them, is reported and left out", async () => {
  await using harness = await watching();
  const { stream, sink, errors } = harness;
  stream.push(
    { type: "ADDED", object: raw({ kind: "Pod", apiVersion: "v1", metadata: { name: "p" } }) },
    {
      type: "ADDED",
      object: raw({
        apiVersion: "meta.k8s.io/v1",
        kind: "Table",
        metadata: { name: "t" },
        rows: [],
      }),
    },
    added("b", 6),
  );
  await harness.settle();
  assert.equal(sink.text, "a@5,b@6");
  assert.equal(errors.length, 2);
  assert.match(String(errors[0]), /it is a Pod of v1, not a Thing of example.org\/v1/);
  assert.equal(stream.closed, false);
});

Deno.test("F12 hours of bookmarks advance the version and change nothing else", async () => {
  await using harness = await watching();
  const { stream, clock, sink, packer } = harness;
  const packed = packer.packed;
  for (let n = 0; n < 120; n++) {
    stream.push(bookmark(100 + n));
    await clock.advance(60_000);
  }
  assert.equal(harness.reflector.lastSyncResourceVersion, "219");
  assert.equal(packer.packed, packed);
  assert.equal(sink.text, "a@5");
  assert.equal(harness.server.verbs, "LIST WATCH");
});

Deno.test("F05 B66 a clean close resumes after the last version: no list, nothing twice", async () => {
  await using harness = await watching();
  const { server, sink, clock } = harness;
  for (let n = 6; n < 10; n++) {
    server.watches.push(new ScriptedStream());
    harness.stream.push(modified("a", n));
    await clock.advance(5_000);
    harness.stream.end();
    await harness.settle();
    assert.equal(server.requests.at(-1)?.query.resourceVersion, String(n));
  }
  assert.equal(server.verbs, "LIST WATCH WATCH WATCH WATCH WATCH");
  assert.equal(harness.health.failures, 0);
  assert.equal(harness.health.restarts, 4);
  assert.deepEqual(sink.calls.slice(1), ["update a@6", "update a@7", "update a@8", "update a@9"]);
});

Deno.test("B66 a cut resumes after the last version, without a pause if the stream had brought an event", async () => {
  await using harness = await watching();
  const { server } = harness;
  server.watches.push(new ScriptedStream());
  harness.stream.push(added("b", 6)).cut();
  await harness.settle();
  assert.equal(server.verbs, "LIST WATCH WATCH PROBE");
  assert.equal(server.requests[2]?.query.resourceVersion, "6");
});

Deno.test("B66 5xx and timeouts at the request are retried at the same version; 410 lists", async () => {
  await using harness = new Harness(listing);
  const { server, clock } = harness;
  server.lists.push(page(5), page(9));
  server.watches.push(refusal(500, "InternalError"), refusal(504, "Timeout"), refusal(503));
  server.watches.push(refusal(410, "Gone"), new ScriptedStream());
  await harness.start();
  await clock.advance(30_000);
  assert.equal(server.verbs, "LIST WATCH WATCH WATCH WATCH LIST WATCH");
});

Deno.test("B66 events seen before are left out, newer ones are processed", async () => {
  await using harness = await watching();
  const { server, sink, clock } = harness;
  harness.stream.push(modified("a", 8));
  await clock.advance(2_000);
  server.watches.push(new ScriptedStream());
  harness.stream.end();
  await harness.settle();
  harness.stream.push(modified("a", 7), modified("a", 8), modified("a", 9));
  await harness.settle();
  assert.deepEqual(sink.calls.slice(1), ["update a@8", "update a@9"]);
  assert.equal(harness.health.staleEvents, 2);
});

Deno.test("F23 a late event neither restores a deleted object nor removes its successor", async () => {
  await using harness = await watching();
  const { stream, sink } = harness;
  stream.push(deleted("a", 10), modified("a", 9), deleted("a", 10));
  await harness.settle();
  assert.equal(sink.text, "");
  stream.push(added("a", 11, "uid-2"), deleted("a", 10), modified("a", 8));
  await harness.settle();
  assert.equal(sink.text, "a@11");
  assert.equal(sink.lastKnown("default/a")?.uid, "uid-2");
  assert.equal(harness.health.staleEvents, 4);
});

Deno.test("F23 versions counted per object, as on some servers, lose nothing", async () => {
  await using harness = await watching();
  const { stream, sink } = harness;
  stream.push(added("b", 1), modified("b", 2), added("c", 1), modified("a", 6));
  await harness.settle();
  assert.equal(sink.text, "a@6,b@2,c@1");
});

Deno.test("F25 an object recreated under its name during a gap: the list brings the new UID", async () => {
  await using harness = await watching();
  const { server, sink, clock } = harness;
  harness.stream.push(errorEvent(410));
  server.lists.push(page(9, [thing("a", 8, "uid-new")]));
  server.watches.push(new ScriptedStream());
  await clock.advance(1_000);
  assert.equal(sink.lastKnown("default/a")?.uid, "uid-new");
});

for (const how of ["as HTTP status", "as an ERROR event"]) {
  Deno.test(`F07 410 ${how}: exactly one list, deletions in its replace, no loop`, async () => {
    await using harness = await watching();
    const { server, sink, clock } = harness;
    await clock.advance(2_000);
    if (how === "as HTTP status") {
      server.watches.push(refusal(410, "Expired"));
      harness.stream.end();
      await clock.advance(0);
    } else harness.stream.push(errorEvent(410, "Expired"));
    server.lists.push(page(99, [thing("b", 50)]));
    server.watches.push(new ScriptedStream());
    await clock.advance(3_000);
    assert.deepEqual(sink.calls, ["replace a@5 at 5", "replace b@50 at 99"]);
    await clock.advance(120_000);
    assert.equal(harness.health.lists, 2);
    assert.equal(server.requests.at(-1)?.query.resourceVersion, "99");
    assert.equal(harness.health.failing, undefined);
  });
}

Deno.test("F06 a watch that is closed at once without an event is a failure: pause, then the state is listed", async () => {
  await using harness = await watching();
  const { server, clock } = harness;
  for (let n = 0; n < 3; n++) {
    server.watches.push(new ScriptedStream().end());
    server.lists.push(page(5, [thing("a", 5)]));
  }
  server.watches.push(new ScriptedStream());
  await clock.advance(2_000);
  harness.stream.end();
  await harness.settle();
  assert.equal(server.verbs, "LIST WATCH WATCH");
  assert.equal(harness.health.failing?.kind, "shortWatch");
  await clock.advance(800);
  assert.equal(server.verbs, "LIST WATCH WATCH LIST WATCH");
  await clock.advance(1_599);
  assert.equal(server.count("WATCH"), 3);
  await clock.advance(1);
  assert.equal(server.count("WATCH"), 4);
});

Deno.test("F06 a watch that is cut at once, not closed, is resumed after a pause: no list", async () => {
  await using harness = new Harness(listing);
  const { server, clock } = harness;
  server.lists.push(page(5));
  server.watches.push(new ScriptedStream().cut(), new ScriptedStream().cut(), new ScriptedStream());
  await harness.start();
  assert.equal(server.verbs, "LIST WATCH");
  await clock.advance(799);
  assert.equal(server.verbs, "LIST WATCH");
  await clock.advance(1 + 1_600);
  assert.equal(server.verbs, "LIST WATCH WATCH PROBE WATCH PROBE");
});

Deno.test("F01 the idle deadline of a stream is its timeout plus a margin, or the configured one", async () => {
  assert.equal(idleTimeoutMs({}, 400), 405_000);
  assert.equal(idleTimeoutMs({ idleMarginMs: 1_000 }, 400), 401_000);
  assert.equal(idleTimeoutMs({ idleTimeoutMs: 70 }, 400), 70);
  await using harness = await watching();
  const { timeoutSeconds = 0 } = harness.server.requests[1]?.query ?? {};
  assert.equal(harness.stream.options?.idleTimeoutMs, timeoutSeconds * 1000 + 5_000);
});

Deno.test("F01 a stream cut for its silence is resumed after the last version, logged and reported", async () => {
  await using harness = await watching();
  const { server, sink, clock, errors } = harness;
  harness.stream.push(added("b", 6));
  await clock.advance(180_000);
  server.watches.push(new ScriptedStream().push(added("c", 8)));
  harness.stream.cut(new IdleTimeoutError("watch of things", 180_000));
  await harness.settle();
  assert.equal(server.verbs, "LIST WATCH WATCH PROBE");
  assert.equal(server.requests[2]?.query.resourceVersion, "6");
  assert.equal(sink.text, "a@5,b@6,c@8");
  assert.equal(harness.health.lastError?.kind, "idle");
  assert.equal(errors.length, 1);
});

Deno.test("F01 a stream that sent a bookmark and then nothing for 90 s is considered dead: resumed at once", async () => {
  await using harness = await watching();
  const { server, clock } = harness;
  const first = harness.stream;
  await clock.advance(200_000); // no bookmark yet: nothing can be said
  first.push(bookmark(6));
  await clock.advance(89_000);
  first.push(modified("a", 7));
  await clock.advance(89_999);
  assert.equal(first.closed, false);
  server.watches.push(new ScriptedStream());
  await clock.advance(1);
  assert.equal(first.closed, true);
  assert.equal(server.verbs, "LIST WATCH WATCH PROBE");
  assert.equal(server.requests[2]?.query.resourceVersion, "7");
  assert.equal(harness.health.lastError?.kind, "idle");
});

Deno.test("F01 a configured idle deadline replaces all others", async () => {
  await using harness = await watching({ idleTimeoutMs: 3_600_000 });
  harness.stream.push(bookmark(6));
  await harness.clock.advance(1_000_000);
  assert.equal(harness.server.verbs, "LIST WATCH");
});

Deno.test("F21 a stream that was silent throughout raises doubt: an older newest version lists again", async () => {
  await using harness = await watching();
  const { server, sink, clock } = harness;
  await clock.advance(300_000);
  server.probes.push(page(5)); //: nothing is older
  server.watches.push(new ScriptedStream());
  harness.stream.end();
  await harness.settle();
  assert.deepEqual(server.requests[2]?.query, { resourceVersion: "", limit: 1 });
  assert.equal(server.verbs, "LIST WATCH PROBE WATCH");
  await clock.advance(300_000);
  server.probes.push(page(3));
  server.lists.push(page(3, [thing("a", 2)]));
  server.watches.push(new ScriptedStream());
  harness.stream.end();
  await harness.settle();
  assert.equal(server.requests[5]?.query.resourceVersion, "", "then the whole, the newest");
  assert.equal(sink.text, "a@2");
  assert.equal(harness.health.rebuilds, 1);
});

Deno.test("F21 a bookmark that goes back raises doubt too, after a pause", async () => {
  await using harness = await watching();
  const { server, sink, clock } = harness;
  server.probes.push(page(3));
  server.lists.push(page(3, [thing("a", 2)]));
  server.watches.push(new ScriptedStream());
  harness.stream.push(bookmark(3));
  await clock.advance(800);
  assert.equal(server.verbs, "LIST WATCH PROBE LIST WATCH");
  assert.equal(sink.text, "a@2");
  assert.equal(harness.health.rebuilds, 1);
});
