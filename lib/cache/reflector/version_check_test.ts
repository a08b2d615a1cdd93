/**
 * Tests of a server that came back with an older history, as with an etcd restored from a backup.
 */
import assert from "node:assert/strict";
import {
  added,
  bookmark,
  modified,
  page,
  refusal,
  refused,
  ScriptedStream,
  thing,
  watching,
} from "./reflector_fakes_test.ts";

Deno.test("F21 a resume after a lost connection requests the newest version once, and continues if it is not older", async () => {
  await using harness = await watching();
  const { server, clock } = harness;
  server.watches.push(refused(), new ScriptedStream());
  server.probes.push(page(5));
  harness.stream.push(bookmark(5)).cut();
  await clock.advance(60_000);
  assert.equal(server.verbs, "LIST WATCH WATCH WATCH PROBE");
  assert.deepEqual(server.requests.at(-1)?.query, { resourceVersion: "", limit: 1 });
  server.watches.push(new ScriptedStream());
  harness.stream.push(added("b", 6)).end();
  await harness.settle();
  assert.equal(
    server.verbs,
    "LIST WATCH WATCH WATCH PROBE WATCH",
    "a watch that was closed is not doubted",
  );
  assert.equal(harness.health.rebuilds, 0);
});

Deno.test("F21 a server that accepts a watch in its own future: the store is rebuilt, even if the version is passed meanwhile", async () => {
  await using harness = await watching();
  const { server, sink, clock } = harness;
  await clock.advance(2_000);
  server.watches.push(new ScriptedStream(), new ScriptedStream());
  server.probes.push(page(3));
  // The restored server has new writes when the list arrives: another `a` at the version of the
  // first.
  server.lists.push(page(9, [thing("a", 5), thing("c", 8)]));
  harness.stream.push(modified("a", 5)).cut();
  await harness.settle();
  assert.equal(server.verbs, "LIST WATCH WATCH PROBE LIST WATCH");
  assert.equal(server.requests.at(-2)?.query.resourceVersion, "");
  assert.equal(server.streams[1]?.closed, true);
  assert.equal(sink.text, "a@5,c@8");
  assert.equal(sink.anew, true, "what the sink has of the same version may be another");
  assert.equal(harness.health.rebuilds, 1);
  harness.stream.push(modified("a", 10));
  await harness.settle();
  assert.equal(sink.text, "a@10,c@8");
  assert.equal(harness.packer.reused, 0);
});

Deno.test("F21 a failed request for the newest version is repeated while the watch lasts; a refused one is not", async () => {
  await using harness = await watching();
  const { server, clock } = harness;
  await clock.advance(2_000);
  server.watches.push(new ScriptedStream());
  server.probes.push(refusal(503), refused(), refusal(429), refusal(403));
  harness.stream.cut();
  await clock.advance(60_000);
  assert.equal(server.verbs, "LIST WATCH WATCH PROBE PROBE PROBE PROBE");
  assert.equal(harness.health.rebuilds, 0);
});

Deno.test("F21 a request without an answer when the watch ended is repeated beside the next watch", async () => {
  await using harness = await watching();
  const { server, clock } = harness;
  await clock.advance(2_000);
  server.watches.push(new ScriptedStream(), new ScriptedStream());
  harness.stream.cut();
  await clock.advance(2_000);
  server.lists.push(page(3, [thing("a", 2)]));
  server.probes.push(page(9)); // answers the first question's successor
  harness.stream.end();
  await harness.settle();
  assert.equal(server.verbs, "LIST WATCH WATCH PROBE WATCH PROBE");
});
