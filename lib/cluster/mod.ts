/**
 * A living cluster: Kubernetes' controllers of workloads and nodes, a scheduler, and a kubelet whose
 * containers are pretended, each an ordinary operator of this package.
 *
 * @module
 */
export { startCluster } from "./cluster.ts";
export type { Cluster, ClusterOptions } from "./cluster_options.ts";
export { CLUSTER_CONTROLLERS, selectedControllers } from "./controllers.ts";
export {
  type ContainerScript,
  type LogEntry,
  type PodScripter,
  SCRIPT_ANNOTATION,
  type UsageScript,
} from "./kubelet/container_script.ts";
export type {
  ContainerProcess,
  KubeletHandlers,
  PortConnection,
} from "./kubelet/streams/container_process.ts";
export type {
  ExternalMetricQuery,
  MetricsHandlers,
  ObjectMetricQuery,
} from "./metrics/metrics_handlers.ts";
export type { PortStreams, TerminalSize } from "./kubelet/streams/stream_context.ts";
export type { ReadPod } from "./pods/pod_state.ts";
