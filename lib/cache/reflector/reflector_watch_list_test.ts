/** Streaming the whole state (WatchList), and when it is listed instead. */
import assert from "node:assert/strict";
import { configure, type LogRecord, reset } from "@logtape/logtape";
import { UnreachableError } from "../../client/errors/unreachable_error.ts";
import { records } from "../informer/log_records_test.ts";
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
  ScriptedServer,
  ScriptedStream,
  spoiled,
  thing,
  undecodable,
} from "./reflector_fakes_test.ts";

const whole = (...events: Parameters<ScriptedStream["push"]>): ScriptedStream =>
  new ScriptedStream().push(...events, bookmark(10, "true"));

Deno.test("B53 the initial state is streamed: sendInitialEvents, NotOlderThan, no version first, bookmarks; no LIST", async () => {
  await using harness = new Harness();
  harness.server.watches.push(whole(added("a", 1)));
  await harness.start();
  assert.equal(harness.server.verbs, "WATCHLIST");
  const query = { ...harness.server.requests[0]?.query };
  assert.ok((query.timeoutSeconds ?? 0) >= 300);
  delete (query as { timeoutSeconds?: number }).timeoutSeconds;
  assert.deepEqual(query, {
    resourceVersion: "",
    resourceVersionMatch: "NotOlderThan",
    sendInitialEvents: true,
    allowWatchBookmarks: true,
  });
  assert.equal(harness.health.watchLists, 1);
  assert.equal(harness.health.lists, 0);
});

Deno.test("B53 the stream continues after its initial events; a later one begins at the last version seen", async () => {
  await using harness = new Harness();
  const { server, sink, clock } = harness;
  server.watches.push(whole(added("a", 1)).push(added("b", 11)));
  await harness.start();
  assert.deepEqual(sink.calls, ["replace a@1 at 10", "add b@11"]);
  server.watches.push(new ScriptedStream().push(added("a", 1), bookmark(12, "true")));
  harness.stream.push(errorEvent(410));
  await clock.advance(1_000);
  assert.equal(server.verbs, "WATCHLIST WATCHLIST");
  assert.equal(server.requests[1]?.query.resourceVersion, "11");
});

Deno.test("B54 only a bookmark annotated exactly true ends the initial events; changes before it are applied", async () => {
  await using harness = new Harness();
  const { server, sink } = harness;
  server.watches.push(
    new ScriptedStream().push(
      added("a", 1),
      added("b", 2),
      bookmark(3),
      bookmark(4, "false"),
      bookmark(5, "True"),
      modified("a", 6),
      deleted("b", 7),
      added("c", 8),
    ),
  );
  await harness.start();
  assert.deepEqual(sink.calls, []);
  assert.equal(harness.health.synced, false);
  harness.stream.push(bookmark(9, "true"), modified("c", 10));
  await harness.settle();
  assert.deepEqual(sink.calls, ["replace a@6,c@8 at 9", "update c@10"]);
  assert.equal(harness.health.synced, true);
});

Deno.test("B55 a stream cut before that bookmark: a new one, with nothing kept of the first", async () => {
  for (const cut of [true, false]) {
    await using harness = new Harness();
    const { server, sink, clock } = harness;
    const first = new ScriptedStream().push(added("half", 1));
    server.watches.push(cut ? first.cut() : first.end(), whole(added("a", 2)));
    await harness.start();
    await clock.advance(800);
    assert.equal(server.verbs, "WATCHLIST WATCHLIST");
    assert.deepEqual(sink.calls, ["replace a@2 at 10"]);
  }
});

Deno.test("B55 a stream cut after that bookmark: a plain watch from the last version", async () => {
  await using harness = new Harness();
  const { server } = harness;
  server.watches.push(whole(added("a", 1)).push(added("b", 12)).cut(), new ScriptedStream());
  await harness.start();
  assert.equal(server.verbs, "WATCHLIST WATCH PROBE");
  assert.equal(server.requests[1]?.query.resourceVersion, "12");
});

for (
  const [how, error] of Object.entries({
    "as invalid": refusal(422, "Invalid"),
    "as a bad request": refusal(400, "BadRequest"),
    "as forbidden": refusal(403, "Forbidden"),
    "as not allowed": refusal(405, "MethodNotAllowed"),
  })
) {
  Deno.test(`B56 WatchList refused ${how}: LIST and WATCH, and WatchList is tried again next time`, async () => {
    await using harness = new Harness();
    const { server, sink, clock } = harness;
    server.watches.push(error, new ScriptedStream(), whole(added("b", 6)));
    server.lists.push(page(5, [thing("a", 5)]));
    await harness.start();
    assert.equal(server.verbs, "WATCHLIST LIST WATCH");
    assert.equal(sink.text, "a@5");
    assert.deepEqual(harness.errors, [], "what an older server does is no failure");
    harness.stream.push(errorEvent(410));
    await clock.advance(2_000);
    assert.equal(server.verbs, "WATCHLIST LIST WATCH WATCHLIST");
    assert.equal(sink.text, "b@6");
  });
}

Deno.test("a user who may not watch is reported as such, not as a server that cannot stream lists", async () => {
  await using log = await records();
  await using harness = new Harness();
  const { server, sink } = harness;
  const message = 'things is forbidden: User "u" cannot watch resource "things"';
  server.watches.push(
    refusal(403, "Forbidden", { message }),
    refusal(403, "Forbidden", { message }),
  );
  server.lists.push(page(5, [thing("a", 5)]));
  await harness.start();
  assert.equal(server.verbs, "WATCHLIST LIST WATCH");
  assert.equal(sink.text, "a@5");
  assert.match(log.text("info"), /this user may not watch, listing instead: things is forbidden/);
  assert.doesNotMatch(log.text("info"), /does not stream lists/);
  assert.match(
    log.text("warning"),
    /cannot watch resource "?things"?; grant this user the verb watch: until then changes show only/,
  );
});

Deno.test("a user who may not list either is advised of both verbs", async () => {
  await using log = await records();
  await using harness = new Harness();
  const { server } = harness;
  server.watches.push(refusal(403, "Forbidden"));
  server.lists.push(refusal(403, "Forbidden"));
  await harness.start();
  assert.equal(server.verbs, "WATCHLIST LIST");
  assert.match(log.text("warning"), /refused with 403; grant this user the verbs list and watch$/);
});

Deno.test("a server that cannot stream lists is reported as such", async () => {
  await using log = await records();
  await using harness = new Harness();
  const { server } = harness;
  server.watches.push(refusal(422, "Invalid"), new ScriptedStream());
  server.lists.push(page(5, []));
  await harness.start();
  assert.match(log.text("info"), /the server does not stream lists, listing instead: refused/);
  assert.equal(log.text("warning"), "");
});

for (
  const [how, error] of Object.entries({
    "429": refusal(429),
    "503": refusal(503),
    "500 InternalError": refusal(500, "InternalError"),
    "a network error": new UnreachableError("no route", { server: "https://127.0.0.1:1" }),
  })
) {
  Deno.test(`B56 ${how} retries WatchList after a pause, without LIST`, async () => {
    await using harness = new Harness();
    const { server, sink, clock } = harness;
    server.watches.push(error, error, error, whole(added("a", 1)));
    await harness.start();
    await clock.advance(800 + 1_600 + 3_200);
    assert.equal(server.verbs, "WATCHLIST WATCHLIST WATCHLIST WATCHLIST");
    assert.equal(sink.text, "a@1");
  });
}

Deno.test("B56 a server that fails each WatchList receives one LIST in between, so that it cannot starve the cache", async () => {
  await using harness = new Harness();
  const { server, clock } = harness;
  for (let n = 0; n < 5; n++) server.watches.push(refusal(500));
  server.watches.push(new ScriptedStream());
  server.lists.push(page(5, [thing("a", 5)]));
  await harness.start();
  await clock.advance(60_000);
  assert.equal(server.verbs, "WATCHLIST WATCHLIST WATCHLIST WATCHLIST WATCHLIST LIST WATCH");
});

Deno.test("B56 expired on an established watch: started again; expired as an answer: the newest is requested at once", async () => {
  await using harness = new Harness();
  const { server, clock } = harness;
  server.watches.push(whole(added("a", 1)).push(errorEvent(410, "Expired")));
  server.watches.push(refusal(410, "Expired"), whole(added("a", 1)));
  await harness.start();
  await clock.advance(800);
  assert.equal(server.verbs, "WATCHLIST WATCHLIST WATCHLIST");
  assert.deepEqual(server.requests.map(({ query }) => query.resourceVersion), ["", "10", ""]);
});

Deno.test("F13 a missing bookmark: LIST after a deadline, which every new object moves", async () => {
  await using harness = new Harness({ initialEventsDeadlineMs: 20_000 });
  const { server, sink, clock } = harness;
  const stream = new ScriptedStream();
  server.watches.push(stream, new ScriptedStream());
  server.lists.push(page(5, [thing("a", 5)]));
  await harness.start();
  for (const name of ["a", "b", "c"]) {
    await clock.advance(15_000);
    stream.push(added(name, 1));
    await harness.settle();
  }
  await clock.advance(15_000);
  stream.push(modified("a", 2)); // nothing new: the deadline stays
  await clock.advance(4_999);
  assert.equal(server.verbs, "WATCHLIST");
  await clock.advance(1);
  assert.equal(server.verbs, "WATCHLIST LIST WATCH");
  assert.equal(stream.closed, true);
  assert.deepEqual(sink.calls, ["replace a@5 at 5"]);
  assert.equal(harness.health.lastError?.kind, "noInitialEventsEnd");
});

Deno.test("F13 an endless stream of new objects does not move the deadline forever", async () => {
  await using harness = new Harness({ initialEventsDeadlineMs: 20_000 });
  const { server, clock } = harness;
  const stream = new ScriptedStream();
  server.watches.push(stream, new ScriptedStream());
  server.lists.push(page(5));
  await harness.start();
  for (let n = 0; n < 20; n++) {
    assert.equal(server.count("LIST"), 0);
    stream.push(added(`new-${n}`, n));
    await clock.advance(10_000);
  }
  assert.equal(server.verbs, "WATCHLIST LIST WATCH");
});

Deno.test("B57 a warning about the missing bookmark every 10 s, with another text once events arrived", async () => {
  const records: LogRecord[] = [];
  await configure({
    sinks: { memory: (record) => records.push(record) },
    loggers: [
      { category: ["xca"], lowestLevel: "warning", sinks: ["memory"] },
      { category: ["logtape", "meta"], lowestLevel: "fatal", sinks: [] },
    ],
  });
  try {
    await using harness = new Harness({ name: "things" });
    const { server, clock } = harness;
    const stream = new ScriptedStream();
    server.watches.push(stream);
    const warnings = (): string[] => records.splice(0).map(({ message }) => message.join(""));
    await harness.start();
    await clock.advance(9_999);
    assert.deepEqual(warnings(), []);
    await clock.advance(1);
    assert.deepEqual(warnings(), [
      "things: awaiting the bookmark that ends the initial events; no event came for 10 s",
    ]);
    await clock.advance(10_000);
    assert.equal(warnings().length, 1);
    stream.push(added("a", 1));
    await clock.advance(10_000);
    assert.deepEqual(warnings(), [
      "things: the bookmark that ends the initial events has not come; the last event came 10 s ago",
    ]);
    stream.push(bookmark(2, "true"));
    await clock.advance(60_000);
    assert.deepEqual(warnings(), []);
  } finally {
    await reset();
  }
});

Deno.test("F15 an initial event that cannot be decoded at all: the state is listed, where objects are kept apart", async () => {
  await using harness = new Harness();
  const { server, sink } = harness;
  server.watches.push(whole(added("a", 1), undecodable()), new ScriptedStream());
  server.lists.push(page(12, [thing("a", 1), thing("b", 2)]));
  await harness.start();
  assert.equal(server.verbs, "WATCHLIST LIST WATCH");
  assert.deepEqual(sink.calls, ["replace a@1,b@2 at 12"]);
});

Deno.test("F15 an initial object that cannot be packed is reported; the others are stored, and its last version is kept", async () => {
  await using harness = new Harness();
  const { server, sink, clock } = harness;
  server.watches.push(whole(added("a", 1), added("b", 2)).push(errorEvent(410)));
  server.watches.push(
    whole(added("a", 7), { type: "ADDED", object: spoiled("b", 8) }, {
      type: "ADDED",
      object: raw("nonsense"),
    }),
  );
  await harness.start();
  await clock.advance(1_000);
  assert.equal(sink.text, "a@7,b@2");
  assert.equal(harness.health.undecodable, 2);
});

Deno.test("F15 a deletion among the initial events whose object cannot be decoded is repaired by another read of the state", async () => {
  for (const object of [raw({ kind: "Thing", metadata: {} }), spoiled("gone", 3)]) {
    await using harness = new Harness();
    const { server, sink, clock } = harness;
    server.watches.push(whole(added("gone", 2), { type: "DELETED", object }));
    server.watches.push(whole(added("a", 7)));
    await harness.start();
    assert.equal(harness.health.undecodable, 1);
    await clock.advance(2_000);
    assert.equal(server.verbs, "WATCHLIST WATCHLIST");
    assert.equal(sink.text, "a@7");
  }
});

Deno.test("F20 an initial state older than requested is not taken over; the newest is requested", async () => {
  await using harness = new Harness();
  const { server, sink, clock } = harness;
  server.watches.push(whole(added("a", 1)).push(modified("a", 50), errorEvent(410)));
  server.watches.push(whole(added("a", 1)));
  server.watches.push(new ScriptedStream().push(added("a", 50), bookmark(60, "true")));
  await harness.start();
  await clock.advance(1_000);
  assert.deepEqual(sink.calls, ["replace a@1 at 10", "update a@50", "replace a@50 at 60"]);
  assert.deepEqual(server.requests.map(({ query }) => query.resourceVersion), ["", "50", ""]);
});

Deno.test("a lister-watcher that cannot stream the initial state is never requested to", async () => {
  const server = new ScriptedServer();
  server.watchList = false;
  server.lists.push(page(1));
  await using harness = new Harness({ listerWatcher: server });
  await harness.start();
  assert.equal(server.verbs, "LIST WATCH");
});
