/**
 * Test of a crash of the operator at each of its writes.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Pod } from "@xca/operator";
import { type Crash, crashesAt } from "@xca/operator/testing";
import type { Fault } from "./chaos.ts";
import { Rig } from "./test_rig.ts";

/** Plays a round with a crash; returns the operator's writes. */
async function play(fault: Fault, crash?: Crash): Promise<readonly string[]> {
  const what = `${fault}, crash ${crash?.moment} write ${crash?.step}`;
  await using rig = await Rig.start({ fault, maximum: 2, schedule: "@hourly" }, crash);
  await rig.pass(12); // the finalizer, and a crash at it
  const before = (await rig.pods()).map(({ metadata }) => metadata!.uid);
  rig.cluster.clock.setWallClock(new Date("2026-01-01T01:00:00Z"));
  const { client } = rig.cluster;
  const labels = { at: "now" }; // has the operator look at the clock
  await client.patch(Pod, `default/${(await rig.pods())[0]!.metadata!.name}`, {
    type: "merge",
    body: { metadata: { labels } },
  });
  for (let second = 0; second < 45; second++) {
    await rig.pass(1);
    assert((await rig.ready()) >= 2, `${what}: no more than two pods are harmed`);
  }
  const { status } = await rig.chaos();
  assert.deepEqual(status?.history?.map(({ outcome }) => outcome), ["Recovered"], what);
  assert.equal(status?.history?.[0]?.pods.length, 2, what);
  assert.deepEqual(
    [await rig.harmed(), await rig.ready(), status?.round],
    [[], 4, undefined],
    what,
  );
  const after = (await rig.pods()).map(({ metadata }) => metadata!.uid);
  const replaced = after.filter((uid) => !before.includes(uid)).length;
  assert.equal(replaced, fault === "kill" ? 2 : 0, what);
  return rig.process.steps;
}

for (const fault of ["kill", "freeze"] satisfies Fault[]) {
  Deno.test(`example 15: a crash at any write of a round of ${fault} harms no further pod, and restores all`, async () => {
    const writes = await play(fault);
    assert(writes.length >= 5, writes.join("\n"));
    const crashes = crashesAt(writes).values();
    await Promise.all(Array.from({ length: 8 }, async () => {
      for (const crash of crashes) await play(fault, crash);
    }));
  });
}
