/**
 * Tests of the restore of verified backups, and of the deletion of their Database.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mergePatch } from "@xca/operator";
import { Database } from "./database.ts";
import { days, KEY, NAMES, Rig } from "./test_rig.ts";

Deno.test("example 10: a restore loads a verified backup once, and never a damaged one", async () => {
  await using rig = await Rig.start({ keep: 2 });
  await days(rig, 1, 2);
  rig.outside.data = "lost";
  const set = (restore: string | null): Promise<Database> =>
    rig.client.patch(Database, KEY, mergePatch({ spec: { restore } }));
  await set("no such backup");
  await rig.isDegraded("NoSuchBackup");
  assert.equal(rig.outside.data, "lost");
  rig.outside.faults.push({ on: "GET store", fault: "damage" });
  await set(NAMES[0]!);
  await rig.becomes(async () => (await rig.get()).status?.restored, NAMES[0]);
  assert.equal(rig.outside.data, "day 1");
  rig.outside.data = "newer";
  await rig.pass(60);
  assert.equal(rig.outside.data, "newer", "restored once");
});

Deno.test("example 10: a Database with the policy Delete takes its backups with it, another leaves them", async () => {
  for (const deletionPolicy of ["Delete", "Retain"] as const) {
    await using rig = await Rig.start({ deletionPolicy });
    await days(rig, 1, 2);
    rig.outside.faults.push({ on: "DELETE store", fault: "refuse" });
    await rig.client.delete(Database, KEY);
    await rig.becomes(async () => (await rig.client.list(Database)).items.length, 0);
    assert.equal(rig.outside.names().length, deletionPolicy === "Delete" ? 0 : 2);
  }
});
