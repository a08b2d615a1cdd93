/**
 * Test of a crash of the operator at each of its writes.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Crash, type Fault, Rig } from "./test_rig.ts";

/** The operator's writes of an upgrade, and the number of those that installed the version before. */
interface Writes {
  readonly all: readonly string[];
  readonly installed: number;
}

/** Plays an upgrade with a crash. */
async function play(faults: readonly Fault[], crash: Crash): Promise<Writes> {
  const what = `${faults}, crash ${crash.moment} write ${crash.write}`;
  await using rig = await Rig.start({ "1.1.0": faults }, {}, crash);
  await rig.settled("1.0.0");
  const installed = rig.writes.length;
  await rig.set({ version: "1.1.0" });
  const { status } = await rig.settled("1.1.0");
  const end = faults.length === 0 ? "1.1.0" : "1.0.0";
  assert.deepEqual([status?.version, status?.upgrades, rig.schema], [end, 2, end], what);
  assert.deepEqual(await rig.ready(), [end, end], what);
  return { all: rig.writes, installed };
}

/** Plays an upgrade with a crash before and after each write from a number on. */
async function playAll(faults: readonly Fault[], first: number, last: number): Promise<void> {
  const crashes = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    .flatMap((write) => (["before", "after"] as const).map((moment) => ({ write, moment })))
    .values();
  await Promise.all(Array.from({ length: 8 }, async () => {
    for (const crash of crashes) await play(faults, crash);
  }));
}

Deno.test("example 13: a crash at any write of an installation and an upgrade leads to the same end", async () => {
  const { all } = await play([], { write: 0, moment: "before" });
  assert(all.length >= 10, all.join("\n"));
  await playAll([], 1, all.length);
});

Deno.test("example 13: a crash at any write of an upgrade that is taken back leads to the same end", async () => {
  const { all, installed } = await play(["start"], { write: 0, moment: "before" });
  assert(all.length >= installed + 8, all.join("\n"));
  await playAll(["start"], installed + 1, all.length);
});
