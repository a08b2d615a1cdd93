/**
 * Tests of faults that a reflector survives: invalid objects, failing sinks, absent servers, late
 * stops.
 */
import assert from "node:assert/strict";
import {
  added,
  bookmark,
  Harness,
  modified,
  page,
  raw,
  refusal,
  refused,
  ScriptedStream,
  spoiled,
  thing,
  undecodable,
  watching,
} from "./reflector_fakes_test.ts";

const listing = { watchList: false } as const;

Deno.test("F15 an undecodable event is reported, the stream continues, and the state is read again after a pause", async () => {
  await using harness = await watching();
  const { server, sink, clock, errors } = harness;
  harness.stream.push(undecodable(), { type: "ADDED", object: raw("{") }, added("b", 7));
  await harness.settle();
  assert.equal(sink.text, "a@5,b@7");
  assert.equal(errors.length, 2);
  assert.equal(harness.health.undecodable, 2);
  server.lists.push(page(9, [thing("a", 5), thing("b", 7), thing("c", 6)]));
  server.watches.push(new ScriptedStream());
  await clock.advance(2_000);
  assert.equal(sink.text, "a@5,b@7,c@6", "what the lost event told");
  assert.equal(server.verbs, "LIST WATCH LIST WATCH");
});

Deno.test("F15 an object that stays undecodable costs a list now and then, never a loop", async () => {
  await using harness = await watching();
  const { server, clock } = harness;
  const hours = 4;
  for (let minute = 0; minute < hours * 60; minute++) {
    harness.stream.push(undecodable());
    while (server.lists.length < 8) server.lists.push(page(9 + minute, [raw("{")]));
    while (server.watches.length < 8) server.watches.push(new ScriptedStream());
    await clock.advance(60_000);
  }
  assert.ok(
    harness.health.lists > 10 && harness.health.lists < hours * 20,
    `at most one per 3 minutes, not ${harness.health.lists} in ${hours} hours`,
  );
});

Deno.test("F15 a deletion whose object cannot be decoded is repaired by the list that follows", async () => {
  await using harness = await watching();
  const { server, sink, clock } = harness;
  harness.stream.push({ type: "DELETED", object: spoiled("a", 9) });
  server.lists.push(page(10));
  server.watches.push(new ScriptedStream());
  await clock.advance(2_000);
  assert.deepEqual(sink.calls, ["replace a@5 at 5", "replace at 10"]);
});

Deno.test("a sink that throws is reported, does not end the stream, and receives the whole state again", async () => {
  await using harness = await watching();
  const { server, sink, clock, errors } = harness;
  sink.failing = "update";
  harness.stream.push(modified("a", 6), added("b", 7));
  await harness.settle();
  sink.failing = undefined;
  assert.equal(sink.text, "a@5,b@7");
  assert.match(String(errors[0]), /the sink cannot update/);
  server.lists.push(page(9, [thing("a", 6), thing("b", 7)]));
  server.watches.push(new ScriptedStream());
  await clock.advance(2_000);
  assert.equal(sink.text, "a@6,b@7");
});

Deno.test("F29 a missing resource: one attempt per step of the pause, reported by health, recovered by itself", async () => {
  await using harness = new Harness();
  const { server, clock } = harness;
  for (let n = 0; n < 100; n++) server.watches.push(refusal(404, "NotFound"));
  await harness.start();
  await clock.advance(120_000);
  assert.equal(harness.health.failing?.kind, "missing");
  assert.equal(server.count("LIST"), 0, "listing would ask for the same");
  const before = server.requests.length;
  await clock.advance(300_000);
  assert.equal(server.requests.length - before, 60, "one per 5 s");
  server.watches.length = 0;
  server.watches.push(new ScriptedStream().push(added("a", 1), bookmark(2, "true")));
  await clock.advance(5_000);
  assert.equal(harness.health.failing, undefined);
  assert.equal(harness.sink.text, "a@1");
});

Deno.test("F17 an apiserver that restarts and then answers 429: the state stays, Retry-After is honored, no list", async () => {
  await using harness = await watching();
  const { server, sink, clock } = harness;
  server.watches.push(refused(), refused(), refusal(429, "", { after: 5 }), new ScriptedStream());
  harness.stream.push(added("b", 6)).cut();
  await clock.advance(20_000);
  harness.stream.push(added("c", 7));
  await harness.settle();
  assert.equal(sink.text, "a@5,b@6,c@7");
  assert.equal(server.count("LIST"), 1);
});

Deno.test("F10 a watch that is always too old: the pause grows to its cap, and health reports why", async () => {
  await using harness = new Harness(listing);
  const { server, clock } = harness;
  for (let n = 0; n < 100; n++) {
    server.lists.push(page(10 + n));
    server.watches.push(refusal(410, "Expired"));
  }
  await harness.start();
  await clock.advance(60_000);
  const before = harness.health.lists;
  await clock.advance(300_000);
  assert.ok(harness.health.lists - before <= 10);
  assert.equal(harness.health.lastError?.kind, "expired");
});

Deno.test("a watch without a version accepts objects in any order, and is resumed from a version only after them", async () => {
  await using harness = new Harness(listing);
  const { server, sink, clock } = harness;
  server.lists.push(page("", []));
  server.watches.push(new ScriptedStream().push(added("a", 9), added("b", 3)));
  await harness.start();
  assert.equal(sink.text, "a@9,b@3");
  assert.equal(harness.reflector.lastSyncResourceVersion, "");
  harness.stream.push(modified("b", 12));
  await clock.advance(2_000);
  server.watches.push(new ScriptedStream());
  harness.stream.end();
  await harness.settle();
  assert.equal(server.requests.at(-1)?.query.resourceVersion, "12");
});

Deno.test("F47 a second run is refused; the first continues", async () => {
  await using harness = await watching();
  await assert.rejects(harness.reflector.run(new AbortController().signal), /it was run before/);
  harness.stream.push(added("b", 6));
  await harness.settle();
  assert.equal(harness.sink.text, "a@5,b@6");
});

Deno.test("F47 stopping at any point closes everything: while listing, watching, waiting, and before the start", async () => {
  for (const prepare of ["list", "watch", "wait", "none"]) {
    await using harness = new Harness(listing);
    if (prepare === "watch") harness.server.lists.push(page(1));
    if (prepare === "watch") harness.server.watches.push(new ScriptedStream());
    if (prepare === "wait") harness.server.lists.push(refusal(500));
    if (prepare === "none") await harness.reflector.run(AbortSignal.abort());
    else await harness.start();
    await harness.stop();
    assert.equal(harness.health.state, "stopped");
  }
});

Deno.test("F47 stopping between the initial events and the watch closes the stream", async () => {
  const abort = new AbortController();
  const harness = new Harness({ onError: () => {} });
  harness.server.watches.push(new ScriptedStream().push(added("a", 1), bookmark(2, "true")));
  const replace = harness.sink.replace.bind(harness.sink);
  harness.sink.replace = (objects, version) => {
    replace(objects, version);
    abort.abort();
  };
  await harness.reflector.run(abort.signal);
  assert.equal(harness.stream.closed, true);
  assert.equal(harness.clock.pending, 0);
});
