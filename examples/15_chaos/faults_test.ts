/**
 * Tests of the faults, and of the restoration of harmed pods.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mergePatch, Pod } from "@xca/operator";
import { isConditionTrue } from "@xca/operator/meta";
import { Chaos } from "./chaos.ts";
import { NAME, Rig } from "./test_rig.ts";

const SCRIPT = "kubelet.xca.k8s.kb.cx/script";

Deno.test("example 15: a round kills as many pods as it may, and records the recovery", async () => {
  await using rig = await Rig.start({ maximum: 3, percentage: 50 });
  const before = (await rig.pods()).map(({ metadata }) => metadata!.uid);
  await rig.until(5);
  const after = (await rig.pods()).map(({ metadata }) => metadata!.uid);
  assert.equal(after.length, 4);
  assert.equal(after.filter((uid) => !before.includes(uid)).length, 2, "half of four pods");
  const { status } = await rig.chaos();
  const [record] = status?.history ?? [];
  assert.deepEqual([record?.outcome, record?.fault, record?.pods.length], ["Recovered", "kill", 2]);
  assert(record!.seconds! <= 5, `recovered after ${record?.seconds} s`);
  assert.equal(status?.round, undefined);
  assert(isConditionTrue(status?.conditions, "Ready"));
  assert.equal((await rig.cluster.notes("PodHarmed")).length, 2);
  assert.equal((await rig.cluster.notes("Chaos")).length, 2, "an event about each pod");
  assert.equal((await rig.cluster.notes("Recovered")).length, 1);
});

Deno.test("example 15: a frozen pod gets no requests until its time is up, then its script is as before", async () => {
  await using rig = await Rig.start({ fault: "freeze" });
  const script = JSON.stringify({ app: { logs: ["hello"] } });
  for (const { metadata } of await rig.pods()) {
    const annotations = { [SCRIPT]: script };
    await rig.cluster.client.patch(
      Pod,
      `default/${metadata!.name}`,
      mergePatch({ metadata: { annotations } }),
    );
  }
  await rig.until(5);
  assert.deepEqual([(await rig.harmed()).length, await rig.ready()], [1, 3]);
  assert.equal((await rig.chaos()).status?.round?.victims.length, 1);
  await rig.until(15);
  assert.equal(await rig.ready(), 3);
  await rig.until(22);
  assert.deepEqual([await rig.harmed(), await rig.ready()], [[], 4]);
  for (const { metadata } of await rig.pods()) {
    assert.deepEqual(metadata?.annotations, { [SCRIPT]: script });
  }
  const [record] = (await rig.chaos()).status?.history ?? [];
  assert.equal(record?.outcome, "Recovered");
  assert(record!.seconds! >= 20);
});

Deno.test("example 15: a slow pod stays ready, and takes long to stop", async () => {
  await using rig = await Rig.start({ fault: "slow", seconds: 50 });
  await rig.until(5);
  const [slow] = await rig.harmed();
  assert.equal(await rig.ready(), 4);
  await rig.cluster.client.delete(Pod, `default/${slow}`);
  await rig.pass(15);
  assert((await rig.pods()).some(({ metadata }) => metadata?.name === slow), "it still stops");
  await rig.pass(8);
  assert(!(await rig.pods()).some(({ metadata }) => metadata?.name === slow));
  await rig.until(55);
  assert.equal((await rig.chaos()).status?.history?.[0]?.outcome, "Recovered");
});

Deno.test("example 15: annotations that are no JSON block neither a fault nor its end", async () => {
  await using rig = await Rig.start({ fault: "freeze" });
  for (const { metadata } of await rig.pods()) {
    const annotations = { [SCRIPT]: "{ broken" };
    const key = `default/${metadata!.name}`;
    await rig.cluster.client.patch(Pod, key, mergePatch({ metadata: { annotations } }));
  }
  await rig.until(5);
  const [name] = await rig.harmed();
  assert.equal(await rig.ready(), 3);
  const annotations = { "chaos.example.org/before": "[" };
  await rig.cluster.client.patch(Pod, `default/${name}`, mergePatch({ metadata: { annotations } }));
  await rig.cluster.client.delete(Chaos, NAME);
  await rig.pass(3);
  assert.deepEqual(await rig.harmed(), []);
  assert.deepEqual((await rig.cluster.client.list(Chaos)).items, []);
});
