// Mirrors `controller/podautoscaler/metrics/interfaces.go, MetricsClient`.
import type { V2MetricSpec, V2MetricStatus } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import type { RequestMetrics } from "./metric_requests.ts";
import type { ReadUsage } from "./pod_metrics.ts";
import type { Tolerances } from "./replica_calculator.ts";

/** The metric of an autoscaler that is only read. */
export type MetricSpec = DeepReadonly<V2MetricSpec>;

/** The sources of metrics. */
export interface MetricsReader {
  /** Reads the use of CPU and memory. */
  readonly usage: ReadUsage;
  /** Requests the metrics of an adapter. */
  readonly request: RequestMetrics;
}

/** The facts about a target that a metric is evaluated with. */
export interface TargetFacts {
  readonly namespace: string;
  /** The selector of the target's pods, as text. */
  readonly selector: string;
  /** The pods of the target. */
  readonly pods: readonly ReadPod[];
  /** The desired number of replicas of the target. */
  readonly current: number;
  /** The number of replicas that the target has. */
  readonly existing: number;
  readonly tolerances: Tolerances;
  readonly nowMs: number;
  readonly metrics: MetricsReader;
}

/** The number of replicas that a metric asks for. */
export interface Proposal {
  readonly replicas: number;
  /** The name of the metric in messages. */
  readonly name: string;
  readonly status: V2MetricStatus;
}
