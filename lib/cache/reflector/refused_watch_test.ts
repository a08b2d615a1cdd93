/** Watches that fail for hours while lists work, and versions that no server should send. */
import assert from "node:assert/strict";
import {
  added,
  bookmark,
  errorEvent,
  Harness,
  modified,
  page,
  refusal,
  ScriptedStream,
  type Thing,
  thing,
  watching,
} from "./reflector_fakes_test.ts";

const HOUR_MS = 3_600_000;

const ANSWERS: Record<string, () => Error | ScriptedStream> = {
  "500": () => refusal(500, "InternalError"),
  "503": () => refusal(503, "ServiceUnavailable"),
  "504": () => refusal(504, "Timeout"),
  "a stream that is cut at once": () => new ScriptedStream().cut(),
  "an ERROR event with 503": () => new ScriptedStream().push(errorEvent(503, "ServiceUnavailable")),
};

for (const [how, answer] of Object.entries(ANSWERS)) {
  for (const watchList of [true, false]) {
    Deno.test(`F18 a watch answered by ${how} for an hour, WatchList ${watchList ? "on" : "off"}: listed again and again`, async () => {
      await using harness = new Harness({ watchList });
      const { server, clock } = harness;
      let version = 5;
      server.watches.push(...Array.from({ length: 1_000 }, answer));
      server.lists.push(
        ...Array.from({ length: 1_000 }, () => () => page(version, [thing("a", version)])),
      );
      server.probes.push(...Array.from({ length: 1_000 }, () => () => page(version)));
      await harness.start();
      await clock.advance(HOUR_MS / 2);
      version = 99;
      await clock.advance(15 * 60_000);
      assert.equal(harness.sink.text, "a@99");
      assert.ok(harness.health.failing, "it is not healthy");
      await clock.advance(HOUR_MS / 2);
      const { lists } = harness.health;
      assert.ok(lists > 5 && lists < 60, `${lists} lists in 75 minutes`);
    });
  }
}

Deno.test("F21 a bookmark with an invalid version is reported, not trusted, and the state is read again in time", async () => {
  for (const version of ["abc", "6 ", "-1", "6.0", "0x7", "1e9", "06"]) {
    await using harness = await watching();
    const { server, sink, clock, errors } = harness;
    server.lists.push(page(8, [thing("a", 5), thing("b", 8)]));
    server.watches.push(new ScriptedStream());
    harness.stream.push(bookmark(version));
    await harness.settle();
    assert.equal(harness.reflector.lastSyncResourceVersion, "5", version);
    assert.match(
      String(errors[0]),
      /Cannot trust a bookmark: its version ".*" cannot follow 5/,
    );
    await clock.advance(3_000);
    assert.equal(sink.text, "a@5,b@8");
    assert.equal(server.verbs, "LIST WATCH LIST WATCH");
  }
});

Deno.test("F21 an object with an invalid version is stored, but no watch is resumed after it", async () => {
  await using harness = await watching();
  const { server, sink, clock } = harness;
  harness.stream.push(added("b", "xyz"));
  await clock.advance(2_000);
  server.watches.push(new ScriptedStream());
  harness.stream.end();
  await harness.settle();
  assert.equal(sink.text, "a@5,b@xyz");
  assert.equal(server.requests.at(-1)?.query.resourceVersion, "5");
});

Deno.test("a server whose versions are not numbers is followed by its order of events", async () => {
  await using harness = new Harness({ watchList: false });
  const { server, sink } = harness;
  server.lists.push(page("v5", [thing("a", "v5")]));
  server.watches.push(new ScriptedStream());
  await harness.start();
  harness.stream.push(modified("a", "v6"), bookmark("v7"));
  await harness.settle();
  assert.equal(sink.text, "a@v6");
  assert.equal(harness.reflector.lastSyncResourceVersion, "v7");
});

Deno.test("B46 F11 a version that the server calls malformed is not requested again", async () => {
  for (const watchList of [true, false]) {
    await using harness = new Harness({ watchList });
    const { server, sink, clock } = harness;
    const answers = (version: string | undefined, items: Thing[]) =>
      version === "bad" ? refusal(400, "BadRequest") : page(6, items);
    const initial = () =>
      new ScriptedStream().push(added("a", 5), bookmark("bad", "true"), errorEvent(410, "Expired"));
    server.watches.push(
      ...watchList ? [initial(), refusal(400)] : [new ScriptedStream().push(errorEvent(410))],
    );
    if (!watchList) server.lists.push(page("bad", [thing("a", 5)]));
    for (let n = 0; n < 3; n++) {
      server.lists.push(({ resourceVersion }: { resourceVersion?: string }) =>
        answers(resourceVersion, [thing("c", 6)])
      );
    }
    server.watches.push(refusal(422), new ScriptedStream(), new ScriptedStream());
    await harness.start();
    await clock.advance(60_000);
    assert.equal(sink.text, "c@6");
  }
});
