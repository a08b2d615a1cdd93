import assert from "node:assert/strict";
import type { V1StatefulSet } from "@xca/apimachinery/kubernetes-types";
import {
  ControllerRevision,
  Node,
  PersistentVolumeClaim,
  Pod,
  StatefulSet,
} from "@xca/apimachinery/meta";
import { mergePatch, strategicPatch } from "../../client/typed/patch.ts";
import {
  type LivingCluster,
  livingCluster,
} from "../../../tests/support/in_process/living_cluster.ts";

const DB = "default/db";

function statefulSet(spec: Partial<V1StatefulSet["spec"]> = {}): V1StatefulSet {
  const labels = { app: "db" };
  return {
    metadata: { name: "db", namespace: "default" },
    spec: {
      replicas: 3,
      serviceName: "db",
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } },
      ...spec,
    },
  };
}

/** Returns the names and images of the pods. */
async function shown({ client }: LivingCluster): Promise<string[]> {
  const { items } = await client.list(Pod);
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata, spec }) => `${metadata.name} ${spec?.containers[0]?.image}`).sort();
}

async function setImage({ client }: LivingCluster, image: string): Promise<void> {
  const spec = { template: { spec: { containers: [{ name: "app", image }] } } };
  await client.patch(StatefulSet, DB, strategicPatch({ spec } as never));
}

/** Returns the successive different lists of pods while the clock advances. */
async function course(cluster: LivingCluster, seconds: number): Promise<string[]> {
  const seen: string[] = [];
  for (let second = 0; second < seconds; second++) {
    const now = (await shown(cluster)).join(", ");
    if (seen.at(-1) !== now) seen.push(now);
    await cluster.pass(1);
  }
  return seen;
}

Deno.test("a StatefulSet makes its pods in order, and deletes them in the opposite order", async () => {
  await using cluster = await livingCluster({ script: () => ({ readyAfterMs: 3000 }) });
  const { client } = cluster;
  await client.create(StatefulSet, statefulSet());
  const names = (lists: string[]): string[] => lists.map((list) => list.replaceAll(" app:1", ""));
  assert.deepEqual(names(await course(cluster, 15)).slice(1), [
    "db-0",
    "db-0, db-1",
    "db-0, db-1, db-2",
  ]);
  const { status } = await client.get(StatefulSet, DB);
  assert.deepEqual(
    [status?.replicas, status?.readyReplicas, status?.availableReplicas, status?.currentReplicas],
    [3, 3, 3, 3],
  );
  await client.patch(StatefulSet, DB, mergePatch({ spec: { replicas: 1 } }));
  await cluster.pass(6);
  assert.deepEqual(await shown(cluster), ["db-0 app:1"]);
  assert.deepEqual((await cluster.notes("SuccessfulDelete")).sort(), [
    "Delete Pod db-1 in StatefulSet db successful",
    "Delete Pod db-2 in StatefulSet db successful",
  ]);
});

Deno.test("a rolling update goes from the highest ordinal down to the partition", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  const updateStrategy = { type: "RollingUpdate", rollingUpdate: { partition: 1 } };
  await client.create(StatefulSet, statefulSet({ updateStrategy }));
  await cluster.pass(5);
  await setImage(cluster, "app:2");
  await cluster.pass(8);
  assert.deepEqual(await shown(cluster), ["db-0 app:1", "db-1 app:2", "db-2 app:2"]);
  const { status } = await client.get(StatefulSet, DB);
  assert.notEqual(status?.currentRevision, status?.updateRevision);
  assert.deepEqual([status?.currentReplicas, status?.updatedReplicas], [1, 2]);
  await client.delete(Pod, "default/db-0");
  await cluster.pass(3);
  assert.equal((await shown(cluster))[0], "db-0 app:1");
  const spec = { updateStrategy: { rollingUpdate: { partition: 0 } } };
  await client.patch(StatefulSet, DB, mergePatch({ spec } as never));
  await cluster.pass(5);
  const done = await client.get(StatefulSet, DB);
  assert.equal(done.status?.currentRevision, done.status?.updateRevision);
  assert.equal((await client.list(ControllerRevision)).items.length, 2);
});

Deno.test("a template that was used before becomes the newest revision again", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(StatefulSet, statefulSet({ replicas: 1 }));
  for (const image of ["app:2", "app:1"]) {
    await cluster.pass(4);
    await setImage(cluster, image);
  }
  await cluster.pass(4);
  assert.deepEqual(await shown(cluster), ["db-0 app:1"]);
  const { items } = await client.list(ControllerRevision);
  assert.deepEqual(items.map(({ revision }) => revision).sort(), [2, 3]);
});

Deno.test("a parallel StatefulSet makes all pods at once; OnDelete updates a pod when it is deleted", async () => {
  await using cluster = await livingCluster({ script: () => ({ readyAfterMs: "never" }) });
  const { client } = cluster;
  const updateStrategy = { type: "OnDelete" };
  const podManagementPolicy = "Parallel";
  await client.create(StatefulSet, statefulSet({ podManagementPolicy, updateStrategy }));
  await cluster.pass(2);
  assert.equal((await shown(cluster)).length, 3);
  await setImage(cluster, "app:2");
  await cluster.pass(2);
  await client.delete(Pod, "default/db-1");
  await cluster.pass(2);
  assert.deepEqual(await shown(cluster), ["db-0 app:1", "db-1 app:2", "db-2 app:1"]);
});

Deno.test("pods get volume claims, which the retention policy deletes with the pods or the StatefulSet", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  const spec = {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
  };
  await client.create(
    StatefulSet,
    statefulSet({
      replicas: 2,
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec }],
      persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Delete" },
    }),
  );
  await cluster.pass(4);
  const claims = async (): Promise<string[]> =>
    (await client.list(PersistentVolumeClaim)).items.filter(({ metadata }) =>
      metadata.deletionTimestamp === undefined // The finalizer of claims needs a controller.
    ).map(({ metadata }) => `${metadata.name} of ${metadata.ownerReferences?.[0]?.kind}`).sort();
  assert.deepEqual(await claims(), ["data-db-0 of StatefulSet", "data-db-1 of StatefulSet"]);
  const pod = await client.get(Pod, "default/db-1");
  assert.deepEqual(pod.spec?.volumes?.[0]?.persistentVolumeClaim, { claimName: "data-db-1" });
  assert.deepEqual([pod.spec?.hostname, pod.spec?.subdomain], ["db-1", "db"]);
  await client.patch(StatefulSet, DB, mergePatch({ spec: { replicas: 1 } }));
  await cluster.pass(4);
  assert.deepEqual(await claims(), ["data-db-0 of StatefulSet"]);
});

Deno.test("a StatefulSet whose foreground deletion waits for a pod creates no revision again and again", async () => {
  await using cluster = await livingCluster({ nodes: 1 });
  const { client, server } = cluster;
  await client.create(StatefulSet, statefulSet());
  await cluster.pass(5);
  // The pods of a silent node do not end.
  const annotations = { "kubelet.xca.k8s.kb.cx/pretend": null };
  await client.patch(Node, "node-1", mergePatch({ metadata: { annotations } } as never));
  let created = 0;
  const fetch = server.fetch.bind(server);
  server.fetch = (request, ...rest) => {
    const isCreation = request.method === "POST" && request.url.endsWith("/controllerrevisions");
    // A refusal lets time pass where the test would not end.
    if (isCreation && ++created > 20) return Promise.resolve(new Response(null, { status: 500 }));
    return fetch(request, ...rest);
  };
  await client.delete(StatefulSet, DB, { propagationPolicy: "Foreground" });
  await cluster.pass(20);
  const { items } = await client.list(Pod);
  assert(items.every(({ metadata }) => metadata.deletionTimestamp !== undefined));
  assert.equal(items.length, 3);
  assert(created <= 5, `${created} revisions were created`);
});

Deno.test("a StatefulSet says that an adopted pod cannot get the volumes of its claims", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(StatefulSet, statefulSet({ replicas: 1 }));
  await cluster.pass(4);
  await client.delete(StatefulSet, DB, { propagationPolicy: "Orphan" });
  await cluster.pass(4);
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  const volumeClaimTemplates = [{ metadata: { name: "data" }, spec }];
  await client.create(StatefulSet, statefulSet({ replicas: 1, volumeClaimTemplates }));
  await cluster.pass(10);
  assert.deepEqual(await cluster.notes("SuccessfulUpdate"), []);
  const [note] = await cluster.notes("FailedUpdate");
  assert.match(
    note ?? "",
    /^Update Pod db-0 in StatefulSet db failed error: .*pod updates may not change fields/,
  );
  const { items } = await client.list(PersistentVolumeClaim);
  assert.deepEqual(items.map(({ metadata }) => metadata.name), ["data-db-0"]);
});
