/**
 * The controllers of the simulated cluster, each with a scenario in which it makes all its kinds of
 * writes, for crashes at these writes.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  CertificateSigningRequest,
  CronJob,
  Deployment,
  Node,
  Pod,
} from "../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../lib/client/mod.ts";
import type { ContainerScript } from "../../lib/cluster/mod.ts";
import type { CrashOptions } from "./crash_at_each_write.ts";
import { ADAPTER_METRICS } from "./scenarios/adapter_metrics.ts";
import { TOPOLOGY } from "./scenarios/topology.ts";
import { TRUST_BUNDLES } from "./scenarios/trust_bundles.ts";
import { SCENARIOS, withKinds } from "./scenarios/mod.ts";
import { deployment } from "./scenarios/parts.ts";
import type { Scenario, Stage } from "./world.ts";

/** A CronJob that runs every minute, three times. */
const everyMinute: Scenario = {
  name: "CronJob every minute",
  run: async ({ client, namespace, pass }) => {
    await client.create(CronJob, {
      metadata: { name: "tick", namespace },
      spec: {
        schedule: "* * * * *",
        successfulJobsHistoryLimit: 1,
        jobTemplate: {
          spec: {
            template: {
              spec: { containers: [{ name: "app", image: "app:1" }], restartPolicy: "Never" },
            },
          },
        },
      },
    });
    for (let second = 0; second < 150; second++) await pass(1000);
    const patch = mergePatch({ spec: { suspend: true } });
    await client.patch(CronJob, `${namespace}/tick`, patch);
  },
};

/** A node whose kubelet stops reporting, so that its pods are evicted and then force-deleted. */
const silentNode: Scenario = {
  name: "silent node",
  run: async (stage) => {
    const { client, namespace } = stage;
    const { metadata, spec } = deployment();
    await client.create(Deployment, { metadata: { ...metadata, namespace }, spec });
    await stage.settle();
    const annotations = { "kubelet.xca.k8s.kb.cx/pretend": null };
    await client.patch(Node, "node-1", mergePatch({ metadata: { annotations } } as never));
    for (let step = 0; step < 80; step++) await stage.pass(5000);
    for (const { metadata, spec } of (await client.list(Pod, { namespace })).items) {
      if (spec?.nodeName !== "node-1") continue;
      await client.delete(Pod, stage.key(metadata.name!), { gracePeriodSeconds: 0 });
    }
  },
};

/** Terminates each pod after a second, as the Jobs of a CronJob do. */
const short = (): ContainerScript => ({ runMs: 1000 });

/** Returns the scenario of a name. */
export const named = (name: string): Scenario => {
  const found = [...SCENARIOS, ...[ADAPTER_METRICS, TOPOLOGY, TRUST_BUNDLES].flatMap(withKinds)]
    .find((scenario) => scenario.name === name);
  assert(found, `There is no scenario ${name}`);
  return found;
};

/** A CertificateSigningRequest that is denied, and is deleted an hour later. */
const deniedRequest: Scenario = {
  name: "CertificateSigningRequest deleted an hour after its denial",
  run: async (stage) => {
    await named("CertificateSigningRequest of a user, denied").run(stage);
    for (let minute = 0; minute < 61; minute++) await stage.pass(60_000);
  },
};

async function signingRequests({ client }: Stage): Promise<unknown> {
  const { items } = await client.list(CertificateSigningRequest);
  return items.map(({ metadata }) => metadata.name);
}

async function cronJobs({ client, namespace }: Stage): Promise<unknown> {
  const { items } = await client.list(CronJob, { namespace });
  return items.map(({ spec, status }) => [spec?.suspend, status?.active?.length]);
}

/** The options for scenarios of autoscalers, which are reconciled every 15 seconds. */
const scaled = { metrics: ADAPTER_METRICS.metrics!, restSeconds: 40 };

/** The controllers, each with a scenario in which it makes all its kinds of writes. */
export const CRASHES: readonly (readonly [
  controller: string,
  scenario: Scenario,
  options: Omit<CrashOptions, "scenario" | "controllers" | "crashes">,
])[] = [
  [
    "certificatesigningrequest-approving-controller",
    named("CertificateSigningRequest of a kubelet"),
    {},
  ],
  [
    "certificatesigningrequest-cleaner-controller",
    deniedRequest,
    { state: signingRequests },
  ],
  [
    "certificatesigningrequest-signing-controller",
    named("CertificateSigningRequest with alternative names"),
    {},
  ],
  [
    "certificatesigningrequest-signing-controller",
    named("CertificateSigningRequest without client authentication"),
    {},
  ],
  ["daemonset-controller", named("DaemonSet broken image with surge"), {}],
  ["disruption-controller", named("PodDisruptionBudget an eviction"), {}],
  ["deployment-controller", named("broken image"), {}],
  ["pod-garbage-collector-controller", named("pod GC of a node that is gone"), {}],
  ["replicaset-controller", named("adopt and release"), {}],
  ["replicationcontroller-controller", named("ReplicationController release"), {}],
  ["root-ca-certificate-publisher-controller", named("certificates that are changed"), {}],
  [
    "kube-apiserver-serving-clustertrustbundle-publisher-controller",
    named("ClusterTrustBundle of other certificates beside others"),
    {},
  ],
  ["serviceaccount-token-controller", named("token Secrets whose account is deleted"), {}],
  ["serviceaccount-token-controller", named("token Secret whose token is removed"), {}],
  ["serviceaccount-controller", named("default service account that was deleted"), {}],
  ["statefulset-controller", named("StatefulSet with claims of the StatefulSet"), {}],
  ["endpointslice-controller", named("Service with other ports later"), {}],
  ["endpointslice-controller", named("Service without pods left"), {}],
  ["endpointslice-controller", named("Hints without the annotation later"), {}],
  ["endpointslice-controller", named("Hints of pods that come later"), {}],
  ["endpoints-controller", named("Endpoints with other labels and ports later"), {}],
  ["endpoints-controller", named("Endpoints whose Service was deleted"), {}],
  [
    "endpointslice-mirroring-controller",
    named("Endpoints mirrored with other ports later"),
    {},
  ],
  ["endpointslice-mirroring-controller", named("Endpoints mirrored and then no longer"), {}],
  ["horizontal-pod-autoscaler-controller", named("Autoscaler from zero by a Service"), scaled],
  ["horizontal-pod-autoscaler-controller", named("Autoscaler queue idle to zero"), scaled],
  ["horizontal-pod-autoscaler-controller", named("Autoscaler queue per pod"), scaled],
  ["job-controller", named("Job adopts a pod that ends then"), {}],
  ["job-controller", named("Job an adopted pod is released"), {}],
  ["resourcequota-controller", named("ResourceQuota of other resources later"), {}],
  ["resourcequota-controller", named("ResourceQuota of Deployments, deleted"), {}],
  ["job-controller", named("Job indexed"), {}],
  ["job-controller", named("Job failing"), {}],
  ["job-controller", named("Job suspended and resumed"), {}],
  ["cronjob-controller", everyMinute, { script: short, state: cronJobs }],
  ["cronjob-controller", named("CronJob without a history"), {}],
  ["node-lifecycle-controller", silentNode, {}],
  ["taint-eviction-controller", silentNode, {}],
  ["ephemeral-volume-controller", named("Volumes ephemeral"), {}],
  ["persistentvolume-binder-controller", named("Volumes retained"), {}],
  ["persistentvolumeclaim-protection-controller", named("Volumes provisioned and deleted"), {}],
  ["persistentvolume-protection-controller", named("Volumes provisioned and deleted"), {}],
  ["pretend-provisioner", named("Volumes provisioned and deleted"), {}],
  ["scheduler", named("create"), {}],
  ["scheduler", named("Volumes first consumer of a local volume"), {}],
  ["kubelet", named("create"), {}],
];
