import assert from "node:assert/strict";
import {
  added,
  bookmark,
  errorEvent,
  Harness,
  page,
  refused,
  ScriptedStream,
  thing,
  watching,
} from "./reflector_fakes_test.ts";

Deno.test("health is a live view: empty before the start, then the last events and their times, on both clocks", async () => {
  await using harness = new Harness({ watchList: false });
  const { health, server, clock } = harness;
  assert.equal(health.name, "things.v1.example.org");
  assert.equal(health.state, "initial");
  assert.equal(health.synced, false);
  assert.equal(health.resourceVersion, "");
  assert.equal(health.lastHeardMs, undefined);
  server.lists.push(page(5, [thing("a", 5)]));
  server.watches.push(new ScriptedStream());
  await harness.start();
  assert.equal(health.state, "watching");
  assert.equal(health.synced, true);
  assert.equal(health.lastSyncMs, 0);
  await clock.advance(2_000);
  harness.stream.push(added("b", 6));
  await clock.advance(3_000);
  harness.stream.push(bookmark(7));
  await harness.settle();
  assert.equal(health.lastEventMs, 2_000);
  assert.equal(health.lastEventAt?.toISOString(), "2026-01-01T00:00:02.000Z");
  assert.equal(health.lastBookmarkMs, 5_000);
  assert.equal(health.lastHeardMs, 5_000);
  assert.equal(health.resourceVersion, "7");
});

Deno.test("health counts the bookmarks of a WatchList as bookmarks, and its objects as events", async () => {
  await using harness = new Harness();
  const { health, server } = harness;
  server.watches.push(
    new ScriptedStream().push(added("a", 1), bookmark(8), added("b", 9), bookmark(10, "true")),
  );
  await harness.start();
  assert.deepEqual([health.events, health.bookmarks], [2, 2]);
});

Deno.test("health is failing from a failure until something works again; the last error stays", async () => {
  await using harness = await watching();
  const { health, server, clock } = harness;
  server.watches.push(refused(), refused(), new ScriptedStream());
  harness.stream.push(added("b", 6)).end();
  await clock.advance(799);
  assert.equal(health.state, "backingOff");
  assert.equal(health.failing?.kind, "network");
  assert.equal(health.failing?.message, "connection refused");
  await clock.advance(1 + 1_600);
  assert.equal(health.state, "watching");
  assert.equal(health.failing, undefined);
  assert.equal(health.lastError?.kind, "network");
  assert.equal(health.failures, 2);
  assert.deepEqual([health.lists, health.watches, health.watchLists], [1, 4, 0]);
});

Deno.test("health reports a sync lost and recovered: 410, the pause, the new list", async () => {
  await using harness = await watching();
  const { health, server, clock } = harness;
  harness.stream.push(errorEvent(410, "Expired"));
  await clock.advance(100);
  assert.equal(health.failing?.kind, "expired");
  assert.equal(health.synced, true, "the sink still holds the state of before");
  server.lists.push(page(9));
  await clock.advance(700);
  assert.equal(health.failing, undefined);
  assert.equal(health.lastSyncMs, 800);
});

Deno.test("an onError that throws is logged and has no other effect", async () => {
  let calls = 0;
  await using harness = await watching({
    onError: () => {
      calls++;
      throw new Error("a bug in onError");
    },
  });
  harness.stream.push({ type: "ADDED", object: new Uint8Array([1]) }, added("b", 6));
  await harness.settle();
  assert.equal(calls, 1);
  assert.equal(harness.sink.text, "a@5,b@6");
});
