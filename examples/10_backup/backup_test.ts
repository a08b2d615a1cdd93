/**
 * Tests of the backups by schedule, and of failures of the database and the store.
 *
 * @module
 */
import assert from "node:assert/strict";
import { findCondition } from "@xca/operator/meta";
import { days, NAMES, Rig } from "./test_rig.ts";
import type { Fault } from "./test_server.ts";

Deno.test("example 10: backups follow the time zone, are verified, and as many as asked for are kept", async () => {
  await using rig = await Rig.start();
  await days(rig, 1, 3);
  // There is no 2:30 on the day on which the clocks are set forward.
  await rig.has([NAMES[2]!, NAMES[1]!]);
  const database = await rig.get();
  assert.deepEqual(rig.outside.names(), [NAMES[1], NAMES[2]]);
  assert.deepEqual([...rig.outside.stored.values()].sort(), ["day 2", "day 3"]);
  assert.equal(findCondition(database.status?.conditions, "Ready")?.status, "True");
  assert.equal((await rig.reasons()).filter((reason) => reason === "BackedUp").length, 3);
});

for (const on of ["GET database", "PUT store", "GET store"]) {
  for (
    const fault of ["refuse", "cut", "hang", ...on === "GET store" ? ["damage"] : []] as Fault[]
  ) {
    if (on === "PUT store" && fault === "cut") continue; // its response has no body
    Deno.test(`example 10: ${on} fails (${fault}): nothing is deleted, and the backup is made later`, async () => {
      await using rig = await Rig.start({ keep: 1 });
      await days(rig, 1, 1);
      rig.outside.faults.push({ on, fault });
      rig.outside.data = "day 2";
      await rig.jump(new Date(Date.parse(NAMES[1]!) + 5000));
      await rig.has([NAMES[1]!]);
      assert.deepEqual(rig.outside.faults, []);
      assert.deepEqual(rig.outside.names(), [NAMES[1]]);
      assert((await rig.reasons()).includes("RequestFailed"));
    });
  }
}

Deno.test("example 10: a backup that never verifies counts for nothing, and makes way for the next", async () => {
  await using rig = await Rig.start({ keep: 1 });
  await days(rig, 1, 1);
  for (let tries = 0; tries < 5000; tries++) {
    rig.outside.faults.push({ on: "GET store", fault: "damage" });
  }
  await rig.jump(new Date(Date.parse(NAMES[1]!) + 5000));
  await rig.isDegraded("RequestFailed");
  await rig.has([NAMES[0]!]);
  assert.deepEqual(rig.outside.names(), [NAMES[0], NAMES[1]]);
  rig.outside.faults.length = 0;
  await days(rig, 3, 3);
  await rig.has([NAMES[2]!]);
  assert.deepEqual(rig.outside.names(), [NAMES[2]]);
});

Deno.test("example 10: a schedule that cannot be used is named in the condition", async () => {
  await using rig = await Rig.start({ timeZone: "Mars/Olympus" });
  await rig.isDegraded("InvalidSchedule");
});
