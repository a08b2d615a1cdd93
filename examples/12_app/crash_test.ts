/**
 * Test of a crash of the operator at each of its writes.
 *
 * @module
 */
import assert from "node:assert/strict";
import { ConfigMap, Deployment, Service } from "@xca/operator";
import { HorizontalPodAutoscaler, Ingress } from "@xca/operator/meta";
import { type Crash, crashesAt } from "@xca/operator/testing";
import { KEY, Rig } from "./test_rig.ts";

/** Plays the life of a WebApp with a crash; returns the operator's writes. */
async function play(crash?: Crash): Promise<readonly string[]> {
  const what = `crash ${crash?.moment} write ${crash?.step}`;
  await using rig = await Rig.create(crash);
  const { client } = rig.cluster;
  await rig.deploy({ settings: { COLOUR: "blue" }, host: "web.example.org" });
  await rig.pass(10);
  const scale = { minimum: 2, maximum: 4, cpuPercent: 50 };
  await rig.set({ settings: { COLOUR: "red" }, host: null as never, scale });
  await rig.pass(30);
  assert.deepEqual((await client.get(ConfigMap, KEY)).data, { COLOUR: "red" }, what);
  assert.equal((await client.get(Deployment, KEY)).status?.availableReplicas, 2, what);
  await client.get(Service, KEY);
  await client.get(HorizontalPodAutoscaler, KEY);
  assert.deepEqual((await client.list(Ingress)).items, [], what);
  assert.equal(await rig.reason("Ready"), "Available", what);
  return rig.process.steps;
}

Deno.test("example 12: a crash at any write leads to the same application", async () => {
  const writes = await play();
  assert(writes.length >= 10, writes.join("\n"));
  const crashes = crashesAt(writes).values();
  await Promise.all(Array.from({ length: 8 }, async () => {
    for (const crash of crashes) await play(crash);
  }));
});
