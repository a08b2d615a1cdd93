/**
 * Tests of the WebApps in a simulated cluster in process, on virtual time.
 *
 * @module
 */
import assert from "node:assert/strict";
import { ConfigMap, Deployment, mergePatch, Service } from "@xca/operator";
import { EndpointSlice, findCondition, HorizontalPodAutoscaler, Ingress } from "@xca/operator/meta";
import { isNotFound } from "@xca/operator/client";
import { WebApp } from "./app.ts";
import { KEY, Rig } from "./test_rig.ts";

const TYPES = [ConfigMap, Deployment, Service, HorizontalPodAutoscaler, Ingress];

/** Returns the kinds of the children that exist. */
async function childrenOf(rig: Rig): Promise<string[]> {
  const kinds: string[] = [];
  for (const type of TYPES) {
    try {
      await rig.cluster.client.get(type as typeof Deployment, KEY);
      kinds.push(type.kind);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return kinds;
}

Deno.test("example 12: one object gives an application that is reached, and its settings", async () => {
  await using rig = await Rig.start({ replicas: 2, settings: { COLOUR: "blue" } });
  const { client } = rig.cluster;
  assert.deepEqual(await childrenOf(rig), ["ConfigMap", "Deployment", "Service"]);
  assert.deepEqual((await client.get(ConfigMap, KEY)).data, { COLOUR: "blue" });
  const { status } = await rig.app();
  assert.deepEqual([status?.url, status?.available], ["http://web.default.svc/", 2]);
  assert.equal(await rig.reason("Ready"), "Available");
  const { items } = await client.list(EndpointSlice, { namespace: "default" });
  const slice = items.find(({ metadata }) =>
    metadata.labels?.["kubernetes.io/service-name"] === "web"
  );
  assert.equal(slice?.endpoints?.length, 2);
});

Deno.test("example 12: other settings start other pods, and an image that never starts is named", async () => {
  await using rig = await Rig.start({ replicas: 2, settings: { COLOUR: "blue" } });
  const names = async (): Promise<string[]> =>
    (await rig.cluster.pods()).map(({ metadata }) => metadata!.name!);
  const before = await names();
  await rig.set({ settings: { COLOUR: "red" } });
  await rig.cluster.pass(10);
  assert((await names()).every((name) => !before.includes(name)), "all pods are new");
  await rig.set({ image: "missing:1" });
  await rig.cluster.pass(700); // the progress deadline of Deployments is ten minutes
  assert.equal(await rig.reason("Degraded"), "RolloutStuck");
  assert.equal((await rig.app()).status?.available, 2, "the old pods go on");
  await rig.set({ image: "web:2" });
  await rig.cluster.pass(20);
  assert.equal(await rig.reason("Ready"), "Available");
});

Deno.test("example 12: an autoscaler takes over where the replicas are, and leaves when it is no longer asked for", async () => {
  await using rig = await Rig.start({ replicas: 5 });
  const replicas = async (): Promise<number | undefined> =>
    (await rig.cluster.client.get(Deployment, KEY)).spec?.replicas;
  await rig.set({ scale: { minimum: 2, maximum: 8, cpuPercent: 50 } });
  await rig.cluster.pass(1);
  assert.equal(await replicas(), 5, "nothing stops at once");
  await rig.cluster.pass(600);
  assert.equal(await replicas(), 2, "the pods do nothing");
  rig.busy = true;
  await rig.cluster.pass(120);
  assert.equal(await replicas(), 8);
  await rig.set({ image: "web:2" });
  await rig.cluster.pass(10);
  assert.equal(await replicas(), 8, "a new image keeps the autoscaler's number");
  await rig.set({ scale: null as never, replicas: 3 });
  await rig.cluster.pass(10);
  assert.equal(await replicas(), 3);
  assert(!(await childrenOf(rig)).includes("HorizontalPodAutoscaler"));
});

Deno.test("example 12: an Ingress is there while a host is asked for", async () => {
  await using rig = await Rig.start({ host: "web.example.org" });
  const { spec } = await rig.cluster.client.get(Ingress, KEY);
  assert.equal(spec?.rules?.[0]?.host, "web.example.org");
  assert.equal((await rig.app()).status?.url, "http://web.example.org/");
  await rig.set({ host: null as never });
  await rig.cluster.pass(2);
  assert(!(await childrenOf(rig)).includes("Ingress"));
});

Deno.test("example 12: what somebody changes or deletes is repaired, and a run without need writes nothing", async () => {
  await using rig = await Rig.start();
  const { client } = rig.cluster;
  await client.patch(Deployment, KEY, mergePatch({ spec: { replicas: 7 } }));
  await client.delete(Service, KEY);
  await rig.cluster.pass(5);
  assert.equal((await client.get(Deployment, KEY)).spec?.replicas, 1);
  assert((await childrenOf(rig)).includes("Service"));
  const before = rig.process.steps.length;
  await client.patch(WebApp, KEY, mergePatch({ metadata: { labels: { seen: "yes" } } }));
  await rig.cluster.pass(60);
  assert.deepEqual(rig.process.steps.slice(before), []);
});

Deno.test("example 12: an object of somebody else is never taken, and is named in the condition", async () => {
  await using rig = await Rig.create();
  const { client } = rig.cluster;
  await client.create(ConfigMap, {
    metadata: { name: "web", namespace: "default" },
    data: { mine: "yes" },
  });
  await rig.deploy({ settings: { COLOUR: "blue" } });
  assert.equal(await rig.reason("Degraded"), "NameTaken");
  assert.match(
    findCondition((await rig.app()).status?.conditions, "Degraded")!.message,
    /ConfigMap/,
  );
  assert.deepEqual((await client.get(ConfigMap, KEY)).data, { mine: "yes" });
  await client.delete(ConfigMap, KEY);
  await rig.cluster.pass(70);
  assert.equal(await rig.reason("Ready"), "Available");
});

Deno.test("example 12: everything is gone when the lifetime is over, and stays gone", async () => {
  await using rig = await Rig.start({ lifetimeSeconds: 3600 });
  await rig.cluster.pass(3500);
  assert.equal(await rig.reason("Ready"), "Available");
  await rig.cluster.pass(120);
  assert.deepEqual(await childrenOf(rig), []);
  assert.deepEqual(await rig.cluster.pods(), []);
  assert.equal(await rig.reason("Degraded"), "Expired");
  assert.equal((await rig.app()).status?.url, undefined);
});

Deno.test("example 12: a WebApp whose scale is impossible is refused", async () => {
  await using rig = await Rig.create();
  await assert.rejects(
    rig.deploy({ scale: { minimum: 3, maximum: 2, cpuPercent: 50 } }),
    /the minimum must not be above the maximum/,
  );
});
