import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { DataFileError } from "./frame.ts";
import { Journal } from "./journal.ts";
import { RevisionLog } from "./revision_log.ts";
import { contentsOf, deleteObject, MemoryFiles, putObject } from "./memory_files_test.ts";

const PATH = "data";

async function reopen(bytes: Uint8Array): Promise<RevisionLog> {
  const files = new MemoryFiles();
  files.contents.set(PATH, bytes);
  const log = new RevisionLog();
  const journal = await Journal.open(PATH, log, files);
  await journal.close();
  return log;
}

Deno.test("Journal restores all writes after a regular stop, and revisions continue", async () => {
  const files = new MemoryFiles();
  const log = new RevisionLog();
  const journal = await Journal.open(PATH, log, files);
  putObject(log, "pods.", "a/x", "é");
  putObject(log, "pods.", "a/y");
  deleteObject(log, "pods.", "a/y");
  await journal.close();
  const again = await reopen(files.contents.get(PATH)!);
  assert.deepEqual(contentsOf(again), contentsOf(log));
  assert.equal(again.revision, log.revision);
  assert.equal(again.compactedRevision, log.revision);
});

Deno.test("Journal names the file that cannot be read or truncated, and releases its lock", async () => {
  const files = new MemoryFiles();
  for (const failing of ["readAll", "truncate"]) {
    files.beforeStep = (step) => {
      if (step === failing) throw new Error("Input/output error (os error 5)");
    };
    await assert.rejects(Journal.open(PATH, new RevisionLog(), files), (error) => {
      assert(error instanceof DataFileError);
      assert.match(error.message, /^Cannot open the data file "data": Input\/output error/);
      return true;
    });
  }
  files.beforeStep = () => {};
  await (await Journal.open(PATH, new RevisionLog(), files)).close();
});

Deno.test("Journal continues the revisions after a stop that rewrites the file", async () => {
  const files = new MemoryFiles();
  const log = new RevisionLog();
  const journal = await Journal.open(PATH, log, files);
  const steps: string[] = [];
  files.beforeStep = (step) => steps.push(step);
  for (let round = 0; round < 40; round++) putObject(log, "pods.", "a/x", "x".repeat(600_000));
  log.compact(log.revision);
  await journal.close();
  assert(steps.includes("replace"), "the last flush rewrites the file");
  assert.equal((await reopen(files.contents.get(PATH)!)).revision, log.revision);
});

Deno.test("Journal never reuses a revision after a crash", async () => {
  const files = new MemoryFiles();
  const log = new RevisionLog();
  const journal = await Journal.open(PATH, log, files);
  putObject(log, "pods.", "a/x");
  await journal.durable();
  const crashed = files.contents.get(PATH)!;
  // A watcher saw this write, which never reached the disk.
  const seen = putObject(log, "pods.", "a/y");
  assert.ok((await reopen(crashed)).revision > seen);
  await journal.close();
});

Deno.test("Journal restores everything acknowledged from a file cut at any byte", async () => {
  const files = new MemoryFiles();
  const log = new RevisionLog();
  const journal = await Journal.open(PATH, log, files);
  /** The acknowledged state of the storage for each length of its data file. */
  const states: [number, Record<string, string>][] = [];
  const note = (): void => void states.push([files.contents.get(PATH)!.length, contentsOf(log)]);
  note();
  for (let step = 0; step < 8; step++) {
    putObject(log, "pods.", `a/${step % 3}`, "x".repeat(step));
    if (step === 5) deleteObject(log, "pods.", "a/1");
    await journal.durable();
    note();
  }
  const bytes = files.contents.get(PATH)!;
  const [first] = states[0]!;
  for (let length = first; length <= bytes.length; length++) {
    const [, state] = states.findLast(([least]) => least <= length)!;
    assert.deepEqual(contentsOf(await reopen(bytes.slice(0, length))), state, `${length} bytes`);
  }
  await journal.close();
});

Deno.test("Journal truncates an incomplete last frame", async () => {
  const files = new MemoryFiles();
  const log = new RevisionLog();
  const journal = await Journal.open(PATH, log, files);
  putObject(log, "pods.", "a/x");
  await journal.durable();
  const whole = contentsOf(log);
  const at = files.contents.get(PATH)!.length;
  putObject(log, "pods.", "a/y");
  await journal.durable();
  const bytes = files.contents.get(PATH)!.slice();
  for (let index = at; index < bytes.length; index++) {
    const torn = bytes.slice();
    torn[index]! ^= 0xff;
    assert.deepEqual(contentsOf(await reopen(torn)), whole, `byte ${index}`);
  }
  await journal.close();
});

Deno.test("Journal refuses a file that is damaged before its end", async () => {
  const files = new MemoryFiles();
  const log = new RevisionLog();
  const journal = await Journal.open(PATH, log, files);
  putObject(log, "pods.", "a/x");
  await journal.durable();
  const end = files.contents.get(PATH)!.length;
  putObject(log, "pods.", "a/y");
  await journal.durable();
  const bytes = files.contents.get(PATH)!;
  for (let index = 0; index < end; index++) {
    const damaged = bytes.slice();
    damaged[index]! ^= 0x10;
    await assert.rejects(reopen(damaged), DataFileError, `byte ${index}`);
  }
  await journal.close();
});

Deno.test("Journal refuses and preserves a file of another format", async () => {
  const files = new MemoryFiles();
  const text = new TextEncoder().encode(
    "groceries: [bread, milk, and something for the evening]\n",
  );
  files.contents.set(PATH, text);
  await assert.rejects(Journal.open(PATH, new RevisionLog(), files), /it is not a data file/);
  assert.deepEqual(files.contents.get(PATH), text);
});

Deno.test("Journal treats a file of zeros as a new one", async () => {
  assert.deepEqual(contentsOf(await reopen(new Uint8Array(300))), {});
});

Deno.test("Journal locks its file", async () => {
  const files = new MemoryFiles();
  const first = await Journal.open(PATH, new RevisionLog(), files);
  await assert.rejects(Journal.open(PATH, new RevisionLog(), files), /another process/);
  await first.close();
  await (await Journal.open(PATH, new RevisionLog(), files)).close();
});

Deno.test("Journal syncs many writes at once", async () => {
  const files = new MemoryFiles();
  const log = new RevisionLog();
  const journal = await Journal.open(PATH, log, files);
  let syncs = 0;
  files.beforeStep = (step) => void (step === "sync" && syncs++);
  await Promise.all(Array.from({ length: 100 }, (_, index) => {
    putObject(log, "pods.", `a/${index}`);
    return journal.durable();
  }));
  assert.ok(syncs <= 2, `${syncs} syncs`);
  await journal.close();
});

Deno.test("Journal acknowledges no write after a disk failure", async () => {
  const files = new MemoryFiles();
  const log = new RevisionLog();
  const journal = await Journal.open(PATH, log, files);
  files.beforeStep = () => {
    throw new Error("the disk is full");
  };
  putObject(log, "pods.", "a/x");
  journal.checkWorking();
  await assert.rejects(journal.durable(), /data file data: the disk is full/);
  assert.throws(() => journal.checkWorking(), /the disk is full/);
  files.beforeStep = () => {};
  putObject(log, "pods.", "a/y");
  await assert.rejects(journal.durable(), /the disk is full/);
  await assert.rejects(journal.close(), /the disk is full/);
});

Deno.test("Journal rewrites a mostly outdated file, and a crash at any step loses nothing", async () => {
  const seed = 7;
  const random = seededRandom(seed);
  const files = new MemoryFiles();
  const log = new RevisionLog();
  const journal = await Journal.open(PATH, log, files);
  let replaced = 0;
  let acknowledged: Record<string, string> = {};
  const crashes: [Uint8Array, Record<string, string>][] = [];
  files.beforeStep = (step) => {
    if (step === "replace") replaced++;
    crashes.push([files.contents.get(PATH)!, acknowledged]);
  };
  for (let step = 0; step < 60; step++) {
    const size = 600_000 + Math.floor(random.next() * 1000);
    putObject(log, "pods.", `a/${step % 2}`, "x".repeat(size));
    log.compact(log.revision);
    await journal.durable();
    acknowledged = contentsOf(log);
  }
  await journal.close();
  assert.ok(replaced > 0, "it was written anew");
  assert.ok(files.contents.get(PATH)!.length < 30_000_000);
  for (const [bytes, state] of crashes.slice(-9)) {
    const found = contentsOf(await reopen(bytes));
    for (const key of Object.keys(state)) assert.ok(key in found, `seed ${seed}: ${key}`);
  }
});
