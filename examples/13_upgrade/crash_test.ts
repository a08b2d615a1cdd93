/**
 * Test of a crash of the operator at each of its writes.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Crash, crashesAt } from "@xca/operator/testing";
import { type Fault, Rig } from "./test_rig.ts";

/**
 * The operator's writes during an upgrade, and the number of those that installed the first
 * version.
 */
interface Writes {
  readonly all: readonly string[];
  readonly installed: number;
}

/** Plays an upgrade with a crash; returns the operator's writes. */
async function play(faults: readonly Fault[], crash?: Crash): Promise<Writes> {
  const what = `${faults}, crash ${crash?.moment} write ${crash?.step}`;
  await using rig = await Rig.start({ "1.1.0": faults }, {}, crash);
  await rig.settled("1.0.0");
  const installed = rig.process.steps.length;
  await rig.set({ version: "1.1.0" });
  const { status } = await rig.settled("1.1.0");
  const end = faults.length === 0 ? "1.1.0" : "1.0.0";
  assert.deepEqual([status?.version, status?.upgrades, rig.schema], [end, 2, end], what);
  assert.deepEqual(await rig.ready(), [end, end], what);
  return { all: rig.process.steps, installed };
}

/** Plays an upgrade with each of the crashes. */
async function playAll(faults: readonly Fault[], crashes: readonly Crash[]): Promise<void> {
  const next = crashes.values();
  await Promise.all(Array.from({ length: 8 }, async () => {
    for (const crash of next) await play(faults, crash);
  }));
}

Deno.test("example 13: a crash at any write of an installation and an upgrade leads to the same end", async () => {
  const { all } = await play([]);
  assert(all.length >= 10, all.join("\n"));
  await playAll([], crashesAt(all));
});

Deno.test("example 13: a crash at any write of an upgrade that is taken back leads to the same end", async () => {
  const { all, installed } = await play(["start"]);
  assert(all.length >= installed + 8, all.join("\n"));
  await playAll(["start"], crashesAt(all).filter(({ step }) => step > installed));
});
