import assert from "node:assert/strict";
import type {
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1StorageClass,
} from "@xca/apimachinery/kubernetes-types";
import {
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StatefulSet,
  StorageClass,
} from "@xca/apimachinery/meta";
import { mergePatch } from "../../client/mod.ts";
import { livingCluster, podOf } from "../../../tests/support/in_process/living_cluster.ts";

function claimOf(
  name: string,
  spec: Partial<V1PersistentVolumeClaim["spec"]> = {},
): V1PersistentVolumeClaim {
  return {
    metadata: { name, namespace: "default" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
  };
}

function volumeOf(
  name: string,
  size: string,
  spec: Partial<V1PersistentVolume["spec"]> = {},
): V1PersistentVolume {
  return {
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: size },
      hostPath: { path: `/${name}` },
      persistentVolumeReclaimPolicy: "Retain",
      storageClassName: "manual",
      ...spec,
    },
  };
}

/** A StorageClass whose volumes are provisioned when the first pod is scheduled. */
const LATE: V1StorageClass = {
  metadata: { name: "late" },
  provisioner: "xca.k8s.kb.cx/pretend",
  volumeBindingMode: "WaitForFirstConsumer",
};

function podWith(name: string, claimName: string) {
  return podOf(name, {
    containers: [{ name: "app", image: "app:1" }],
    volumes: [{ name: "data", persistentVolumeClaim: { claimName } }],
  });
}

Deno.test("a StatefulSet with claim templates gets volumes of the default class and runs", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  const labels = { app: "db" };
  await client.create(StatefulSet, {
    metadata: { name: "db", namespace: "default" },
    spec: {
      replicas: 2,
      serviceName: "db",
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "db", image: "db:1" }] },
      },
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: claimOf("data").spec! }],
    },
  });
  await cluster.pass(10);
  const { status } = await client.get(StatefulSet, "default/db");
  assert.equal(status?.readyReplicas, 2);
  const claim = await client.get(PersistentVolumeClaim, "default/data-db-0");
  assert.equal(claim.spec?.storageClassName, "standard");
  const { phase, capacity, conditions } = claim.status ?? {};
  assert.deepEqual([phase, capacity], ["Bound", { storage: "1Gi" }]);
  assert.deepEqual(conditions?.map(({ type, status }) => `${type}=${status}`), ["Unused=False"]);
  const resources = { requests: { storage: "5Gi" } };
  const patch = mergePatch({ spec: { resources } });
  await client.patch(PersistentVolumeClaim, "default/data-db-0", patch);
  await cluster.pass(2);
  const grown = await client.get(PersistentVolumeClaim, "default/data-db-0");
  assert.equal(grown.status?.capacity?.storage, "5Gi");
});

Deno.test("a claim gets the smallest volume that fits, which is released with it and kept", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  for (const [name, size] of [["big", "9Gi"], ["fit", "2Gi"], ["small", "1Mi"]] as const) {
    await client.create(PersistentVolume, volumeOf(name, size));
  }
  await client.create(PersistentVolumeClaim, claimOf("data", { storageClassName: "manual" }));
  await cluster.pass(2);
  const claim = await client.get(PersistentVolumeClaim, "default/data");
  assert.equal(claim.spec?.volumeName, "fit");
  assert.equal(claim.status?.capacity?.storage, "2Gi");
  const phases = async (): Promise<string> =>
    (await client.list(PersistentVolume)).items
      .map(({ metadata, status }) => `${metadata.name} ${status?.phase}`).join(", ");
  assert.equal(await phases(), "big Available, fit Bound, small Available");
  await client.delete(PersistentVolumeClaim, "default/data");
  await cluster.pass(2);
  assert.equal(await phases(), "big Available, fit Released, small Available");
});

Deno.test("a provisioned volume goes with its claim, which stays while a pod uses it", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(PersistentVolumeClaim, claimOf("data"));
  await client.create(Pod, podWith("user", "data"));
  await cluster.pass(3);
  assert.equal((await client.get(Pod, "default/user")).status?.phase, "Running");
  await client.delete(PersistentVolumeClaim, "default/data");
  await cluster.pass(3);
  const { metadata } = await client.get(PersistentVolumeClaim, "default/data");
  assert.deepEqual(metadata.finalizers, ["kubernetes.io/pvc-protection"]);
  await client.delete(Pod, "default/user");
  await cluster.pass(3);
  assert.deepEqual((await client.list(PersistentVolumeClaim)).items, []);
  assert.deepEqual((await client.list(PersistentVolume)).items, []);
});

Deno.test("a claim that waits for its first pod is bound for the node of the pod", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(StorageClass, LATE);
  await client.create(PersistentVolumeClaim, claimOf("data", { storageClassName: "late" }));
  await cluster.pass(2);
  assert.deepEqual(await cluster.notes("WaitForFirstConsumer"), [
    "waiting for first consumer to be created before binding",
  ]);
  await client.create(Pod, podWith("user", "data"));
  await cluster.pass(3);
  const pod = await client.get(Pod, "default/user");
  assert.equal(pod.status?.phase, "Running");
  const claim = await client.get(PersistentVolumeClaim, "default/data");
  assert.equal(
    claim.metadata.annotations?.["volume.kubernetes.io/selected-node"],
    pod.spec?.nodeName,
  );
});

Deno.test("a local volume of a class without provisioner leads its pod to its node", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(StorageClass, {
    ...LATE,
    provisioner: "kubernetes.io/no-provisioner",
  });
  const terms = [{
    matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: ["node-2"] }],
  }];
  await client.create(Pod, podWith("user", "data"));
  await client.create(PersistentVolumeClaim, claimOf("data", { storageClassName: "late" }));
  await cluster.pass(2);
  assert((await cluster.notes("FailedScheduling")).includes(
    "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind. " +
      "preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  ));
  await client.create(
    PersistentVolume,
    volumeOf("disk", "1Gi", {
      storageClassName: "late",
      nodeAffinity: { required: { nodeSelectorTerms: terms } },
    }),
  );
  await cluster.pass(3);
  const pod = await client.get(Pod, "default/user");
  assert.deepEqual([pod.spec?.nodeName, pod.status?.phase], ["node-2", "Running"]);
});

Deno.test("a pod whose claim is absent, unbound or lost says so", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(PersistentVolumeClaim, claimOf("none", { storageClassName: "" }));
  await client.create(Pod, podWith("unbound", "none"));
  await client.create(Pod, podWith("absent", "missing"));
  await cluster.pass(2);
  const unhelpful =
    "preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
  assert.deepEqual((await cluster.notes("FailedScheduling")).sort(), [
    `0/3 nodes are available: persistentvolumeclaim "missing" not found. ${unhelpful}`,
    `0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. ${unhelpful}`,
  ]);
  assert.deepEqual(await cluster.notes("FailedBinding"), [
    "no persistent volumes available for this claim and no storage class is set",
  ]);
});
