import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import type { LogEvent } from "./collection.ts";
import { RevisionLog } from "./revision_log.ts";
import { contentsOf, deleteObject, putObject } from "./memory_files_test.ts";

Deno.test("RevisionLog assigns consecutive revisions across collections", () => {
  const log = new RevisionLog();
  const first = putObject(log, "pods.", "a/x");
  const second = putObject(log, "nodes.", "n");
  assert.equal(second, first + 1);
  assert.equal(log.revision, second);
});

Deno.test("RevisionLog notifies subscribers before a write returns", () => {
  const log = new RevisionLog();
  const heard: string[] = [];
  using _subscription = log.subscribe(({ type, key }) => heard.push(`${type} ${key}`));
  putObject(log, "pods.", "a/x");
  putObject(log, "pods.", "a/x", "more");
  deleteObject(log, "pods.", "a/x");
  assert.deepEqual(heard, ["ADDED a/x", "MODIFIED a/x", "DELETED a/x"]);
});

Deno.test("Collection.keys() returns the keys of a prefix in byte order", () => {
  const log = new RevisionLog();
  for (const key of ["b/x", "a-b/x", "a/y", "a/x", "ab/x"]) putObject(log, "pods.", key);
  const pods = log.collection("pods.");
  assert.deepEqual(pods.list("").map(({ key }) => key), ["a-b/x", "a/x", "a/y", "ab/x", "b/x"]);
  assert.deepEqual(pods.list("a/").map(({ key }) => key), ["a/x", "a/y"]);
  deleteObject(log, "pods.", "a/x");
  putObject(log, "pods.", "a/x2");
  assert.deepEqual(pods.list("a/").map(({ key }) => key), ["a/x2", "a/y"]);
});

Deno.test("Collection.listAt() returns any state that is not compacted", () => {
  const seed = 20260721;
  const random = seededRandom(seed);
  const log = new RevisionLog();
  const pods = log.collection("pods.");
  const states = new Map<number, string[]>();
  for (let step = 0; step < 300; step++) {
    const key = `a/${Math.floor(random.next() * 12)}`;
    if (pods.get(key) && random.next() < 0.4) deleteObject(log, "pods.", key);
    else putObject(log, "pods.", key, String(step));
    states.set(log.revision, pods.list("").map((object) => object.text()));
  }
  for (const [revision, texts] of states) {
    const then = pods.listAt("a/", revision);
    assert.deepEqual(then.map((object) => object.text()), texts, `seed ${seed}, ${revision}`);
    for (const object of then) {
      assert.equal(pods.getAt(object.key, revision)?.revision, object.revision);
    }
  }
});

Deno.test("Collection.eventsAfter() returns the events after any revision that is not compacted", () => {
  const log = new RevisionLog();
  const from = putObject(log, "pods.", "a/x");
  putObject(log, "pods.", "a/y");
  putObject(log, "nodes.", "n");
  deleteObject(log, "pods.", "a/x");
  const told = (events: readonly LogEvent[]): string[] => events.map((event) => event.type);
  assert.deepEqual(told(log.collection("pods.").eventsAfter(from)), ["ADDED", "DELETED"]);
  log.compact(from + 1);
  assert.equal(log.compactedRevision, from + 1);
  assert.deepEqual(told(log.collection("pods.").eventsAfter(from + 1)), ["DELETED"]);
});

Deno.test("compaction frees memory and keeps current objects", () => {
  const log = new RevisionLog();
  const text = "x".repeat(10_000);
  for (let round = 0; round < 50; round++) {
    for (let key = 0; key < 20; key++) putObject(log, "pods.", `a/${key}`, text);
  }
  const before = contentsOf(log);
  const reserved = log.reservedBytes;
  log.compact(log.revision);
  assert.deepEqual(contentsOf(log), before);
  assert.ok(log.liveBytes < 20 * 11_000, `${log.liveBytes} bytes live`);
  assert.ok(log.reservedBytes < reserved / 2, `${log.reservedBytes} of ${reserved} bytes`);
});

Deno.test("Arena counts the memory that it holds", () => {
  const log = new RevisionLog();
  const least = log.reservedBytes;
  for (let round = 0; round < 20; round++) {
    putObject(log, "pods.", "a/large", "x".repeat(400_000));
    log.compact(log.revision);
  }
  deleteObject(log, "pods.", "a/large");
  log.compact(log.revision);
  assert.equal(log.reservedBytes, least);
});

Deno.test("a referenced object stays readable after its release", () => {
  const log = new RevisionLog();
  putObject(log, "pods.", "a/x", "first");
  const held = log.collection("pods.").get("a/x")!;
  for (let round = 0; round < 200; round++) {
    putObject(log, "pods.", "a/x", "y".repeat(20_000));
    log.compact(log.revision);
  }
  assert.equal(held.tree().data, "first");
});

Deno.test("Arena packs texts outside of ASCII and texts larger than a chunk", () => {
  const log = new RevisionLog();
  const long = "ä€😀".repeat(300_000);
  putObject(log, "pods.", "a/long", long);
  putObject(log, "pods.", "a/short", "é");
  const pods = log.collection("pods.");
  assert.equal(pods.get("a/long")!.tree().data, long);
  assert.equal(pods.get("a/short")!.tree().data, "é");
});

Deno.test("RevisionLog.restore() with bump writes the differences", () => {
  const log = new RevisionLog();
  putObject(log, "pods.", "a/stays");
  putObject(log, "pods.", "a/goes");
  putObject(log, "pods.", "a/changes", "1");
  const snapshot = log.snapshot();
  deleteObject(log, "pods.", "a/goes");
  putObject(log, "pods.", "a/changes", "2");
  putObject(log, "pods.", "a/new");
  const revision = log.revision;
  const heard: string[] = [];
  using _subscription = log.subscribe(({ type, key }) => heard.push(`${type} ${key}`));
  log.restore(snapshot);
  assert.deepEqual(heard.sort(), ["ADDED a/goes", "DELETED a/new", "MODIFIED a/changes"]);
  assert.equal(log.revision, revision + 3);
  assert.equal(log.collection("pods.").get("a/changes")!.tree().data, "1");
});

Deno.test("RevisionLog.restore() with keep restores revisions and ends watches", () => {
  const log = new RevisionLog();
  putObject(log, "pods.", "a/x", "1");
  const snapshot = log.snapshot();
  const before = contentsOf(log);
  putObject(log, "pods.", "a/x", "2");
  putObject(log, "pods.", "a/y");
  let resets = 0;
  using _reset = log.onReset(() => void resets++);
  log.restore(snapshot, "keep");
  assert.deepEqual(contentsOf(log), before);
  assert.equal(log.revision, snapshot.revision);
  assert.equal(log.compactedRevision, snapshot.revision);
  assert.equal(resets, 1);
});

for (const revisions of ["keep", "bump"] as const) {
  Deno.test(`RevisionLog.restore() with ${revisions} restores a snapshot whose revision was assigned again`, () => {
    const log = new RevisionLog();
    const first = log.snapshot();
    putObject(log, "pods.", "a/x", "1");
    const second = log.snapshot();
    log.restore(first, "keep");
    putObject(log, "pods.", "a/x", "2");
    const heard: string[] = [];
    using _subscription = log.subscribe(({ type, key }) => heard.push(`${type} ${key}`));
    log.restore(second, revisions);
    assert.equal(log.collection("pods.").get("a/x")!.tree().data, "1");
    assert.deepEqual(heard, ["MODIFIED a/x"]);
  });
}
