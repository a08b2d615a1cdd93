// Mirrors `controller/podautoscaler/metrics/interfaces.go, MetricsClient`.
import type { V2MetricSpec, V2MetricStatus } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import type { RequestMetrics } from "./metric_requests.ts";
import type { ReadUsage } from "./pod_metrics.ts";
import type { Tolerances } from "./replica_calculator.ts";

/** A metric in the spec of a HorizontalPodAutoscaler; read-only. */
export type MetricSpec = DeepReadonly<V2MetricSpec>;

/** The functions that read metrics for HorizontalPodAutoscalers. */
export interface MetricsReader {
  /** Returns the CPU and memory usage of the pods in a namespace that a label selector matches. */
  readonly usage: ReadUsage;
  /** Requests custom or external metrics from the API server, or from handlers in this process. */
  readonly request: RequestMetrics;
}

/**
 * The facts about an autoscaler's target from which a metric's proposed number of replicas is
 * computed.
 */
export interface TargetFacts {
  readonly namespace: string;
  /** The label selector of the autoscaler's target pods, as text. */
  readonly selector: string;
  /** The pods of the autoscaler's target. */
  readonly pods: readonly ReadPod[];
  /** The number of replicas in the spec of the target's scale, before the autoscaler changes it. */
  readonly current: number;
  /** The number of replicas in the status of the target's scale. */
  readonly existing: number;
  readonly tolerances: Tolerances;
  readonly nowMs: number;
  readonly metrics: MetricsReader;
}

/**
 * The number of replicas that one metric of an autoscaler proposes, with the metric's description
 * and its value for the status.
 */
export interface Proposal {
  readonly replicas: number;
  /** The description of the autoscaler's metric in events and conditions. */
  readonly name: string;
  readonly status: V2MetricStatus;
}
