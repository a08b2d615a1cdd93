import assert from "node:assert/strict";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { RevisionLog } from "../../storage/revision_log.ts";
import { awaitVersion } from "./await_version.ts";

function started(ahead: number): { log: RevisionLog; clock: FakeClock; done: () => boolean } {
  const log = new RevisionLog();
  const clock = new FakeClock();
  let done = false;
  const { signal } = new AbortController();
  void awaitVersion(log, log.revision + ahead, clock, signal).then(() => done = true);
  return { log, clock, done: () => done };
}

Deno.test("awaitVersion() resolves when the revision is reached", async () => {
  const { log, done } = started(2);
  const collection = log.collection("configmaps.");
  log.put(collection, "a/a", "{}");
  await Promise.resolve();
  assert.equal(done(), false);
  log.put(collection, "a/b", "{}");
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  assert.equal(done(), true);
});

Deno.test("awaitVersion() gives up after three seconds", async () => {
  const { clock, done } = started(1);
  await clock.advance(2999);
  assert.equal(done(), false);
  await clock.advance(1);
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  assert.equal(done(), true);
});
