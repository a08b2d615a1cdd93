import assert from "node:assert/strict";
import { Node, Pod } from "@xca/apimachinery/meta";
import { mergePatch } from "../../client/typed/patch.ts";
import { livingCluster, podOf } from "../../../tests/support/in_process/living_cluster.ts";

/** A finalizer that no controller removes. */
const HOLD = "example.com/hold";

Deno.test("the pods of a node that is gone are deleted, unless the node is back in time", async () => {
  await using cluster = await livingCluster({ nodes: 2 });
  const { client } = cluster;
  for (const node of ["node-1", "node-2"]) {
    await client.create(Pod, podOf(`on-${node}`, { nodeName: node }));
  }
  await cluster.pass(2);
  const { metadata: { name, labels, annotations }, spec } = await client.get(Node, "node-2");
  await client.delete(Node, "node-1");
  await client.delete(Node, "node-2");
  await cluster.pass(30);
  assert.equal((await cluster.pods()).length, 2);
  await client.create(Node, {
    metadata: { name: name!, labels: labels!, annotations: annotations! },
    spec: spec!,
  });
  await cluster.pass(20);
  assert.deepEqual((await cluster.pods()).map(({ metadata }) => metadata.name), ["on-node-2"]);
});

Deno.test("a pod of a node that is gone is failed, with the reason, as its finalizer sees", async () => {
  await using cluster = await livingCluster({ nodes: 1 });
  const { client } = cluster;
  const pod = podOf("held", { nodeName: "node-1" });
  pod.metadata.finalizers = [HOLD];
  await client.create(Pod, pod);
  await cluster.pass(2);
  await client.delete(Node, "node-1");
  await cluster.pass(45);
  const { status, metadata } = await client.get(Pod, "default/held");
  assert(metadata.deletionTimestamp);
  assert.equal(status?.phase, "Failed");
  const target = status?.conditions?.find(({ type }) => type === "DisruptionTarget");
  assert.deepEqual([target?.reason, target?.message], [
    "DeletionByPodGC",
    "PodGC: node no longer exists",
  ]);
});

Deno.test("a pod without a node that is being deleted is failed", async () => {
  await using cluster = await livingCluster({ nodes: 0 });
  const { client } = cluster;
  const pod = podOf("held");
  pod.metadata.finalizers = [HOLD];
  await client.create(Pod, pod);
  await cluster.pass(1);
  await client.delete(Pod, "default/held");
  await cluster.pass(1);
  assert.equal((await client.get(Pod, "default/held")).status?.phase, "Failed");
});

Deno.test("pods that are being deleted go at once when their node is out of service", async () => {
  await using cluster = await livingCluster({ nodes: 1 });
  const { client } = cluster;
  await client.create(Pod, podOf("stuck", { nodeName: "node-1" }));
  await cluster.pass(2);
  const annotations = { "kubelet.xca.k8s.kb.cx/pretend": null };
  await client.patch(Node, "node-1", mergePatch({ metadata: { annotations } } as never));
  await client.delete(Pod, "default/stuck");
  await cluster.pass(60);
  assert.equal((await cluster.pods()).length, 1);
  const { spec } = await client.get(Node, "node-1");
  const taint = {
    key: "node.kubernetes.io/out-of-service",
    value: "nodeshutdown",
    effect: "NoExecute",
  };
  const taints = [...spec?.taints ?? [], taint];
  await client.patch(Node, "node-1", mergePatch({ spec: { taints } } as never));
  await cluster.pass(1);
  assert.equal((await cluster.pods()).length, 0);
});

Deno.test("of very many ended pods the evicted and then the oldest ones are deleted", async () => {
  await using cluster = await livingCluster({ terminatedPodThreshold: 2 });
  const { client } = cluster;
  for (const name of ["a", "b", "c", "d"]) {
    await client.create(Pod, podOf(name, { schedulingGates: [{ name: "example.com/never" }] }));
    await cluster.pass(1);
  }
  const end = async (name: string, reason?: string): Promise<void> => {
    const status = { phase: "Failed", ...(reason && { reason }) };
    await client.patchStatus(Pod, `default/${name}`, mergePatch({ status }));
    await cluster.pass(1);
  };
  const names = async (): Promise<unknown[]> =>
    (await cluster.pods()).map(({ metadata }) => metadata.name);
  await end("b");
  await end("c", "Evicted");
  assert.deepEqual(await names(), ["a", "b", "c", "d"]);
  await end("d");
  assert.deepEqual(await names(), ["a", "b", "d"]);
  await end("a");
  assert.deepEqual(await names(), ["b", "d"]);
});
