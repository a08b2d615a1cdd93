// Mirrors `kube-controller-manager/app/controllermanager.go, Run`.
import { systemClock } from "@xca/apimachinery/base";
import { Node, Pod, StorageClass } from "@xca/apimachinery/meta";
import type { Client } from "../client/typed/client.ts";
import { defineOperator } from "../controller/operator/operator.ts";
import { runOperator } from "../controller/operator/run_operator.ts";
import type { OperatorHandle } from "../controller/ports/operator_progress.ts";
import { hasTrustBundles, TRUST_BUNDLE_PUBLISHER } from "./certificates/trust_bundle_publisher.ts";
import { handledMetrics } from "./horizontal_pod_autoscaler/metric_requests.ts";
import { cachedUsage } from "./horizontal_pod_autoscaler/pod_metrics.ts";
import { type ScriptOf, validScriptsOf } from "./kubelet/pod_scripts.ts";
import { type KubeletAddress, nodeStatus, pretendNode } from "./kubelet/pretend_node.ts";
import { KUBELET_HOST, KubeletListener } from "./kubelet/streams/kubelet_listener.ts";
import { PodPorts } from "./kubelet/streams/pod_ports.ts";
import {
  adapterAnswer,
  type AdapterSource,
  type MetricsApi,
  servedMetrics,
} from "./metrics/adapter_requests.ts";
import { METRICS_GROUP, METRICS_VERSION, metricsAnswer } from "./metrics/metrics_requests.ts";
import { registerMetrics } from "./metrics/register_metrics.ts";
import type { ReadPod } from "./pods/pod_state.ts";
import { pretendClass } from "./volumes/pretend_provisioner.ts";
import { ignoreAlreadyExists } from "./writes/expected_failures.ts";
import type { Cluster, ClusterOptions } from "./cluster_options.ts";
import {
  controllersOf,
  type MakerContext,
  runnableControllers,
  selectedControllers,
} from "./controllers.ts";

/**
 * The largest number of nodes of a simulated cluster. The number of a node is part of the IP
 * addresses of the node and its pods.
 */
const MOST_NODES = 1000;

/**
 * Starts the controllers of a simulated cluster on an API server: Deployments get ReplicaSets,
 * these get pods, pods get nodes, and a simulated kubelet reports containers as running without
 * running them.
 *
 * The nodes, and with at least one node the default StorageClass `standard` of the simulated
 * provisioner, are created before the returned promise resolves; existing objects are left
 * unchanged. If the kubelet listens and there are nodes, the metrics APIs that it serves are
 * registered with the API server too.
 *
 * The kubelet listens on a free port of loopback, without authentication, so that API servers reach
 * it for logs and commands. A process without the permission to listen runs no kubelet server.
 *
 * A controller whose required option is missing does not run; a log message names the option.
 *
 * @throws {RangeError} When a controller name is unknown, a controller that is selected by name
 *   lacks its required option, no controller is selected, or the number of nodes is not an integer
 *   between 0 and 1000.
 * @throws {TypeError} When `controllers` is not a list of names.
 * @throws {ApiError} When the server refuses the request for its served resources, a node, the
 *   StorageClass, or the registration of the metrics APIs.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { startCluster } from "@xca/operator/cluster";
 * import { Deployment } from "@xca/operator/meta";
 * import { ApiServer, clientOf, expectObject } from "@xca/operator/testing";
 *
 * await using server = await ApiServer.start();
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
  const runnable = runnableControllers(selectedControllers(controllers), { ...options, authority });
  const names = await withServedKinds(client, runnable);
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
    controllers: controllersOf(names, context),
  });
  await Promise.all(Array.from({ length: nodes }, (_, index) => registerNode(context, index + 1)));
  if (nodes > 0) await ignoreAlreadyExists(client.create(StorageClass, pretendClass()));
  if (kubelet && nodes > 0) await registerMetrics(client, kubelet.port, servedApis(options));
  const handle = runOperator(operator, { client, clock, random });
  return closing(handle, stack.move(), listener?.port);
}

/**
 * Returns the given controller names, without that of the trust bundle publisher if the API server
 * does not serve ClusterTrustBundles, which releases before 1.37 lack.
 */
async function withServedKinds(client: Client, names: readonly string[]): Promise<string[]> {
  if (!names.includes(TRUST_BUNDLE_PUBLISHER) || await hasTrustBundles(client)) return [...names];
  return names.filter((name) => name !== TRUST_BUNDLE_PUBLISHER);
}

/**
 * Creates a simulated node, with the status that its kubelet reports first. An existing node is
 * left unchanged.
 */
async function registerNode(
  { client, clock = systemClock, kubelet }: MakerContext,
  number: number,
): Promise<void> {
  const node = pretendNode(number);
  const status = nodeStatus(node, clock.now(), kubelet);
  await ignoreAlreadyExists(client.create(Node, { ...node, status }));
}

/**
 * Starts the HTTPS server of the simulated kubelet. Returns `undefined`, after a logged warning,
 * when this process cannot listen, for example for lack of the permission.
 */
function openKubelet(options: ClusterOptions): KubeletListener | undefined {
  const { client, clock = systemClock, handlers = {} } = options;
  const ports = handlers.http && new PodPorts(handlers.http);
  const source = { client, clock, handlers, ports, scriptsOf: scriptedBy(options) };
  const adapter: AdapterSource = {
    clock,
    metrics: options.metrics,
    podsOf: async (namespace) => (await client.list(Pod, { namespace })).items as ReadPod[],
  };
  const extension = async (request: Request): Promise<Response | undefined> =>
    await metricsAnswer(source, request) ?? await adapterAnswer(adapter, request);
  return KubeletListener.open({ ...source, extension });
}

/**
 * Returns the groups and versions of the metrics APIs that the simulated kubelet's server provides.
 */
function servedApis({ metrics = {} }: ClusterOptions): readonly MetricsApi[] {
  return [{ group: METRICS_GROUP, version: METRICS_VERSION }, ...servedMetrics(metrics)];
}

/**
 * Returns a function that returns, for a pod, the function that returns the script of a container
 * by name. All scripts are empty if one of the pod's scripts is invalid.
 */
function scriptedBy({ script }: ClusterOptions): (pod: ReadPod) => ScriptOf {
  return (pod) => validScriptsOf(pod, script);
}

/**
 * Returns the address and port of a running simulated kubelet that the status of the nodes reports;
 * the port is that of the option `namedKubeletPort`, if given.
 */
function kubeletAddress(
  { port }: KubeletListener,
  { namedKubeletPort = port }: ClusterOptions,
): KubeletAddress {
  return { host: KUBELET_HOST, port: namedKubeletPort };
}

/**
 * Returns the handle of a running cluster, which releases the cluster's resources after its
 * controllers have stopped.
 */
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
