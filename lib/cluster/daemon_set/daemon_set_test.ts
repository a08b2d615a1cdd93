import assert from "node:assert/strict";
import type { V1DaemonSet, V1Pod } from "@xca/apimachinery/kubernetes-types";
import { ControllerRevision, DaemonSet, Node, Pod } from "@xca/apimachinery/meta";
import { mergePatch, strategicPatch } from "../../client/typed/patch.ts";
import {
  type LivingCluster,
  livingCluster,
  podOf,
} from "../../../tests/support/in_process/living_cluster.ts";

const KEY = "default/agent";

function daemonSet(spec: Partial<NonNullable<V1DaemonSet["spec"]>> = {}): V1DaemonSet {
  const labels = { app: "agent" };
  return {
    metadata: { name: "agent", namespace: "default" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } },
      ...spec,
    },
  };
}

/** Returns the node and the image of each pod, sorted. */
async function places({ pods }: LivingCluster): Promise<string[]> {
  return (await pods()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ spec }) => `${spec?.nodeName}: ${spec?.containers[0]?.image}`).sort();
}

async function setImage({ client }: LivingCluster, image: string): Promise<void> {
  const template = { spec: { containers: [{ name: "app", image }] } };
  await client.patch(DaemonSet, KEY, strategicPatch({ spec: { template } } as never));
}

Deno.test("a DaemonSet keeps a pod on each node, through the scheduler", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(DaemonSet, daemonSet());
  await cluster.pass(3);
  assert.deepEqual(await places(cluster), ["node-1: app:1", "node-2: app:1", "node-3: app:1"]);
  const { status } = await client.get(DaemonSet, KEY);
  assert.equal(status?.desiredNumberScheduled, 3);
  assert.equal(status?.numberAvailable, 3);
  const [pod] = await cluster.pods();
  await client.delete(Pod, `default/${pod!.metadata.name}`);
  await cluster.pass(3);
  assert.equal((await places(cluster)).length, 3);
});

Deno.test("a DaemonSet follows node labels, and stays on nodes with problems that are no reason to leave", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  const set = daemonSet();
  set.spec!.template.spec!.nodeSelector = { disk: "ssd" };
  await client.create(DaemonSet, set);
  await cluster.pass(2);
  assert.deepEqual(await places(cluster), []);
  for (const node of ["node-1", "node-2"]) {
    await client.patch(Node, node, mergePatch({ metadata: { labels: { disk: "ssd" } } }));
  }
  await cluster.pass(2);
  assert.deepEqual(await places(cluster), ["node-1: app:1", "node-2: app:1"]);
  const taint = { key: "maintenance", effect: "NoSchedule" };
  await client.patch(Node, "node-1", mergePatch({ spec: { taints: [taint] } }));
  await client.patch(Node, "node-2", mergePatch({ metadata: { labels: { disk: null } } } as never));
  await cluster.pass(2);
  assert.deepEqual(await places(cluster), ["node-1: app:1"]);
  const { status } = await client.get(DaemonSet, KEY);
  assert.equal(status?.desiredNumberScheduled, 0);
  assert.equal(status?.numberMisscheduled, 1);
});

Deno.test("a DaemonSet replaces pods of a new template one node after the other", async () => {
  await using cluster = await livingCluster({ script: () => ({ readyAfterMs: 2000 }) });
  await cluster.client.create(DaemonSet, daemonSet());
  await cluster.pass(5);
  await setImage(cluster, "app:2");
  let fewest = 3;
  for (let second = 0; second < 15; second++) {
    await cluster.pass(1);
    const { status } = await cluster.client.get(DaemonSet, KEY);
    fewest = Math.min(fewest, status?.numberAvailable ?? 0);
  }
  assert.equal(fewest, 2);
  assert.deepEqual(await places(cluster), ["node-1: app:2", "node-2: app:2", "node-3: app:2"]);
  const { status } = await cluster.client.get(DaemonSet, KEY);
  assert.equal(status?.updatedNumberScheduled, 3);
  const revisions = (await cluster.client.list(ControllerRevision)).items;
  assert.deepEqual(revisions.map(({ revision }) => revision).sort(), [1, 2]);
});

Deno.test("a DaemonSet with maxSurge starts new pods before it ends old ones", async () => {
  await using cluster = await livingCluster({ script: () => ({ readyAfterMs: 2000 }) });
  const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
  await cluster.client.create(
    DaemonSet,
    daemonSet({ updateStrategy: { type: "RollingUpdate", rollingUpdate } }),
  );
  await cluster.pass(5);
  await setImage(cluster, "app:2");
  for (let second = 0; second < 20; second++) {
    await cluster.pass(1);
    const ready = (await cluster.pods()).filter(({ status }) =>
      status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True")
    );
    assert(ready.length >= 3, `${ready.length} pods are ready`);
  }
  assert.deepEqual(await places(cluster), ["node-1: app:2", "node-2: app:2", "node-3: app:2"]);
});

Deno.test("a DaemonSet OnDelete leaves old pods until they are deleted, and keeps few revisions", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  const updateStrategy = { type: "OnDelete" };
  await client.create(DaemonSet, daemonSet({ updateStrategy, revisionHistoryLimit: 1 }));
  await cluster.pass(3);
  for (const image of ["app:2", "app:3", "app:4"]) {
    await setImage(cluster, image);
    await cluster.pass(3);
  }
  assert.deepEqual(await places(cluster), ["node-1: app:1", "node-2: app:1", "node-3: app:1"]);
  const kept = (await client.list(ControllerRevision)).items.map(({ revision }) => revision);
  assert.deepEqual(kept.sort(), [1, 4]);
  for (const { metadata } of await cluster.pods()) {
    await client.delete(Pod, `default/${metadata.name}`);
  }
  await cluster.pass(3);
  assert.deepEqual(await places(cluster), ["node-1: app:4", "node-2: app:4", "node-3: app:4"]);
});

Deno.test("a DaemonSet deletes failed pods, ever more slowly", async () => {
  const failing = ({ metadata }: { metadata: V1Pod["metadata"] }): boolean =>
    metadata.labels?.app === "agent";
  await using cluster = await livingCluster({ nodes: 1 });
  const { client, clock } = cluster;
  await client.create(DaemonSet, daemonSet());
  const deaths: number[] = [];
  const start = clock.now().getTime();
  for (let second = 0; second < 40; second++) {
    await cluster.pass(1);
    for (const pod of (await cluster.pods()).filter(failing)) {
      if (pod.status?.phase !== "Running") continue;
      const body = { status: { phase: "Failed" } };
      await client.patchStatus(Pod, `default/${pod.metadata.name}`, mergePatch(body));
      deaths.push(Math.round((clock.now().getTime() - start) / 1000));
    }
  }
  const gaps = deaths.slice(1).map((death, index) => death - deaths[index]!);
  assert(gaps.length >= 4, `pods died at ${deaths}`);
  assert(gaps.at(-1)! >= 8, `the pauses are ${gaps}`);
  assert.match(
    (await cluster.notes("FailedDaemonPod"))[0] ?? "",
    /^Found failed daemon pod default\/agent-/,
  );
});

Deno.test("a DaemonSet adopts a pod of a node, and deletes pods beside it", async () => {
  await using cluster = await livingCluster({ nodes: 1 });
  const { client } = cluster;
  for (const name of ["first", "second"]) {
    const pod = podOf(name);
    pod.metadata.labels = { app: "agent" };
    await client.create(Pod, pod);
    await cluster.pass(2);
  }
  await client.create(DaemonSet, daemonSet({ updateStrategy: { type: "OnDelete" } }));
  await cluster.pass(3);
  const names = (await cluster.pods()).map(({ metadata }) => metadata.name);
  assert.deepEqual(names, ["first"]);
  const { metadata } = await client.get(Pod, "default/first");
  assert.equal(metadata.ownerReferences?.[0]?.kind, "DaemonSet");
});

Deno.test("a DaemonSet with two revisions of its template keeps the newest one, and its pods", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(DaemonSet, daemonSet());
  await cluster.pass(3);
  const before = (await cluster.pods()).map(({ metadata }) => metadata.uid);
  const [first] = (await client.list(ControllerRevision)).items;
  const { name, namespace, labels, ownerReferences } = first!.metadata;
  await client.create(ControllerRevision, {
    metadata: {
      name: `${name}-2`,
      namespace: namespace!,
      labels: { ...labels, "controller-revision-hash": "second" },
      ownerReferences: ownerReferences!,
    },
    data: first!.data,
    revision: 2,
  });
  await cluster.pass(3);
  const kept = (await client.list(ControllerRevision)).items;
  assert.deepEqual(kept.map(({ revision }) => revision), [2]);
  const pods = await cluster.pods();
  assert.deepEqual(pods.map(({ metadata }) => metadata.uid), before);
  const hashes = pods.map(({ metadata }) => metadata.labels?.["controller-revision-hash"]);
  assert.deepEqual(hashes, ["second", "second", "second"]);
});
