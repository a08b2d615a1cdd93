/**
 * Operators in production: a manager runs several of them in one process, over shared caches, with
 * the election of a leader among replicas, and servers of metrics, reports and health.
 *
 * @module
 */
export { LeaderElector } from "./leader_election/leader_elector.ts";
export type {
  ElectionMetrics,
  LeaderElectorOptions,
  Term,
} from "./leader_election/leader_elector_options.ts";
export type { CandidateClient, CoordinatedElection } from "./leader_election/lease_candidacy.ts";
export type { ElectionTiming } from "./leader_election/election_timing.ts";
export { LeadershipLostError } from "./leader_election/leadership_lost_error.ts";
export {
  type ElectedOperatorHandle,
  runElectedOperator,
  type RunElectedOperatorOptions,
} from "./elected_operator.ts";
export { type Runnable, RUNNABLE_GROUPS, type RunnableGroup } from "./runnable.ts";
export { debugEndpoint } from "./debug/debug_endpoint.ts";
export type { DebugQuery, DebugSource } from "./debug/debug_source.ts";
export {
  type DebugElector,
  type OperatorDebugOptions,
  operatorDebugSources,
} from "./debug/operator_sources.ts";
export { createManager, type Manager } from "./manager.ts";
export type { ManagerHandle, ManagerHealth } from "./manager_handle.ts";
export type {
  AddOperatorOptions,
  LeaderElectionOptions,
  ManagerOptions,
} from "./manager_options.ts";
export { RunnableError } from "./runnable_error.ts";
export { stopSignal } from "./stop_signal.ts";
export type { CacheChoice } from "./caches/cache_choice.ts";
export type { CacheCondition, CacheHealth } from "./caches/cache_health.ts";
export type { ManagedReader, ManagedReadOptions } from "./caches/managed_reader.ts";
export { type MissingRight, MissingRightError } from "./setup/missing_right_error.ts";
export type { HistogramSpec, LabelValues, MetricSpec, MetricType } from "./metrics/metric_spec.ts";
export type { Metric } from "./metrics/family.ts";
export { type InformerFigures, informerMetrics } from "./metrics/informer_metrics.ts";
export { type OperatorMetrics, operatorMetrics } from "./metrics/operator_metrics.ts";
export {
  type CollectedSeries,
  type Counter,
  type Gauge,
  type Histogram,
  MetricsRegistry,
  type MetricsRegistryOptions,
} from "./metrics/registry.ts";
export type { CounterSeries, GaugeSeries, HistogramSeries } from "./metrics/series.ts";
export { type BindAddress, parseBindAddress } from "./endpoints/bind_address.ts";
export type { RunnableServer } from "./endpoints/endpoint_server.ts";
export {
  type ManagerHealthServer,
  type ManagerMetrics,
  managerMetrics,
  type ManagerMetricsServer,
} from "./endpoints/manager_servers.ts";
export { metricsServer, type MetricsServerOptions } from "./endpoints/metrics_server.ts";
export type { CertificateFiles, CertificateMetrics } from "@xca/apimachinery/serving";
export {
  cacheSyncCheck,
  type CheckedInformer,
  type HealthCheck,
  leaderElectionCheck,
  watchHealthCheck,
} from "./health/health_check.ts";
export { healthServer, type HealthServerOptions } from "./health/health_server.ts";
