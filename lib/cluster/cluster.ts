// Mirrors `kube-controller-manager/app/controllermanager.go, NewControllerDescriptors`.
import { getLogger } from "@logtape/logtape";
import { type Clock, type Random, systemClock } from "@xca/apimachinery/base";
import { Node, Pod, StorageClass } from "@xca/apimachinery/meta";
import { attempt } from "@xca/apimachinery/internal/base";
import type { PemPair } from "@xca/apimachinery/pki";
import type { Client } from "../client/typed/client.ts";
import type { ControllerDefinition } from "../controller/definition/controller_definition.ts";
import { defineOperator } from "../controller/operator/operator.ts";
import { runOperator } from "../controller/operator/run_operator.ts";
import type { OperatorHandle } from "../controller/ports/operator_progress.ts";
import { approvingController } from "./certificates/approving_controller.ts";
import { cleanerController } from "./certificates/cleaner_controller.ts";
import { signingController } from "./certificates/signing_controller.ts";
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
import { handledMetrics } from "./horizontal_pod_autoscaler/metric_requests.ts";
import { cachedUsage } from "./horizontal_pod_autoscaler/pod_metrics.ts";
import { jobController } from "./job/job_controller.ts";
import { jobOrphansController } from "./job/orphan_pods_controller.ts";
import { ttlAfterFinishedController } from "./job/ttl_controller.ts";
import { type PodScripter, type ScriptOf, scriptsOf } from "./kubelet/container_script.ts";
import { nodeHeartbeatController } from "./kubelet/node_controller.ts";
import { podLifecycleController } from "./kubelet/pod_controller.ts";
import { type KubeletAddress, nodeStatus, pretendNode } from "./kubelet/pretend_node.ts";
import type { KubeletHandlers } from "./kubelet/streams/container_process.ts";
import { KUBELET_HOST, KubeletListener } from "./kubelet/streams/kubelet_listener.ts";
import { resourceQuotaController } from "./resource_quota/resource_quota_controller.ts";
import { rootCaPublisher } from "./namespaces/root_ca_publisher.ts";
import { serviceAccountController } from "./namespaces/service_account_controller.ts";
import { tokenReferenceController } from "./service_accounts/reference_controller.ts";
import { tokenCleaner } from "./service_accounts/token_cleaner.ts";
import { tokenController } from "./service_accounts/token_controller.ts";
import {
  adapterAnswer,
  type AdapterSource,
  type MetricsApi,
  servedMetrics,
} from "./metrics/adapter_requests.ts";
import type { MetricsHandlers } from "./metrics/metrics_handlers.ts";
import { METRICS_GROUP, METRICS_VERSION, metricsAnswer } from "./metrics/metrics_requests.ts";
import { registerMetrics } from "./metrics/register_metrics.ts";
import { nodeLifecycleController } from "./nodes/node_lifecycle_controller.ts";
import { taintEvictionController } from "./nodes/taint_eviction_controller.ts";
import type { ReadPod } from "./pods/pod_state.ts";
import { podGarbageCollector } from "./pod_gc/pod_gc_controller.ts";
import { replicaSetController } from "./replica_set/replica_set_controller.ts";
import { replicationController } from "./replica_set/replication_controller.ts";
import { statefulSetController } from "./stateful_set/stateful_set_controller.ts";
import { schedulerController } from "./scheduler/scheduler_controller.ts";
import { claimController } from "./volumes/claim_controller.ts";
import {
  pretendClass,
  provisioningController,
  volumeDeletionController,
} from "./volumes/pretend_provisioner.ts";
import {
  claimProtectionController,
  volumeProtectionController,
} from "./volumes/protection_controllers.ts";
import { volumeController } from "./volumes/volume_controller.ts";
import { ignoreAlreadyExists } from "./writes/expected_failures.ts";

const logger = getLogger(["xca", "cluster"]);

/** The options of a cluster, and the servers that its controllers share. */
interface MakerContext extends ClusterOptions {
  readonly kubelet?: KubeletAddress | undefined;
  /** The sources of metrics. @default {the metrics APIs of the server} */
  readonly reader?: Partial<MetricsReader> | undefined;
  /** The certificates of the API server's authority. */
  readonly authority?: string | undefined;
}

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
  "horizontal-pod-autoscaler-controller": ({ reader }) => [autoscalerController(reader)],
  "job-controller": () => [jobController(), jobOrphansController],
  kubelet: ({ script, kubelet }) => [
    nodeHeartbeatController(kubelet),
    podLifecycleController(script),
  ],
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

/** The options that controllers need, each with what to give in an error. */
const NEEDS: Readonly<
  Record<string, { readonly option: keyof MakerContext; readonly hint: string }>
> = {
  "certificatesigningrequest-signing-controller": {
    option: "clusterSigning",
    hint: "the authority that issues certificates: give the option clusterSigning, with the " +
      "certificate and key of an authority whose client certificates the API server accepts",
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
 * The names of the controllers that {@linkcode startCluster} can start: those of
 * kube-controller-manager, the scheduler, and the pretended kubelet.
 */
export const CLUSTER_CONTROLLERS: readonly string[] = Object.keys(MAKERS);

/** Options of {@linkcode startCluster}. */
export interface ClusterOptions {
  /** The client of the controllers, which needs all rights. It is not closed at the end. */
  readonly client: Client;
  /**
   * The controllers to start, as the flag `--controllers` of kube-controller-manager has them: names,
   * `*` for all, and names after a minus sign for those to leave out.
   *
   * @default {["*"]}
   */
  readonly controllers?: readonly string[];
  /**
   * The number of pretended nodes to register, named `node-1` and so on. Without nodes there is no
   * default StorageClass either.
   *
   * @default {3}
   */
  readonly nodes?: number;
  /**
   * Returns the script of a pod's container; `undefined` for that of the pod's annotation
   * `kubelet.xca.k8s.kb.cx/script`, or the default behaviour.
   *
   * @default {none}
   */
  readonly script?: PodScripter;
  /**
   * The functions that stand for the programs in the containers, for `kubectl exec`, `attach` and
   * `port-forward`.
   *
   * @default {none: no program exists, and no port is open}
   */
  readonly handlers?: KubeletHandlers;
  /**
   * The functions that return metrics other than CPU and memory, by which autoscalers scale. Their APIs
   * are served while the pretended kubelet runs.
   *
   * @default {none: neither custom nor external metrics are served}
   */
  readonly metrics?: MetricsHandlers;
  /**
   * The number of ended pods from which the oldest ones are deleted; 0 keeps all.
   *
   * @default {12_500}
   */
  readonly terminatedPodThreshold?: number;
  /**
   * The certificates of the authority that signed the API server's certificate, as PEM. They are
   * published as the ConfigMap `kube-root-ca.crt` of each namespace; without any, the controller
   * `root-ca-certificate-publisher-controller` does not run.
   *
   * @default {the authority of the client's configuration}
   */
  readonly rootCa?: string;
  /**
   * The private key with which the API server signs service account tokens (PKCS #8 as PEM text). With
   * it Secrets of type `kubernetes.io/service-account-token` get tokens; without it the controller
   * `serviceaccount-token-controller` does not run.
   *
   * @default {none}
   */
  readonly serviceAccountKey?: string;
  /**
   * The port that nodes and the registration of the metrics API name as that of the kubelet, for an API
   * server that reaches the kubelet at another one than it listens on.
   *
   * @default {the port that the kubelet listens on}
   */
  readonly namedKubeletPort?: number;
  /**
   * The certificate and the private key of the authority that issues the certificates of approved
   * CertificateSigningRequests, as PEM texts. An API server that trusts the authority accepts the
   * issued client certificates. Without it the controller
   * `certificatesigningrequest-signing-controller` does not run.
   *
   * @default {none}
   */
  readonly clusterSigning?: PemPair;
  /** The clock of the controllers. @default {systemClock} */
  readonly clock?: Clock;
  /** The random number source of the controllers. @default {systemRandom} */
  readonly random?: Random;
}

/** The running controllers of a cluster; `await using` stops them. */
export interface Cluster extends OperatorHandle {
  /** The port of loopback that the kubelet listens on; `undefined` without a kubelet. */
  readonly kubeletPort: number | undefined;
}

/** The largest number of nodes, whose networks of pods have an address each. */
const MOST_NODES = 1000;

/**
 * Starts the controllers of a cluster on an API server: Deployments get ReplicaSets, these get pods,
 * pods get nodes, and the containers of the nodes are pretended.
 *
 * The nodes, and the default StorageClass `standard` of the pretended provisioner, are created before
 * it resolves; those that exist stay as they are.
 *
 * The kubelet listens on a free port of loopback, without authentication, so that API servers reach
 * it for logs and commands. A process that may not listen runs without.
 *
 * A controller that needs an option which is not given does not run, and a line in the log says so.
 *
 * @throws {RangeError} When a controller is unknown, is named but lacks an option, none is selected, or
 * the number of nodes is out of range.
 * @throws {ApiError} When the server refuses a node.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { startCluster } from "@xca/operator/cluster";
 * import { Deployment } from "@xca/operator/meta";
 * import { ApiServer, clientOf, expectObject } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * await using _cluster = await startCluster({ client });
 * const labels = { app: "web" };
 * await client.create(Deployment, {
 *   metadata: { name: "web", namespace: "default" },
 *   spec: {
 *     replicas: 3,
 *     selector: { matchLabels: labels },
 *     template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } },
 *   },
 * });
 * await expectObject(server, Deployment, "default/web", { status: { availableReplicas: 3 } });
 * ```
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { client, clock, random, nodes = 3, controllers = ["*"] } = options;
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > MOST_NODES) {
    throw new RangeError(`Cannot start ${nodes} nodes: give a number from 0 to ${MOST_NODES}`);
  }
  const authority = options.rootCa ?? client.config.tls?.caData;
  const names = runnable(selectedControllers(controllers), { ...options, authority });
  await using stack = new AsyncDisposableStack();
  const listener = names.includes("kubelet") ? stack.use(openKubelet(options)) : undefined;
  const kubelet = listener && kubeletAddress(listener, options);
  const context = {
    ...options,
    authority,
    ...(kubelet && { kubelet }),
    reader: {
      ...(names.includes("kubelet") && { usage: cachedUsage(scriptedBy(options)) }),
      ...(options.metrics && { request: handledMetrics(options.metrics) }),
    },
  };
  const operator = defineOperator({
    name: "cluster",
    controllers: names.flatMap((name) => MAKERS[name]!(context)),
  });
  await Promise.all(Array.from({ length: nodes }, (_, index) => registerNode(context, index + 1)));
  if (nodes > 0) await ignoreAlreadyExists(client.create(StorageClass, pretendClass()));
  if (kubelet && nodes > 0) await registerMetrics(client, kubelet.port, servedApis(options));
  const handle = runOperator(operator, { client, clock, random });
  return closing(handle, stack.move(), listener?.port);
}

/** Creates a node with the status that its kubelet reports at once; one that exists stays. */
async function registerNode(
  { client, clock = systemClock, kubelet }: MakerContext,
  number: number,
): Promise<void> {
  const node = pretendNode(number);
  const status = nodeStatus(node, clock.now(), kubelet);
  await ignoreAlreadyExists(client.create(Node, { ...node, status }));
}

/** Starts the server of the kubelet; `undefined` when this process may not listen. */
function openKubelet(options: ClusterOptions): KubeletListener | undefined {
  const { client, clock = systemClock, handlers = {} } = options;
  const source = { client, clock, handlers, scriptsOf: scriptedBy(options) };
  const adapter: AdapterSource = {
    clock,
    metrics: options.metrics,
    podsOf: async (namespace) => (await client.list(Pod, { namespace })).items as ReadPod[],
  };
  const extension = async (request: Request): Promise<Response | undefined> =>
    await metricsAnswer(source, request) ?? await adapterAnswer(adapter, request);
  return KubeletListener.open({ ...source, extension });
}

/** Returns the APIs of metrics that the kubelet's server serves. */
function servedApis({ metrics = {} }: ClusterOptions): readonly MetricsApi[] {
  return [{ group: METRICS_GROUP, version: METRICS_VERSION }, ...servedMetrics(metrics)];
}

/** Returns a function that returns the scripts of a pod; a pod with a wrong script has none. */
function scriptedBy({ script }: ClusterOptions): (pod: ReadPod) => ScriptOf {
  return (pod) => attempt(() => scriptsOf(pod, script)) ?? (() => undefined);
}

/** Returns the address that nodes name as that of their kubelet. */
function kubeletAddress(
  { port }: KubeletListener,
  { namedKubeletPort = port }: ClusterOptions,
): KubeletAddress {
  return { host: KUBELET_HOST, port: namedKubeletPort };
}

/** Returns the handle of a cluster's operator that releases resources after it has stopped. */
function closing(
  handle: OperatorHandle,
  resources: AsyncDisposable,
  kubeletPort: number | undefined,
): Cluster {
  const done = handle.done.finally(() => resources[Symbol.asyncDispose]());
  done.catch(() => {}); // The caller gets the error from `done` or `stop`.
  return {
    kubeletPort,
    ready: handle.ready,
    done,
    stop: async () => {
      await handle.stop();
      await done;
    },
    progress: () => handle.progress(),
    report: (query) => handle.report(query),
    settled: () => handle.settled(),
    idle: () => handle.idle(),
    async [Symbol.asyncDispose]() {
      await handle[Symbol.asyncDispose]();
      await done;
    },
  };
}

/**
 * Returns the names of the controllers that a list selects, as {@linkcode startCluster} reads its
 * option `controllers`.
 *
 * @throws {RangeError} When a name is unknown, or the list selects none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { selectedControllers } from "@xca/operator/cluster";
 *
 * assert.deepEqual(selectedControllers(["scheduler", "kubelet", "-kubelet"]), ["scheduler"]);
 * ```
 */
export function selectedControllers(list: readonly string[]): string[] {
  const unknown = list.map((name) => name.replace(/^-/, ""))
    .find((name) => name !== "*" && !Object.hasOwn(MAKERS, name));
  if (unknown !== undefined) {
    const known = CLUSTER_CONTROLLERS.join(", ");
    throw new RangeError(`Cannot start controller ${JSON.stringify(unknown)}: known are ${known}`);
  }
  const names = CLUSTER_CONTROLLERS.filter((name) =>
    !list.includes(`-${name}`) && (list.includes("*") || list.includes(name))
  );
  if (names.length > 0) return names;
  throw new RangeError(
    `Cannot start a cluster without controllers: ${JSON.stringify(list)} selects none, "*" all`,
  );
}

/**
 * Returns the names of the selected controllers that have the options which they need. The log has
 * those that do not run.
 *
 * @throws {RangeError} If one of them was selected by its name.
 */
function runnable(names: readonly string[], context: MakerContext): string[] {
  return names.filter((name) => {
    const { option, hint } = NEEDS[name] ?? {};
    if (option === undefined || context[option] !== undefined) return true;
    if (context.controllers?.includes(name)) {
      throw new RangeError(`Cannot start controller ${JSON.stringify(name)}: it needs ${hint}`);
    }
    logger.info("Controller {name} does not run: it needs {hint}", { name, hint });
    return false;
  });
}
