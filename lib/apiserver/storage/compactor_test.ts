import assert from "node:assert/strict";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { Compactor } from "./compactor.ts";
import { deleteObject, putObject } from "./memory_files_test.ts";
import { RevisionLog } from "./revision_log.ts";

const MINUTE = 60_000;
const KILOBYTE = "x".repeat(1024);

Deno.test("Compactor drops history after five to ten minutes", () => {
  const log = new RevisionLog();
  const clock = new FakeClock();
  using _compactor = new Compactor(log, clock);
  const first = putObject(log, "pods.", "a/x");
  clock.step(5 * MINUTE);
  const second = putObject(log, "pods.", "a/x");
  assert.equal(log.compactedRevision, 0);
  clock.step(5 * MINUTE);
  assert.equal(log.compactedRevision, first);
  clock.step(5 * MINUTE);
  assert.equal(log.compactedRevision, second);
});

Deno.test("Compactor keeps the recent history of a restored log", () => {
  const log = new RevisionLog();
  const clock = new FakeClock();
  using _compactor = new Compactor(log, clock);
  const snapshot = log.snapshot();
  for (let write = 0; write < 9; write++) putObject(log, "pods.", "a/x");
  clock.step(5 * MINUTE);
  log.restore(snapshot, "keep");
  const first = putObject(log, "pods.", "a/x");
  clock.step(5 * MINUTE);
  assert.equal(log.compactedRevision, snapshot.revision);
  putObject(log, "pods.", "a/x");
  clock.step(5 * MINUTE);
  assert.equal(log.compactedRevision, first);
});

Deno.test("Compactor drops the oldest history beyond the size limit at once", () => {
  const log = new RevisionLog();
  using _compactor = new Compactor(log, new FakeClock(), 64 * 1024);
  for (let write = 0; write < 1000; write++) {
    putObject(log, "pods.", "a/x", KILOBYTE);
    const kept = log.revision - Math.max(log.compactedRevision, 1);
    assert(kept <= 64, `${kept} writes are kept`);
    if (write >= 60) assert(kept >= 40, `${kept} writes are kept`);
  }
  assert(log.liveBytes < 80 * 1024);
  assert.equal(log.collection("pods.").get("a/x")!.revision, log.revision);
});

Deno.test("Compactor counts creations little and deletions in full", () => {
  const log = new RevisionLog();
  using _compactor = new Compactor(log, new FakeClock(), 64 * 1024);
  for (let write = 0; write < 200; write++) putObject(log, "pods.", `a/${write}`, KILOBYTE);
  assert.equal(log.compactedRevision, 0);
  for (let write = 0; write < 50; write++) deleteObject(log, "pods.", `a/${write}`);
  assert(log.compactedRevision > 0);
});

Deno.test("Compactor does not count history that was compacted elsewhere", () => {
  const log = new RevisionLog();
  using _compactor = new Compactor(log, new FakeClock(), 64 * 1024);
  for (let write = 0; write < 45; write++) putObject(log, "pods.", "a/x", KILOBYTE);
  log.compact(log.revision);
  const { compactedRevision } = log;
  for (let write = 0; write < 45; write++) putObject(log, "pods.", "a/x", KILOBYTE);
  assert.equal(log.compactedRevision, compactedRevision);
});

Deno.test("Compactor limits the history of a restored log", () => {
  const log = new RevisionLog();
  using _compactor = new Compactor(log, new FakeClock(), 64 * 1024);
  putObject(log, "pods.", "a/x", KILOBYTE);
  const snapshot = log.snapshot();
  for (let round = 0; round < 3; round++) {
    for (let write = 0; write < 200; write++) putObject(log, "pods.", "a/x", KILOBYTE);
    assert(log.liveBytes < 80 * 1024);
    assert(log.compactedRevision > snapshot.revision);
    log.restore(snapshot, "keep");
  }
});
