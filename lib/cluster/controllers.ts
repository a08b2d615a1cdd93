// Mirrors `kube-controller-manager/app/controllermanager.go, NewControllerDescriptors`.
import { getLogger } from "@logtape/logtape";
import { selectNames, unknownName } from "@xca/apimachinery/internal/base";
import type { ControllerDefinition } from "../controller/definition/controller_definition.ts";
import { approvingController } from "./certificates/approving_controller.ts";
import { cleanerController } from "./certificates/cleaner_controller.ts";
import { signingController } from "./certificates/signing_controller.ts";
import {
  TRUST_BUNDLE_PUBLISHER,
  trustBundlePublisher,
} from "./certificates/trust_bundle_publisher.ts";
import { cronJobController } from "./cron_job/cron_job_controller.ts";
import { endpointSliceController } from "./services/endpoint_slice/endpoint_slice_controller.ts";
import { endpointSliceMirroringController } from "./services/mirroring/mirroring_controller.ts";
import { endpointsController } from "./services/endpoints/endpoints_controller.ts";
import { daemonSetController } from "./daemon_set/daemon_set_controller.ts";
import { deploymentController } from "./deployment/deployment_controller.ts";
import { disruptionController } from "./disruption/disruption_controller.ts";
import { staleDisruptionController } from "./disruption/stale_disruption_controller.ts";
import { autoscalerController } from "./horizontal_pod_autoscaler/autoscaler_controller.ts";
import type { MetricsReader } from "./horizontal_pod_autoscaler/metric_facts.ts";
import { jobController } from "./job/job_controller.ts";
import { jobOrphansController } from "./job/orphan_pods_controller.ts";
import { ttlAfterFinishedController } from "./job/ttl_controller.ts";
import { nodeHeartbeatController } from "./kubelet/node_controller.ts";
import { podLifecycleController } from "./kubelet/pod_controller.ts";
import { type KubeletAddress } from "./kubelet/pretend_node.ts";
import { resourceQuotaController } from "./resource_quota/resource_quota_controller.ts";
import { rootCaPublisher } from "./namespaces/root_ca_publisher.ts";
import { serviceAccountController } from "./namespaces/service_account_controller.ts";
import { tokenReferenceController } from "./service_accounts/reference_controller.ts";
import { tokenCleaner } from "./service_accounts/token_cleaner.ts";
import { tokenController } from "./service_accounts/token_controller.ts";
import { nodeLifecycleController } from "./nodes/node_lifecycle_controller.ts";
import { taintEvictionController } from "./nodes/taint_eviction_controller.ts";
import { podGarbageCollector } from "./pod_gc/pod_gc_controller.ts";
import { replicaSetController } from "./replica_set/replica_set_controller.ts";
import { replicationController } from "./replica_set/replication_controller.ts";
import { statefulSetController } from "./stateful_set/stateful_set_controller.ts";
import { schedulerController } from "./scheduler/scheduler_controller.ts";
import { claimController } from "./volumes/claim_controller.ts";
import { ephemeralVolumeController } from "./volumes/ephemeral_controller.ts";
import { provisioningController, volumeDeletionController } from "./volumes/pretend_provisioner.ts";
import {
  claimProtectionController,
  volumeProtectionController,
} from "./volumes/protection_controllers.ts";
import { volumeController } from "./volumes/volume_controller.ts";
import type { ClusterOptions } from "./cluster_options.ts";
import { currentControllerNames } from "./controller_names.ts";

const logger = getLogger(["xca", "cluster"]);

/**
 * The options of a cluster, with the values that several of its controllers share: the kubelet's
 * address, the certificates of the API server's authority, and the reader of metrics.
 */
export interface MakerContext extends ClusterOptions {
  readonly kubelet?: KubeletAddress | undefined;
  /**
   * The reader of the metrics that HorizontalPodAutoscalers scale by.
   *
   * @default {the metrics APIs of the API server}
   */
  readonly reader?: Partial<MetricsReader> | undefined;
  /**
   * The certificates of the authority that signed the API server's certificate, as PEM: those of
   * the option `rootCa`, or else of the client's configuration; `undefined` if neither has them.
   */
  readonly authority?: string | undefined;
}

/**
 * The functions that create the cluster's controllers, by the names that select them in the option
 * `controllers`.
 */
const MAKERS: Readonly<
  Record<string, (context: MakerContext) => readonly ControllerDefinition[]>
> = {
  "certificatesigningrequest-approving-controller": () => [approvingController],
  "certificatesigningrequest-cleaner-controller": () => [cleanerController],
  "certificatesigningrequest-signing-controller": ({ clusterSigning }) => [
    signingController(clusterSigning!),
  ],
  "cronjob-controller": () => [cronJobController()],
  "daemonset-controller": () => [daemonSetController()],
  "deployment-controller": () => [deploymentController],
  "disruption-controller": () => [disruptionController(), staleDisruptionController],
  "endpoints-controller": () => [endpointsController()],
  "endpointslice-controller": () => [endpointSliceController()],
  "endpointslice-mirroring-controller": () => [endpointSliceMirroringController()],
  "ephemeral-volume-controller": () => [ephemeralVolumeController],
  "horizontal-pod-autoscaler-controller": ({ reader }) => [autoscalerController(reader)],
  "job-controller": () => [jobController(), jobOrphansController],
  kubelet: ({ script, kubelet }) => [
    nodeHeartbeatController(kubelet),
    podLifecycleController(script),
  ],
  [TRUST_BUNDLE_PUBLISHER]: ({ authority }) => [trustBundlePublisher(authority!)],
  "legacy-serviceaccount-token-cleaner-controller": () => [tokenCleaner()],
  "node-lifecycle-controller": () => [nodeLifecycleController()],
  "persistentvolume-binder-controller": () => [claimController, volumeController],
  "persistentvolume-protection-controller": () => [volumeProtectionController],
  "persistentvolumeclaim-protection-controller": () => [claimProtectionController],
  "pretend-provisioner": () => [provisioningController, volumeDeletionController],
  "pod-garbage-collector-controller": (options) => [podGarbageCollector(options)],
  "replicaset-controller": () => [replicaSetController],
  "replicationcontroller-controller": () => [replicationController],
  "resourcequota-controller": () => [resourceQuotaController()],
  "root-ca-certificate-publisher-controller": ({ authority }) => [rootCaPublisher(authority!)],
  scheduler: () => [schedulerController()],
  "serviceaccount-controller": () => [serviceAccountController],
  "serviceaccount-token-controller": ({ serviceAccountKey: key, authority: rootCa }) => [
    tokenController({ key: key!, rootCa }),
    tokenReferenceController(),
  ],
  "statefulset-controller": () => [statefulSetController],
  "taint-eviction-controller": () => [taintEvictionController()],
  "ttl-after-finished-controller": () => [ttlAfterFinishedController],
};

/**
 * A record, by controller name, of the cluster option that the controller cannot run without, and
 * of the text that errors and log messages contain when the option is missing.
 */
const NEEDS: Readonly<
  Record<string, { readonly option: keyof MakerContext; readonly hint: string }>
> = {
  "certificatesigningrequest-signing-controller": {
    option: "clusterSigning",
    hint: "the authority that issues certificates: give the option clusterSigning, with the " +
      "certificate and key of an authority whose client certificates the API server accepts",
  },
  [TRUST_BUNDLE_PUBLISHER]: {
    option: "authority",
    hint: "the certificates of the API server's authority: give the option rootCa, or a client " +
      "whose configuration has them",
  },
  "root-ca-certificate-publisher-controller": {
    option: "authority",
    hint: "the certificates of the API server's authority: give the option rootCa, or a client " +
      "whose configuration has them",
  },
  "serviceaccount-token-controller": {
    option: "serviceAccountKey",
    hint:
      "the key that signs service account tokens: give the option serviceAccountKey, with the " +
      "key of the API server",
  },
};

/**
 * The names of the controllers that {@linkcode startCluster} can start: many of those of
 * kube-controller-manager, the scheduler, the simulated kubelet, and the simulated volume
 * provisioner.
 */
export const CLUSTER_CONTROLLERS: readonly string[] = Object.keys(MAKERS);

/**
 * Returns the names of the controllers that a list selects, as {@linkcode startCluster} reads its
 * option `controllers`, in the order of {@linkcode CLUSTER_CONTROLLERS}. If a name is both selected
 * and left out, the first mention counts.
 *
 * @throws {RangeError} When a name is unknown, or the list selects none.
 * @throws {TypeError} When the value is not a list of names.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { selectedControllers } from "@xca/operator/cluster";
 *
 * assert.deepEqual(selectedControllers(["scheduler", "job"]), [
 *   "job-controller",
 *   "scheduler",
 * ]);
 * ```
 */
export function selectedControllers(list: readonly string[]): string[] {
  const current = currentControllerNames(list);
  const unknown = unknownName(current, CLUSTER_CONTROLLERS);
  if (unknown !== undefined) {
    const known = CLUSTER_CONTROLLERS.join(", ");
    throw new RangeError(`Cannot start controller ${JSON.stringify(unknown)}: known are ${known}`);
  }
  const names = selectNames(current, CLUSTER_CONTROLLERS);
  if (names.length > 0) return names;
  throw new RangeError(
    `Cannot start a cluster without controllers: ${JSON.stringify(list)} selects none, "*" all`,
  );
}

/**
 * Returns the names of those selected controllers whose required cluster options are given. The
 * other controllers do not run; the function logs a message about each.
 *
 * @throws {RangeError} When a controller that lacks its option was selected by its name.
 */
export function runnableControllers(
  names: readonly string[],
  context: MakerContext,
): string[] {
  return names.filter((name) => {
    const { option, hint } = NEEDS[name] ?? {};
    if (option === undefined || context[option] !== undefined) return true;
    if (currentControllerNames(context.controllers ?? []).includes(name)) {
      throw new RangeError(`Cannot start controller ${JSON.stringify(name)}: it needs ${hint}`);
    }
    logger.info("Controller {name} does not run: it needs {hint}", { name, hint });
    return false;
  });
}

/**
 * Returns the definitions of the cluster's controllers that have the given names. The names must be
 * those that {@linkcode runnableControllers} returned for the context.
 */
export function controllersOf(
  names: readonly string[],
  context: MakerContext,
): ControllerDefinition[] {
  return names.flatMap((name) => MAKERS[name]!(context));
}
