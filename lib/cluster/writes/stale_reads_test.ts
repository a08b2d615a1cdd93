import assert from "node:assert/strict";
import type { V1Job, V1PersistentVolume, V1Pod } from "@xca/apimachinery/kubernetes-types";
import {
  Job,
  keyOf,
  PersistentVolume,
  Pod,
  setControllerReference,
  StatefulSet,
} from "@xca/apimachinery/meta";
import { isConflict } from "../../client/errors/api_error.ts";
import { type Client, mergePatch } from "../../client/mod.ts";
import { reconcileOnce } from "../../controller/mod.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { jobOrphansController } from "../job/orphan_pods_controller.ts";
import { ttlAfterFinishedController } from "../job/ttl_controller.ts";
import { TRACKING } from "../job/job_tracking.ts";
import { statefulSetController } from "../stateful_set/stateful_set_controller.ts";
import { volumeDeletionController } from "../volumes/pretend_provisioner.ts";

/** An API server, a client for the test, and one whose requests another client precedes. */
interface Rig extends AsyncDisposable {
  readonly admin: Client;
  readonly client: Client;
}

/** Starts a server; `change` is called before the first request of `method` for `path`. */
async function rigWith(
  method: string,
  path: string,
  change: (admin: Client) => Promise<unknown>,
): Promise<Rig> {
  const server = await ApiServer.start();
  const admin = clientOf(server);
  let changes = 0;
  const client = clientOf(server, {
    through: (fetch) => async (request) => {
      const { pathname } = new URL(request.url);
      if (request.method === method && pathname.endsWith(path) && changes++ === 0) {
        await change(admin);
      }
      return await fetch(request);
    },
  });
  return {
    admin,
    client,
    async [Symbol.asyncDispose]() {
      assert(changes > 0, `${method} ${path} was sent`);
      client[Symbol.dispose]();
      admin[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const containers = [{ name: "app", image: "app:1" }];

function job(spec: Partial<NonNullable<V1Job["spec"]>> = {}): V1Job {
  const template = { spec: { containers, restartPolicy: "Never" } };
  return { metadata: { name: "work", namespace: "default" }, spec: { template, ...spec } };
}

function podNamed(name: string): V1Pod {
  return { metadata: { name, namespace: "default" }, spec: { containers } };
}

Deno.test("a finished Job whose lifetime is prolonged just before its deletion is kept", async () => {
  await using rig = await rigWith("DELETE", "/jobs/work", async (admin) => {
    const patch = mergePatch<V1Job>({ spec: { ttlSecondsAfterFinished: 3600 } });
    await admin.patch(Job, "default/work", patch);
  });
  const { admin, client } = rig;
  await admin.create(Job, job({ ttlSecondsAfterFinished: 0 }));
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  const conditions = ["SuccessCriteriaMet", "Complete"].map((type) => ({
    type,
    status: "True",
    lastTransitionTime,
  }));
  const status = { conditions, startTime: lastTransitionTime, completionTime: lastTransitionTime };
  const body = { status: { ...status, succeeded: 1 } };
  await admin.patchStatus(Job, "default/work", { type: "merge", body } as never);
  const once = () => reconcileOnce(ttlAfterFinishedController, "default/work", { client });
  await assert.rejects(once, isConflict);
  const { metadata } = await admin.get(Job, "default/work");
  assert.equal(metadata.deletionTimestamp, undefined);
});

Deno.test("a pod that takes the name of a StatefulSet's pod just before a change is left alone", async () => {
  await using rig = await rigWith("PATCH", "/pods/db-0", async (admin) => {
    await admin.delete(Pod, "default/db-0", { gracePeriodSeconds: 0 });
    await admin.create(Pod, podNamed("db-0"));
  });
  const { admin, client } = rig;
  const labels = { app: "db" };
  const set = await admin.create(StatefulSet, {
    metadata: { name: "db", namespace: "default" },
    spec: {
      replicas: 1,
      serviceName: "db",
      podManagementPolicy: "Parallel",
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  });
  const own = podNamed("db-0");
  own.metadata.labels = labels; // without those of the pod's identity
  setControllerReference(own, set, StatefulSet);
  await admin.create(Pod, own);
  await assert.rejects(reconcileOnce(statefulSetController, "default/db", { client }), isConflict);
  const { metadata } = await admin.get(Pod, "default/db-0");
  assert.deepEqual([metadata.ownerReferences, metadata.labels], [undefined, undefined]);
});

Deno.test("a released volume that is to be retained just before its deletion is kept", async () => {
  await using rig = await rigWith("DELETE", "/persistentvolumes/data", async (admin) => {
    const spec = { persistentVolumeReclaimPolicy: "Retain" };
    await admin.patch(PersistentVolume, "data", mergePatch<V1PersistentVolume>({ spec }));
  });
  const { admin, client } = rig;
  const provisioner = "xca.k8s.kb.cx/pretend";
  await admin.create(PersistentVolume, {
    metadata: {
      name: "data",
      annotations: { "pv.kubernetes.io/provisioned-by": provisioner },
      finalizers: ["example.org/kept"],
    },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      hostPath: { path: "/data" },
      persistentVolumeReclaimPolicy: "Delete",
    },
  });
  const body = { status: { phase: "Released" } };
  await admin.patchStatus(PersistentVolume, "data", { type: "merge", body } as never);
  await assert.rejects(reconcileOnce(volumeDeletionController, "data", { client }), isConflict);
  const { metadata } = await admin.get(PersistentVolume, "data");
  assert.equal(metadata.deletionTimestamp, undefined);
});

Deno.test("a pod of a Job that the cache does not show yet keeps its tracking finalizer", async () => {
  await using server = await ApiServer.start();
  await using earlier = await ApiServer.start();
  using admin = clientOf(server);
  using client = clientOf(server, {
    through: (fetch) => async (request) =>
      new URL(request.url).pathname.endsWith("/jobs")
        ? await earlier.fetch(request)
        : await fetch(request),
  });
  const pod = podNamed("work-1");
  pod.metadata.finalizers = [TRACKING];
  setControllerReference(pod, await admin.create(Job, job()), Job);
  await admin.create(Pod, pod);
  await reconcileOnce(jobOrphansController, keyOf(pod), { client });
  assert.deepEqual((await admin.get(Pod, keyOf(pod))).metadata.finalizers, [TRACKING]);
  await admin.delete(Job, "default/work", { propagationPolicy: "Orphan" });
  await reconcileOnce(jobOrphansController, keyOf(pod), { client });
  assert.equal((await admin.get(Pod, keyOf(pod))).metadata.finalizers, undefined);
});
