/** Tests of a reflector's lists, and of the resourceVersions that they request. */
import assert from "node:assert/strict";
import {
  added,
  errorEvent,
  Harness,
  page,
  raw,
  refusal,
  ScriptedStream,
  spoiled,
  thing,
} from "./reflector_fakes_test.ts";

const listing = { watchList: false } as const;

Deno.test("B42 the first list requests version 0 in pages of 500; the watch begins at the list's version with bookmarks", async () => {
  await using harness = new Harness(listing);
  harness.server.lists.push(page(7, [thing("a", 3), thing("b", 5), thing("c", 7)]));
  harness.server.watches.push(new ScriptedStream());
  await harness.start();
  assert.deepEqual(harness.server.requests[0], {
    verb: "LIST",
    query: { resourceVersion: "0", limit: 500 },
  });
  const watch = harness.server.requests[1];
  assert.equal(watch?.verb, "WATCH");
  assert.equal(watch?.query.resourceVersion, "7");
  assert.equal(watch?.query.allowWatchBookmarks, true);
  assert.equal(watch?.query.sendInitialEvents, undefined);
  assert.deepEqual(harness.sink.calls, ["replace a@3,b@5,c@7 at 7"]);
  assert.equal(harness.reflector.lastSyncResourceVersion, "7");
  assert.equal(harness.health.state, "watching");
});

Deno.test("B43 a relist requests the last version seen, and the newest once that is expired", async () => {
  await using harness = new Harness(listing);
  const { server, clock, sink } = harness;
  server.lists.push(page(5, [thing("a", 5)]));
  server.watches.push(new ScriptedStream().push(added("b", 9), errorEvent(410, "Expired")));
  server.lists.push(refusal(410, "Expired"), page(20, [thing("a", 5), thing("b", 9)]));
  server.watches.push(new ScriptedStream());
  await harness.start();
  await clock.advance(1_000);
  const lists = server.requests.filter(({ verb }) => verb === "LIST");
  assert.deepEqual(lists.map(({ query }) => query.resourceVersion), ["0", "9", ""]);
  assert.equal(sink.text, "a@5,b@9");
  assert.equal(server.requests.at(-1)?.query.resourceVersion, "20");
});

Deno.test("B43 after a list of the newest version the next relist requests the last version again", async () => {
  await using harness = new Harness(listing);
  const { server, clock } = harness;
  server.lists.push(page(5), refusal(410, "Expired"), page(20), page(21));
  server.watches.push(
    new ScriptedStream().push(errorEvent(410)),
    new ScriptedStream().push(errorEvent(410)),
    new ScriptedStream(),
  );
  await harness.start();
  await clock.advance(10_000);
  const lists = server.requests.filter(({ verb }) => verb === "LIST");
  assert.deepEqual(lists.map(({ query }) => query.resourceVersion), ["0", "5", "", "20"]);
});

Deno.test("B44 a relist at a known version is not paged, so that servers answer from their cache", async () => {
  await using harness = new Harness(listing);
  const { server, clock } = harness;
  server.lists.push(page(5), page(6));
  server.watches.push(new ScriptedStream().push(errorEvent(410)), new ScriptedStream());
  await harness.start();
  await clock.advance(1_000);
  assert.deepEqual(server.requests[2]?.query, { resourceVersion: "5" });
});

Deno.test("B44 a relist is paged if the first list came in pages, and all pages are collected", async () => {
  await using harness = new Harness(listing);
  const { server, clock, sink } = harness;
  server.lists.push(
    page(5, [thing("a", 1)], "next-1"),
    page(5, [thing("b", 2)], "next-2"),
    page(5, [thing("c", 3)]),
    page(6, [thing("a", 1)], "next-3"),
    page(6, [thing("b", 2)]),
  );
  server.watches.push(new ScriptedStream().push(errorEvent(410)), new ScriptedStream());
  await harness.start();
  assert.deepEqual(sink.calls, ["replace a@1,b@2,c@3 at 5"]);
  assert.deepEqual(server.requests.slice(0, 3).map(({ query }) => query), [
    { resourceVersion: "0", limit: 500 },
    { limit: 500, continue: "next-1" },
    { limit: 500, continue: "next-2" },
  ]);
  await clock.advance(1_000);
  assert.deepEqual(server.requests[4]?.query, {
    resourceVersion: "5",
    resourceVersionMatch: "NotOlderThan",
    limit: 500,
  });
  assert.equal(sink.text, "a@1,b@2");
  assert.equal(harness.health.lists, 2);
});

Deno.test("B44 a configured page size is always requested", async () => {
  await using harness = new Harness({ ...listing, pageSize: 3 });
  const { server, clock } = harness;
  server.lists.push(page(5), page(6));
  server.watches.push(new ScriptedStream().push(errorEvent(410)), new ScriptedStream());
  await harness.start();
  await clock.advance(1_000);
  assert.equal(server.requests[0]?.query.limit, 3);
  assert.equal(server.requests[2]?.query.limit, 3);
});

Deno.test("B45 F08 an expired second page: the whole list at the version of the first request, without pages of the old one", async () => {
  await using harness = new Harness(listing);
  const { server, sink } = harness;
  server.lists.push(
    page(5, [thing("old", 1), thing("gone", 2)], "next"),
    refusal(410, "Expired"),
    page(9, [thing("old", 1), thing("new", 8)]),
  );
  server.watches.push(new ScriptedStream());
  await harness.start();
  assert.deepEqual(server.requests.slice(0, 3).map(({ query }) => query), [
    { resourceVersion: "0", limit: 500 },
    { limit: 500, continue: "next" },
    { resourceVersion: "0" },
  ]);
  assert.deepEqual(sink.calls, ["replace new@8,old@1 at 9"]);
});

Deno.test("F09 an empty continue token ends the list", async () => {
  await using harness = new Harness(listing);
  harness.server.lists.push(page(5, [thing("a", 1)], ""));
  harness.server.watches.push(new ScriptedStream());
  await harness.start();
  assert.equal(harness.server.verbs, "LIST WATCH");
});

Deno.test("F09 a server that names the same page forever does not hold the reflector forever", async () => {
  await using harness = new Harness(listing);
  const { server } = harness;
  for (let n = 0; n < 5; n++) server.lists.push(page(5, [thing("a", 1)], "again"));
  await harness.start();
  assert.equal(server.verbs, "LIST LIST");
  assert.equal(harness.health.failing?.kind, "undecodable");
});

const timeout = (more: Parameters<typeof refusal>[2]) => refusal(504, "Timeout", more);
const tooLarge = {
  "by the cause's reason": timeout({ causes: [{ reason: "ResourceVersionTooLarge" }] }),
  "by the cause's message": timeout({ causes: [{ message: "Too large resource version" }] }),
  "by the message": timeout({ message: "Too large resource version: 99, current: 3" }),
};
for (const [shape, error] of Object.entries(tooLarge)) {
  Deno.test(`B46 F11 a version too large, reported ${shape}: the newest is requested at once`, async () => {
    await using harness = new Harness(listing);
    const { server, clock } = harness;
    server.lists.push(page(9), error, page(10));
    server.watches.push(new ScriptedStream().push(errorEvent(410)), new ScriptedStream());
    await harness.start();
    await clock.advance(800);
    const lists = server.requests.filter(({ verb }) => verb === "LIST");
    assert.deepEqual(lists.map(({ query }) => query.resourceVersion), ["0", "9", ""]);
    assert.equal(server.verbs, "LIST WATCH LIST LIST WATCH");
  });
}

Deno.test("B46 F11 a watch at a version too large lists the newest", async () => {
  await using harness = new Harness(listing);
  const { server, clock } = harness;
  server.lists.push(page(9), page(10));
  server.watches.push(timeout({ causes: [{ reason: "ResourceVersionTooLarge" }] }));
  server.watches.push(new ScriptedStream());
  await harness.start();
  await clock.advance(800);
  assert.equal(server.requests[2]?.query.resourceVersion, "");
});

Deno.test("an ordinary 504 is not a version too large: the same list is tried again", async () => {
  await using harness = new Harness(listing);
  const { server, clock } = harness;
  server.lists.push(timeout({}), page(1));
  server.watches.push(new ScriptedStream());
  await harness.start();
  await clock.advance(800);
  assert.equal(server.requests[1]?.query.resourceVersion, "0");
});

Deno.test("a list reuses unchanged objects, and packs the others", async () => {
  await using harness = new Harness(listing);
  const { server, clock, packer, sink } = harness;
  server.lists.push(page(5, [thing("a", 1), thing("b", 2)]));
  server.lists.push(page(9, [thing("a", 1), thing("b", 8), thing("c", 1)]));
  server.watches.push(new ScriptedStream().push(errorEvent(410)), new ScriptedStream());
  await harness.start();
  const known = sink.lastKnown("default/a");
  await clock.advance(1_000);
  assert.equal(packer.reused, 1);
  assert.equal(sink.lastKnown("default/a"), known);
  assert.equal(sink.text, "a@1,b@8,c@1");
});

Deno.test("F15 an undecodable item of a list is reported and keeps its last version; the others are stored", async () => {
  await using harness = new Harness(listing);
  const { server, clock, sink, errors } = harness;
  server.lists.push(page(5, [thing("a", 1), thing("b", 2)]));
  server.lists.push(page(9, [thing("a", 7), spoiled("b", 8), raw("{}")]));
  server.watches.push(new ScriptedStream().push(errorEvent(410)), new ScriptedStream());
  await harness.start();
  await clock.advance(1_000);
  assert.equal(sink.text, "a@7,b@2");
  assert.equal(harness.health.undecodable, 2);
  assert.equal(errors.length, 3); // the 410, and these two
});

Deno.test("F15 an item of a list that was damaged in transit is repaired by another list, without an event", async () => {
  await using harness = new Harness(listing);
  const { server, clock, sink } = harness;
  server.lists.push(page(5, [thing("a", 1), spoiled("b", 2)]));
  server.lists.push(page(5, [thing("a", 1), thing("b", 2)]));
  server.watches.push(new ScriptedStream(), new ScriptedStream());
  await harness.start();
  assert.equal(sink.text, "a@1");
  await clock.advance(2_000);
  assert.equal(sink.text, "a@1,b@2");
  await clock.advance(3_600_000);
  assert.equal(harness.health.lists, 2, "and then there is nothing left to make good");
});

Deno.test("F20 a list older than requested is not taken over; the newest is requested", async () => {
  await using harness = new Harness(listing);
  const { server, clock, sink } = harness;
  server.lists.push(page(50, [thing("a", 50)]), page(30, [thing("a", 30)]));
  server.lists.push(page(60, [thing("a", 55)]));
  server.watches.push(new ScriptedStream().push(errorEvent(410)), new ScriptedStream());
  await harness.start();
  await clock.advance(1_000);
  assert.deepEqual(sink.calls, ["replace a@50 at 50", "replace a@55 at 60"]);
  assert.equal(server.requests[3]?.query.resourceVersion, "");
  assert.equal(harness.health.lastError?.kind, "timeTravel");
  assert.equal(harness.health.rebuilds, 0);
});

Deno.test("F21 a newest list older than the state seen is logged, counted and rebuilt, with nothing reused", async () => {
  await using harness = new Harness(listing);
  const { server, clock, sink, packer } = harness;
  server.lists.push(page(50, [thing("a", 40)]));
  server.lists.push(refusal(504, "Timeout", { causes: [{ reason: "ResourceVersionTooLarge" }] }));
  server.lists.push(page(41, [thing("a", 40), thing("b", 41)]));
  server.watches.push(new ScriptedStream().push(errorEvent(410)), new ScriptedStream());
  await harness.start();
  await clock.advance(1_000);
  assert.equal(sink.text, "a@40,b@41");
  assert.equal(harness.health.rebuilds, 1);
  assert.equal(packer.reused, 0, "the same version may be another object after a restore");
  assert.equal(harness.reflector.lastSyncResourceVersion, "41");
});
