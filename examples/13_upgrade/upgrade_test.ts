/**
 * Tests of upgrades: completed ones, rolled back ones, and refused versions.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Deployment, mergePatch } from "@xca/operator";
import { findCondition, Job } from "@xca/operator/meta";
import { KEY, Rig } from "./test_rig.ts";

const reasonOf = async (rig: Rig, type: string): Promise<string | undefined> => {
  const condition = findCondition((await rig.shop()).status?.conditions, type);
  return condition?.status === "True" ? condition.reason : undefined;
};

Deno.test("example 13: the first version is installed on an empty schema, and later ones follow", async () => {
  await using rig = await Rig.start();
  await rig.settled("1.0.0");
  assert.equal(await reasonOf(rig, "Ready"), "Serving");
  for (const version of ["1.4.2", "2.0.0"]) {
    await rig.set({ version });
    await rig.settled(version);
    assert.deepEqual([rig.schema, await rig.ready()], [version, [version, version]]);
  }
  assert.deepEqual((await rig.cluster.client.list(Job)).items, [], "Jobs of the past are deleted");
  assert.equal((await rig.reasons()).filter((reason) => reason === "Upgraded").length, 3);
});

Deno.test("example 13: an upgrade whose migration fails is taken back, and is not tried again", async () => {
  await using rig = await Rig.start({ "1.1.0": ["up"] });
  await rig.settled("1.0.0");
  await rig.set({ version: "1.1.0" });
  const { status } = await rig.settled("1.1.0");
  assert.deepEqual([status?.version, rig.schema], ["1.0.0", "1.0.0"]);
  assert.match(status!.failed!.problem, /the migration failed: Job has reached/);
  assert.deepEqual(await rig.ready(), ["1.0.0", "1.0.0"]);
  assert.equal(await reasonOf(rig, "Degraded"), "UpgradeFailed");
  const { steps } = rig.process;
  const before = steps.length;
  await rig.pass(600);
  assert.deepEqual(steps.slice(before), []);
});

Deno.test("example 13: an upgrade whose pods are never ready is taken back after its time", async () => {
  await using rig = await Rig.start({ "1.1.0": ["start"] });
  await rig.settled("1.0.0");
  await rig.set({ version: "1.1.0" });
  const { status } = await rig.settled("1.1.0");
  assert.deepEqual([status?.version, rig.schema], ["1.0.0", "1.0.0"]);
  assert.equal(status?.failed?.problem, "its pods were not available after 30 s");
  assert.deepEqual(await rig.ready(), ["1.0.0", "1.0.0"]);
  await rig.set({ version: "1.2.0" });
  await rig.settled("1.2.0");
  assert.deepEqual([rig.schema, await rig.ready()], ["1.2.0", ["1.2.0", "1.2.0"]]);
  assert.equal(await reasonOf(rig, "Ready"), "Serving");
});

Deno.test("example 13: a migration that cannot be taken back stops everything, until its Job is deleted", async () => {
  const faults = { "1.1.0": ["up", "down"] as ("up" | "down")[] };
  await using rig = await Rig.start(faults);
  await rig.settled("1.0.0");
  await rig.set({ version: "1.1.0" });
  await rig.pass(200);
  assert.equal(await reasonOf(rig, "Degraded"), "RevertFailed");
  assert.deepEqual(await rig.ready(), []);
  assert.equal((await rig.reasons()).filter((reason) => reason === "RevertFailed").length, 1);
  faults["1.1.0"] = ["up"]; // the schema has been repaired by hand
  await rig.cluster.client.delete(Job, "default/shop-2-down");
  const { status } = await rig.settled("1.1.0");
  assert.equal(status?.version, "1.0.0");
  assert.deepEqual(await rig.ready(), ["1.0.0", "1.0.0"]);
});

Deno.test("example 13: a version that skips a major one, or is older, changes nothing", async () => {
  await using rig = await Rig.start();
  await rig.settled("1.0.0");
  for (
    const [version, message] of [
      ["3.0.0", "3.0.0 skips a major version after 1.0.0: upgrade to 2.x first"],
      ["0.9.9", "0.9.9 is older than 1.0.0: restore a backup to go back"],
    ] as const
  ) {
    await rig.set({ version });
    await rig.pass(30);
    const degraded = findCondition((await rig.shop()).status?.conditions, "Degraded");
    assert.deepEqual([degraded?.reason, degraded?.message], ["VersionRefused", message]);
    assert.deepEqual(await rig.ready(), ["1.0.0", "1.0.0"]);
  }
  await rig.set({ version: "1.0.0" });
  await rig.pass(5);
  assert.equal(await reasonOf(rig, "Ready"), "Serving");
});

Deno.test("example 13: another version during an upgrade waits for its end; before the migration it takes its place", async () => {
  await using rig = await Rig.start();
  await rig.settled("1.0.0");
  await rig.set({ version: "1.1.0" });
  while ((await rig.shop()).status?.upgrade?.phase !== "Migrating") await rig.pass(1);
  await rig.set({ version: "1.2.0" });
  await rig.settled("1.2.0");
  assert.deepEqual([rig.schema, await rig.ready()], ["1.2.0", ["1.2.0", "1.2.0"]]);
  assert((await rig.cluster.notes("Upgraded")).includes("1.1.0 serves"));
  await rig.set({ version: "1.3.0" });
  while ((await rig.shop()).status?.upgrade?.to !== "1.3.0") {
    await rig.cluster.clock.advance(1);
  }
  await rig.set({ version: "1.2.0" }); // the user has changed their mind
  await rig.pass(60);
  const { status } = await rig.shop();
  assert.deepEqual([status?.version, status?.upgrade], ["1.2.0", undefined]);
  assert.deepEqual([rig.schema, await rig.ready()], ["1.2.0", ["1.2.0", "1.2.0"]]);
});

Deno.test("example 13: a Shop at rest keeps its Deployment as it should be", async () => {
  await using rig = await Rig.start();
  await rig.settled("1.0.0");
  const containers = [{ name: "shop", image: "shop:6.6.6" }];
  const patch = mergePatch({ spec: { template: { spec: { containers } } } } as never);
  await rig.cluster.client.patch(Deployment, KEY, patch);
  const image = async (): Promise<string | undefined> =>
    (await rig.cluster.client.get(Deployment, KEY)).spec?.template.spec?.containers[0]?.image;
  await rig.cluster.pass(30);
  assert.equal(await image(), "shop:1.0.0");
});
