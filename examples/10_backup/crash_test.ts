/**
 * Test of a crash of the operator at each of its writes and requests.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mergePatch } from "@xca/operator";
import { type Crash, crashesAt } from "@xca/operator/testing";
import { Database } from "./database.ts";
import { days, KEY, NAMES, Rig } from "./test_rig.ts";

Deno.test("example 10: a crash at any write or request leads to the same backups", async () => {
  const play = async (crash?: Crash): Promise<readonly string[]> => {
    await using rig = await Rig.start({ keep: 1 }, crash);
    await days(rig, 1, 2);
    await rig.client.patch(Database, KEY, mergePatch({ spec: { restore: NAMES[1] } }));
    const what = `after a crash ${crash?.moment} step ${crash?.step}`;
    await rig.becomes(async () => (await rig.get()).status?.restored, NAMES[1], what);
    await rig.has([NAMES[1]!], what);
    await rig.pass(10);
    const database = await rig.get();
    assert.deepEqual([...rig.outside.stored.values()], ["day 2"], what);
    assert.deepEqual(
      [database.status?.attempt, database.status?.restored],
      [undefined, NAMES[1]],
      what,
    );
    return rig.process.steps;
  };
  const steps = await play();
  assert(steps.length > 12, `${steps.length} steps`);
  for (const crash of crashesAt(steps)) await play(crash);
});
