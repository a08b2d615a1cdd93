import assert from "node:assert/strict";
import type { V1Deployment, V1ReplicaSet } from "@xca/apimachinery/kubernetes-types";
import { Deployment, ReplicaSet } from "@xca/apimachinery/meta";
import { mergePatch, strategicPatch } from "../../client/typed/patch.ts";
import {
  deploymentOf,
  type LivingCluster,
  livingCluster,
} from "../../../tests/support/in_process/living_cluster.ts";

const WEB = "default/web";

async function patchImage({ client }: LivingCluster, image: string): Promise<void> {
  const spec = { template: { spec: { containers: [{ name: "app", image }] } } };
  await client.patch(Deployment, WEB, strategicPatch({ spec } as never));
}

async function sizes({ client }: LivingCluster): Promise<Record<string, number>> {
  const { items } = await client.list(ReplicaSet);
  const imageOf = ({ spec }: V1ReplicaSet): string =>
    spec.template?.spec?.containers[0]?.image ?? "";
  return Object.fromEntries(items.map((set) => [imageOf(set), set.spec.replicas ?? 1]));
}

function conditions({ status }: V1Deployment): unknown[] {
  return (status?.conditions ?? []).map(({ type, status, reason }) => [type, status, reason]);
}

Deno.test("a Deployment gets pods that run, and is available", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(Deployment, deploymentOf("web"));
  await cluster.pass(2);
  const web = await client.get(Deployment, WEB);
  assert.equal(web.status?.availableReplicas, 3);
  assert.deepEqual(conditions(web), [
    ["Available", "True", "MinimumReplicasAvailable"],
    ["Progressing", "True", "NewReplicaSetAvailable"],
  ]);
  const pods = await cluster.pods();
  assert.deepEqual(pods.map(({ status }) => status?.phase), ["Running", "Running", "Running"]);
  assert.equal(new Set(pods.map(({ status }) => status?.podIP)).size, 3);
  assert.deepEqual(
    (await cluster.notes("ScalingReplicaSet")).map((note) => note.replace(/web-\w+/, "web-#")),
    ["Scaled up replica set web-# from 0 to 3"],
  );
});

Deno.test("a rolling update stays within maxSurge and maxUnavailable", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  await client.create(Deployment, deploymentOf("web", { strategy, minReadySeconds: 2 }));
  await cluster.pass(5);
  await patchImage(cluster, "app:2");
  const seen: [number, number][] = [];
  for (let second = 0; second < 20; second++) {
    await cluster.pass(1);
    const { status } = await client.get(Deployment, WEB);
    seen.push([(await cluster.pods()).length, status?.availableReplicas ?? 0]);
  }
  assert(seen.every(([pods]) => pods <= 4), JSON.stringify(seen));
  assert(seen.every(([, available]) => available >= 3), JSON.stringify(seen));
  assert.deepEqual(await sizes(cluster), { "app:1": 0, "app:2": 3 });
  const { metadata } = await client.get(Deployment, WEB);
  assert.equal(metadata.annotations?.["deployment.kubernetes.io/revision"], "2");
});

Deno.test("a rollout that never becomes ready exceeds its progress deadline", async () => {
  await using cluster = await livingCluster({
    script: ({ spec }) =>
      spec?.containers[0]?.image === "app:2" ? { readyAfterMs: "never" } : undefined,
  });
  const { client } = cluster;
  await client.create(Deployment, deploymentOf("web", { progressDeadlineSeconds: 20 }));
  await cluster.pass(2);
  await patchImage(cluster, "app:2");
  await cluster.pass(10);
  assert.deepEqual(conditions(await client.get(Deployment, WEB))[1], [
    "Progressing",
    "True",
    "ReplicaSetUpdated",
  ]);
  await cluster.pass(20);
  const late = await client.get(Deployment, WEB);
  const progressing = late.status?.conditions?.find(({ type }) => type === "Progressing");
  assert.equal(progressing?.reason, "ProgressDeadlineExceeded");
  assert.match(progressing?.message ?? "", /^ReplicaSet "web-\w+" has timed out progressing\.$/);
  assert.deepEqual(await sizes(cluster), { "app:1": 3, "app:2": 1 });
});

Deno.test("a paused Deployment is scaled and not rolled out; resumed, it is rolled out", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(Deployment, deploymentOf("web"));
  await cluster.pass(2);
  await client.patch(Deployment, WEB, mergePatch({ spec: { paused: true, replicas: 5 } }));
  await patchImage(cluster, "app:2");
  await cluster.pass(3);
  assert.deepEqual(await sizes(cluster), { "app:1": 5 });
  assert.deepEqual(conditions(await client.get(Deployment, WEB)).at(-1), [
    "Progressing",
    "Unknown",
    "DeploymentPaused",
  ]);
  await client.patch(Deployment, WEB, mergePatch({ spec: { paused: false } }));
  await cluster.pass(5);
  assert.deepEqual(await sizes(cluster), { "app:1": 0, "app:2": 5 });
});

Deno.test("Recreate starts new pods only after the last old one has ended", async () => {
  await using cluster = await livingCluster({ script: () => ({ stopMs: 5000 }) });
  const { client } = cluster;
  await client.create(Deployment, deploymentOf("web", { strategy: { type: "Recreate" } }));
  await cluster.pass(2);
  await patchImage(cluster, "app:2");
  const images = new Set<string>();
  for (let second = 0; second < 12; second++) {
    await cluster.pass(1);
    const found = (await cluster.pods()).map(({ spec }) => spec?.containers[0]?.image);
    images.add([...new Set(found)].join("+"));
  }
  assert.deepEqual([...images].filter((text) => text !== ""), ["app:1", "app:2"]);
});

Deno.test("a rollback takes the template of a revision, and revisions beyond the limit are deleted", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(Deployment, deploymentOf("web", { revisionHistoryLimit: 1 }));
  for (const image of ["app:2", "app:3"]) {
    await cluster.pass(4);
    await patchImage(cluster, image);
  }
  await cluster.pass(4);
  assert.deepEqual(await sizes(cluster), { "app:2": 0, "app:3": 3 });
  const annotations = { "deprecated.deployment.rollback.to": "0" };
  await client.patch(Deployment, WEB, mergePatch({ metadata: { annotations } }));
  await cluster.pass(4);
  assert.deepEqual(await sizes(cluster), { "app:2": 3, "app:3": 0 });
  assert.deepEqual(await cluster.notes("DeploymentRollback"), [
    'Rolled back deployment "web" to revision 2',
  ]);
  const { metadata } = await client.get(Deployment, WEB);
  assert.equal(metadata.annotations?.["deployment.kubernetes.io/revision"], "4");
});

Deno.test("a Deployment in the middle of a rollout is scaled in proportion", async () => {
  await using cluster = await livingCluster({
    script: ({ spec }) =>
      spec?.containers[0]?.image === "app:2" ? { readyAfterMs: "never" } : undefined,
  });
  const { client } = cluster;
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } };
  await client.create(Deployment, deploymentOf("web", { replicas: 10, strategy }));
  await cluster.pass(2);
  await patchImage(cluster, "app:2");
  await cluster.pass(3);
  assert.deepEqual(await sizes(cluster), { "app:1": 8, "app:2": 5 });
  await client.patch(Deployment, WEB, mergePatch({ spec: { replicas: 15 } }));
  await cluster.pass(3);
  assert.deepEqual(await sizes(cluster), { "app:1": 11, "app:2": 7 });
});
