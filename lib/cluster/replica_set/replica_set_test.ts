import assert from "node:assert/strict";
import type { V1ReplicaSet } from "@xca/apimachinery/kubernetes-types";
import { Pod, ReplicaSet, ResourceQuota } from "@xca/apimachinery/meta";
import { mergePatch } from "../../client/typed/patch.ts";
import { livingCluster, podOf } from "../../../tests/support/in_process/living_cluster.ts";

const WEB = "default/web";

function replicaSet(replicas: number, spec: Partial<V1ReplicaSet["spec"]> = {}): V1ReplicaSet {
  const labels = { app: "web" };
  return {
    metadata: { name: "web", namespace: "default" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } },
      ...spec,
    },
  };
}

Deno.test("a ReplicaSet adopts matching pods without a controller, and releases those that no longer match", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  const orphan = podOf("orphan");
  orphan.metadata.labels = { app: "web" };
  await client.create(Pod, orphan);
  await client.create(ReplicaSet, replicaSet(2));
  await cluster.pass(2);
  assert.equal((await cluster.pods()).length, 2);
  const adopted = await client.get(Pod, "default/orphan");
  assert.equal(adopted.metadata.ownerReferences?.[0]?.name, "web");
  await client.patch(Pod, "default/orphan", mergePatch({ metadata: { labels: { app: "other" } } }));
  await cluster.pass(2);
  const released = await client.get(Pod, "default/orphan");
  assert.equal(released.metadata.ownerReferences, undefined);
  assert.equal((await cluster.pods()).length, 3);
});

Deno.test("a ReplicaSet that shrinks deletes pods that are not ready first", async () => {
  await using cluster = await livingCluster({
    script: ({ metadata }) => metadata.name === "slow" ? { readyAfterMs: "never" } : undefined,
  });
  const { client } = cluster;
  const slow = podOf("slow");
  slow.metadata.labels = { app: "web" };
  await client.create(Pod, slow);
  await client.create(ReplicaSet, replicaSet(3));
  await cluster.pass(2);
  await client.patch(ReplicaSet, WEB, mergePatch({ spec: { replicas: 2 } }));
  await cluster.pass(2);
  const names = (await cluster.pods()).map(({ metadata }) => metadata.name);
  assert.equal(names.length, 2);
  assert(!names.includes("slow"));
  assert.deepEqual(await cluster.notes("SuccessfulDelete"), ["Deleted pod: slow"]);
});

Deno.test("pods count as available after minReadySeconds", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(ReplicaSet, replicaSet(2, { minReadySeconds: 30 }));
  await cluster.pass(10);
  const early = await client.get(ReplicaSet, WEB);
  assert.deepEqual([early.status?.readyReplicas, early.status?.availableReplicas], [2, undefined]);
  await cluster.pass(30);
  assert.equal((await client.get(ReplicaSet, WEB)).status?.availableReplicas, 2);
});

Deno.test("a ReplicaSet that a quota stops shows the failure, and recovers", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(ResourceQuota, {
    metadata: { name: "few", namespace: "default" },
    spec: { hard: { pods: "1" } },
  });
  await cluster.pass(1);
  await client.create(ReplicaSet, replicaSet(3));
  await cluster.pass(3);
  const failing = await client.get(ReplicaSet, WEB);
  assert.equal(failing.status?.replicas, 1);
  const [condition] = failing.status?.conditions ?? [];
  assert.deepEqual([condition?.type, condition?.reason], ["ReplicaFailure", "FailedCreate"]);
  assert.match(condition?.message ?? "", /exceeded quota: few/);
  await client.delete(ResourceQuota, "default/few");
  await cluster.pass(60);
  const recovered = await client.get(ReplicaSet, WEB);
  assert.equal(recovered.status?.availableReplicas, 3);
  assert.equal(recovered.status?.conditions, undefined);
});
