import assert from "node:assert/strict";
import type { V1DaemonSet, V1PodDisruptionBudget } from "@xca/apimachinery/kubernetes-types";
import { DaemonSet, Deployment, Pod, PodDisruptionBudget } from "@xca/apimachinery/meta";
import { isTooManyRequests } from "../../client/errors/api_error.ts";
import { evictPod } from "../../client/subresources/eviction.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import {
  deploymentOf,
  type LivingCluster,
  livingCluster,
  podOf,
} from "../../../tests/support/in_process/living_cluster.ts";

const KEY = "default/web";

function budget(spec: Partial<V1PodDisruptionBudget["spec"]>): V1PodDisruptionBudget {
  const selector = { matchLabels: { app: "web" } };
  return { metadata: { name: "web", namespace: "default" }, spec: { selector, ...spec } };
}

/** Returns the counts of the PodDisruptionBudget's status: healthy, desired, expected, allowed. */
async function counts({ client }: LivingCluster): Promise<unknown[]> {
  const { status } = await client.get(PodDisruptionBudget, KEY);
  const { currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed } = status!;
  return [currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed];
}

/** Evicts a pod; returns whether the PodDisruptionBudget allowed the eviction. */
async function evicts({ client }: LivingCluster, name: string): Promise<boolean> {
  try {
    await evictPod(client, `default/${name}`);
    return true;
  } catch (error) {
    if (isTooManyRequests(error)) return false;
    throw error;
  }
}

Deno.test("evictions obey the status of a budget, which follows the pods", async () => {
  await using cluster = await livingCluster({ script: () => ({ readyAfterMs: 5000 }) });
  const { client } = cluster;
  await client.create(PodDisruptionBudget, budget({ maxUnavailable: 1 }));
  await client.create(Deployment, deploymentOf("web"));
  await cluster.pass(3);
  assert.deepEqual(await counts(cluster), [0, 2, 3, 0]);
  await cluster.pass(5);
  assert.deepEqual(await counts(cluster), [3, 2, 3, 1]);
  const names = (await cluster.pods()).map(({ metadata }) => metadata.name!);
  assert.equal(await evicts(cluster, names[0]!), true);
  assert.equal(await evicts(cluster, names[1]!), false);
  await cluster.pass(3);
  assert.deepEqual(await counts(cluster), [2, 2, 3, 0]);
  await cluster.pass(5);
  assert.deepEqual(await counts(cluster), [3, 2, 3, 1]);
  assert.equal(await evicts(cluster, names[1]!), true);
});

Deno.test("percentages of a budget are those of the size of the workload", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(PodDisruptionBudget, budget({ minAvailable: "50%" }));
  await client.create(Deployment, deploymentOf("web", { replicas: 5 }));
  await cluster.pass(3);
  assert.deepEqual(await counts(cluster), [5, 3, 5, 2]);
  await client.patch(Deployment, KEY, mergePatch({ spec: { replicas: 2 } }));
  await cluster.pass(3);
  assert.deepEqual(await counts(cluster), [2, 1, 2, 1]);
});

Deno.test("a budget of pods whose controller has no scale allows nothing and says why", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  const labels = { app: "web" };
  const set: V1DaemonSet = {
    metadata: { name: "web", namespace: "default" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } },
    },
  };
  await client.create(DaemonSet, set);
  await client.create(PodDisruptionBudget, budget({ maxUnavailable: 1 }));
  await cluster.pass(3);
  const { status } = await client.get(PodDisruptionBudget, KEY);
  const [condition] = status?.conditions ?? [];
  assert.deepEqual([condition?.reason, condition?.message], [
    "SyncFailed",
    "daemonsets.apps does not implement the scale subresource",
  ]);
  assert.equal(status?.disruptionsAllowed, 0);
});

Deno.test("pods without a controller count by a number, and are warned of for percentages", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  for (const name of ["one", "two"]) {
    const pod = podOf(name);
    pod.metadata.labels = { app: "web" };
    await client.create(Pod, pod);
  }
  await client.create(PodDisruptionBudget, budget({ minAvailable: 1 }));
  await cluster.pass(3);
  assert.deepEqual(await counts(cluster), [2, 1, 2, 1]);
  await client.patch(PodDisruptionBudget, KEY, mergePatch({ spec: { minAvailable: "50%" } }));
  await cluster.pass(3);
  assert.deepEqual(await counts(cluster), [2, 0, 0, 0]);
  const [note] = await cluster.notes("UnmanagedPods");
  assert.match(note ?? "", /MatchLabels:map\[string\]string\{app: web,\},MatchExpressions/);
});

Deno.test("an evicted pod that nobody deletes counts again after two minutes", async () => {
  await using cluster = await livingCluster();
  const { client, clock } = cluster;
  await client.create(Deployment, deploymentOf("web"));
  await client.create(PodDisruptionBudget, budget({ maxUnavailable: 1 }));
  await cluster.pass(3);
  const [pod] = await cluster.pods();
  const name = pod!.metadata.name!;
  const lastTransitionTime = clock.now().toISOString().replace(/\.\d+/, "");
  // The API server ended between the count of an eviction and the deletion of its pod.
  await client.patchStatus(
    PodDisruptionBudget,
    KEY,
    mergePatch({ status: { disruptedPods: { [name]: lastTransitionTime } } } as never),
  );
  const condition = { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI" };
  await client.patchStatus(
    Pod,
    `default/${name}`,
    {
      type: "strategic",
      body: { status: { conditions: [{ ...condition, lastTransitionTime }] } },
    } as never,
  );
  await cluster.pass(60);
  assert.deepEqual(await counts(cluster), [2, 2, 3, 0]);
  await cluster.pass(65);
  assert.deepEqual(await counts(cluster), [3, 2, 3, 1]);
  const { status } = await client.get(Pod, `default/${name}`);
  const target = status?.conditions?.find(({ type }) => type === "DisruptionTarget");
  assert.deepEqual([target?.status, target?.reason], ["False", undefined]);
  assert.deepEqual(await cluster.notes("NotDeleted"), [
    "Pod was expected by PDB default/default to be deleted but it wasn't",
  ]);
});
