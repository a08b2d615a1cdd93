/**
 * Tests of rounds: the selection of pods by seed, recovery, and interruptions.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mergePatch } from "@xca/operator";
import { Chaos, type Fault } from "./chaos.ts";
import { NAME, Rig } from "./test_rig.ts";

Deno.test("example 15: the same seed and time choose the same pods, another seed others", async () => {
  const choices: string[] = [];
  for (const seed of [1, 1, 2, 3, 4]) {
    await using rig = await Rig.start({ fault: "freeze", seed });
    const names = (await rig.pods()).map(({ metadata }) => metadata!.name!).sort();
    await rig.until(5);
    choices.push((await rig.harmed()).map((name) => names.indexOf(name)).join());
  }
  assert.equal(choices[0], choices[1]);
  assert(new Set(choices).size > 1, choices.join(" "));
});

for (const how of ["suspended", "deleted"]) {
  Deno.test(`example 15: a Chaos that is ${how} restores its pods at once, and harms no more`, async () => {
    await using rig = await Rig.start({ fault: "freeze", seconds: 3000, maximum: 2 });
    await rig.until(5);
    assert.equal(await rig.ready(), 2);
    if (how === "suspended") await rig.set({ suspend: true });
    else await rig.cluster.client.delete(Chaos, NAME);
    await rig.pass(2);
    assert.deepEqual([await rig.harmed(), await rig.ready()], [[], 4]);
    await rig.pass(120);
    assert.equal(await rig.ready(), 4);
    if (how === "deleted") {
      return assert.deepEqual((await rig.cluster.client.list(Chaos)).items, []);
    }
    const { status } = await rig.chaos();
    assert.deepEqual(status?.history?.map(({ outcome }) => outcome), ["Stopped"]);
    await rig.set({ suspend: false, seconds: 10 });
    await rig.until(5);
    assert.equal(await rig.ready(), 2, "a new round has begun");
  });
}

for (const fault of ["kill", "freeze"] satisfies Fault[]) {
  Deno.test(`example 15: a Chaos that is suspended in the middle of a round (${fault}) harms no further pod`, async () => {
    await using rig = await Rig.start({ fault, maximum: 4 });
    const { client, clock } = rig.cluster;
    let harmed = 0;
    rig.onWrite = async (write) => {
      if (!write.includes(" pods/") || ++harmed > 1) return;
      await client.patch(Chaos, NAME, mergePatch({ spec: { suspend: true } }));
      for (let turn = 0; turn < 5; turn++) await clock.settle(); // until the cache shows it
    };
    await rig.until(5);
    // The second write is the restoration of the first pod.
    assert.equal(harmed, fault === "kill" ? 1 : 2);
    assert.deepEqual([await rig.harmed(), await rig.ready()], [[], 4]);
    assert.equal((await rig.chaos()).status?.history?.[0]?.outcome, "Stopped");
  });
}

Deno.test("example 15: a round that was missed for more than a minute is skipped", async () => {
  await using rig = await Rig.start({ schedule: "@hourly" });
  await rig.until(5);
  await rig.process.stop();
  rig.cluster.clock.setWallClock(new Date("2026-01-01T01:02:00Z"));
  rig.process.start();
  await rig.pass(5);
  const [record] = (await rig.chaos()).status?.history ?? [];
  assert.deepEqual([record?.outcome, record?.message], ["Skipped", "missed"]);
  assert.equal(await rig.ready(), 4);
});

/** Replaces the round of a Chaos while the operator is stopped. */
async function setRound(rig: Rig, agoSeconds: number, uid?: string): Promise<void> {
  await rig.process.stop();
  const [pod] = await rig.pods();
  const time = new Date(rig.cluster.clock.now().getTime() - agoSeconds * 1000);
  const at = time.toISOString().replace(/\.\d+/, "");
  const { name, uid: own } = pod!.metadata!;
  const victims = [{ pod: `default/${name}`, uid: uid ?? own!, done: false }];
  const round = { at, begun: at, fault: "freeze" as const, ready: 4, victims };
  await rig.cluster.client.patchStatus(Chaos, NAME, mergePatch({ status: { round } }));
  rig.process.start();
  await rig.pass(3);
}

Deno.test("example 15: a pod that was replaced under its name is left alone", async () => {
  await using rig = await Rig.start({ fault: "freeze", schedule: "@hourly" });
  await setRound(rig, 0, "uid-of-another-pod");
  assert.deepEqual(await rig.harmed(), []);
  assert.equal((await rig.chaos()).status?.history?.[0]?.outcome, "Recovered");
});

Deno.test("example 15: a round that was interrupted goes on within a minute, and never later", async () => {
  await using rig = await Rig.start({ fault: "freeze", schedule: "@hourly" });
  await setRound(rig, 5);
  assert.equal((await rig.harmed()).length, 1);
  await rig.pass(30);
  await setRound(rig, 70);
  assert.deepEqual(await rig.harmed(), []);
  const history = (await rig.chaos()).status?.history;
  assert.deepEqual(history?.map(({ outcome }) => outcome), ["Stopped", "Recovered"]);
});
