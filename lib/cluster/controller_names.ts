// Mirrors `kube-controller-manager/app/controller_descriptor.go, ControllerAliases`.

/**
 * A record of the present names of controllers by the older names that the flag `--controllers` of
 * kube-controller-manager accepts too.
 */
const ALIASES: Readonly<Record<string, string>> = {
  "clusterrole-aggregation": "clusterrole-aggregation-controller",
  cronjob: "cronjob-controller",
  csrapproving: "certificatesigningrequest-approving-controller",
  csrcleaner: "certificatesigningrequest-cleaner-controller",
  csrsigning: "certificatesigningrequest-signing-controller",
  daemonset: "daemonset-controller",
  deployment: "deployment-controller",
  disruption: "disruption-controller",
  endpoint: "endpoints-controller",
  endpointslice: "endpointslice-controller",
  endpointslicemirroring: "endpointslice-mirroring-controller",
  "ephemeral-volume": "ephemeral-volume-controller",
  garbagecollector: "garbage-collector-controller",
  horizontalpodautoscaling: "horizontal-pod-autoscaler-controller",
  job: "job-controller",
  "legacy-service-account-token-cleaner": "legacy-serviceaccount-token-cleaner-controller",
  namespace: "namespace-controller",
  nodelifecycle: "node-lifecycle-controller",
  "persistentvolume-binder": "persistentvolume-binder-controller",
  podgc: "pod-garbage-collector-controller",
  "pv-protection": "persistentvolume-protection-controller",
  "pvc-protection": "persistentvolumeclaim-protection-controller",
  replicaset: "replicaset-controller",
  replicationcontroller: "replicationcontroller-controller",
  resourcequota: "resourcequota-controller",
  "root-ca-cert-publisher": "root-ca-certificate-publisher-controller",
  serviceaccount: "serviceaccount-controller",
  "serviceaccount-token": "serviceaccount-token-controller",
  statefulset: "statefulset-controller",
  "ttl-after-finished": "ttl-after-finished-controller",
};

/**
 * Returns a copy of a list of controllers, in the syntax of kube-controller-manager's flag
 * `--controllers`, with the present names of the controllers in place of their older ones.
 *
 * @throws {TypeError} When the value is not a list of names.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { currentControllerNames } from "@xca/operator/cluster";
 *
 * assert.deepEqual(currentControllerNames(["*", "-job"]), ["*", "-job-controller"]);
 * ```
 */
export function currentControllerNames(list: readonly string[]): string[] {
  if (!Array.isArray(list) || list.some((name) => typeof name !== "string")) {
    throw new TypeError(
      'Cannot start controllers: give a list of their names, such as ["*", "-kubelet"]',
    );
  }
  return (list as readonly string[]).map((name) => {
    const plain = name.replace(/^-/, "");
    if (!Object.hasOwn(ALIASES, plain)) return name;
    return name === plain ? ALIASES[plain]! : `-${ALIASES[plain]}`;
  });
}
