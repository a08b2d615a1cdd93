import assert from "node:assert/strict";
import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import { Node, Pod, PodDisruptionBudget, PriorityClass } from "@xca/apimachinery/meta";
import { mergePatch } from "../../client/typed/patch.ts";
import {
  type LivingCluster,
  livingCluster,
  podOf,
} from "../../../tests/support/in_process/living_cluster.ts";

async function nodeOf({ client }: LivingCluster, name: string): Promise<string | undefined> {
  return (await client.get(Pod, `default/${name}`)).spec?.nodeName;
}

async function problemOf({ client }: LivingCluster, name: string): Promise<string | undefined> {
  const { status } = await client.get(Pod, `default/${name}`);
  return status?.conditions?.find(({ type }) => type === "PodScheduled")?.message;
}

function requesting(name: string, requests: Record<string, string>): V1Pod {
  const resources = { requests, limits: requests };
  return podOf(name, { containers: [{ name: "app", image: "app:1", resources }] });
}

Deno.test("pods spread over the nodes", async () => {
  await using cluster = await livingCluster();
  for (const name of ["a", "b", "c"]) {
    await cluster.client.create(Pod, requesting(name, { cpu: "1" }));
    await cluster.pass(1);
  }
  const nodes = await Promise.all(["a", "b", "c"].map((name) => nodeOf(cluster, name)));
  assert.deepEqual(nodes.sort(), ["node-1", "node-2", "node-3"]);
});

Deno.test("a pod that fits no node says why, and is scheduled once it fits", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(Pod, requesting("large", { cpu: "40", "example.com/gpu": "1" }));
  await client.create(Pod, podOf("choosy", { nodeSelector: { disk: "ssd" } }));
  await cluster.pass(1);
  assert.equal(
    await problemOf(cluster, "large"),
    "0/3 nodes are available: 3 Insufficient cpu, 3 Insufficient example.com/gpu. preemption: " +
      "0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  );
  assert.equal(
    await problemOf(cluster, "choosy"),
    "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. preemption: " +
      "0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  );
  assert.equal((await cluster.notes("FailedScheduling")).length, 2);
  await client.patch(Node, "node-2", mergePatch({ metadata: { labels: { disk: "ssd" } } }));
  await cluster.pass(1);
  assert.equal(await nodeOf(cluster, "choosy"), "node-2");
});

Deno.test("cordoned and tainted nodes take only pods that tolerate it", async () => {
  await using cluster = await livingCluster({ nodes: 2 });
  const { client } = cluster;
  await client.patch(Node, "node-1", mergePatch({ spec: { unschedulable: true } }));
  const taints = [{ key: "team", value: "blue", effect: "NoSchedule" }];
  await client.patch(Node, "node-2", mergePatch({ spec: { taints } }));
  await cluster.pass(1);
  await client.create(Pod, podOf("any"));
  const tolerations = [{ key: "team", operator: "Equal", value: "blue", effect: "NoSchedule" }];
  await client.create(Pod, podOf("blue", { tolerations }));
  await cluster.pass(1);
  assert.equal(await nodeOf(cluster, "blue"), "node-2");
  assert.match(
    await problemOf(cluster, "any") ?? "",
    /^0\/2 nodes are available: 1 node\(s\) had untolerated taint\(s\), 1 node\(s\) were unschedulable\./,
  );
});

Deno.test("anti-affinity and spread constraints keep pods apart", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  const labelSelector = { matchLabels: { app: "db" } };
  const topologyKey = "kubernetes.io/hostname";
  const required = [{ labelSelector, topologyKey }];
  const affinity = {
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required },
  };
  for (const name of ["a", "b", "c", "d"]) {
    const pod = podOf(name, { affinity });
    pod.metadata.labels = { app: "db" };
    await client.create(Pod, pod);
  }
  await cluster.pass(1);
  const nodes = await Promise.all(["a", "b", "c"].map((name) => nodeOf(cluster, name)));
  assert.deepEqual(nodes.sort(), ["node-1", "node-2", "node-3"]);
  assert.match(
    await problemOf(cluster, "d") ?? "",
    /^0\/3 nodes are available: 3 node\(s\) didn't match pod anti-affinity rules\. preemption: 0\/3 nodes are available: 3 No preemption victims found for incoming pod\.$/,
  );
  const near = podOf("near", {
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
  });
  await client.create(Pod, near);
  await cluster.pass(1);
  assert.notEqual(await nodeOf(cluster, "near"), undefined);
});

Deno.test("a pod with two affinity terms is scheduled beside a pod that matches both", async () => {
  await using cluster = await livingCluster({ nodes: 1 });
  const { client } = cluster;
  const term = (key: string) => ({
    labelSelector: { matchLabels: { [key]: "yes" } },
    topologyKey: "kubernetes.io/hostname",
  });
  const required = [term("a"), term("b")];
  const labelled = (name: string, ...keys: string[]): V1Pod => {
    const pod = podOf(name);
    pod.metadata.labels = Object.fromEntries(keys.map((key) => [key, "yes"]));
    return pod;
  };
  for (const pod of [labelled("a", "a"), labelled("b", "b")]) await client.create(Pod, pod);
  await client.create(
    Pod,
    podOf("near", {
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
    }),
  );
  await cluster.pass(1);
  assert.equal(await nodeOf(cluster, "near"), undefined);
  assert.match(
    await problemOf(cluster, "near") ?? "",
    /1 node\(s\) didn't match pod affinity rules/,
  );
  await client.create(Pod, labelled("both", "a", "b"));
  await cluster.pass(1);
  assert.equal(await nodeOf(cluster, "near"), "node-1");
});

Deno.test("an important pod preempts the least important one that makes room", async () => {
  await using cluster = await livingCluster({ nodes: 1 });
  const { client } = cluster;
  for (const [name, value] of [["low", 1], ["middle", 5], ["high", 9]] as const) {
    await client.create(PriorityClass, { metadata: { name }, value });
  }
  const pod = (name: string): V1Pod => {
    const made = requesting(name, { cpu: "12" });
    made.spec!.priorityClassName = name;
    return made;
  };
  await client.create(Pod, pod("low"));
  await client.create(Pod, pod("middle"));
  await cluster.pass(1);
  await client.create(Pod, pod("high"));
  await cluster.pass(3);
  assert.equal(await nodeOf(cluster, "high"), "node-1");
  assert.deepEqual((await cluster.pods()).map(({ metadata }) => metadata.name).sort(), [
    "high",
    "middle",
  ]);
  assert.match(
    (await cluster.notes("Preempted"))[0] ?? "",
    /^Preempted by pod \S+ on node node-1$/,
  );
});

Deno.test("a pod with scheduling gates waits for their removal", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(Pod, podOf("gated", { schedulingGates: [{ name: "example.com/wait" }] }));
  await cluster.pass(2);
  assert.equal(await nodeOf(cluster, "gated"), undefined);
  await client.patch(Pod, "default/gated", mergePatch({ spec: { schedulingGates: [] } }));
  await cluster.pass(1);
  assert.notEqual(await nodeOf(cluster, "gated"), undefined);
});

Deno.test("preemption violates a disruption budget only where nothing else makes room", async () => {
  await using cluster = await livingCluster({ nodes: 2 });
  const { client } = cluster;
  for (const [name, value] of [["low", 1], ["middle", 5], ["high", 9]] as const) {
    await client.create(PriorityClass, { metadata: { name }, value });
  }
  const pod = (name: string, priorityClassName: string): V1Pod => {
    const made = requesting(name, { cpu: "30" });
    made.metadata.labels = { app: priorityClassName };
    made.spec!.priorityClassName = priorityClassName;
    return made;
  };
  await client.create(PodDisruptionBudget, {
    metadata: { name: "low", namespace: "default" },
    spec: { selector: { matchLabels: { app: "low" } }, minAvailable: 1 },
  });
  await client.create(Pod, pod("covered", "low"));
  await client.create(Pod, pod("free", "middle"));
  await cluster.pass(2);
  const names = async (): Promise<unknown[]> =>
    (await cluster.pods()).map(({ metadata }) => metadata.name).sort();
  await client.create(Pod, pod("first", "high"));
  await cluster.pass(3);
  assert.deepEqual(await names(), ["covered", "first"]);
  await client.create(Pod, pod("second", "high"));
  await cluster.pass(3);
  assert.deepEqual(await names(), ["first", "second"]);
});
