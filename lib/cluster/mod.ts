/**
 * A simulated cluster: Kubernetes' controllers of workloads and nodes, a scheduler, and a simulated
 * kubelet, which reports the status of containers without running them. Each of them consists of
 * ordinary controllers of this package.
 *
 * @module
 */
export { startCluster } from "./cluster.ts";
export type { Cluster, ClusterOptions } from "./cluster_options.ts";
export { componentsOf } from "./components.ts";
export { currentControllerNames } from "./controller_names.ts";
export { CLUSTER_CONTROLLERS, selectedControllers } from "./controllers.ts";
export {
  type ContainerScript,
  type LogEntry,
  type PodScripter,
  type UsageScript,
} from "./kubelet/container_script.ts";
export { SCRIPT_ANNOTATION } from "./kubelet/pod_scripts.ts";
export type {
  ContainerProcess,
  KubeletHandlers,
  PodPort,
  PortConnection,
} from "./kubelet/streams/container_process.ts";
export type {
  ExternalMetricQuery,
  MetricsHandlers,
  ObjectMetricQuery,
} from "./metrics/metrics_handlers.ts";
export type { PortStreams, TerminalSize } from "./kubelet/streams/stream_context.ts";
export type { ReadPod } from "./pods/pod_state.ts";
