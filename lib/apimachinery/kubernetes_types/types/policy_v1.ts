// Written by `deno task facts:dump`.
import type { V1Condition, V1DeleteOptions, V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes kind `Eviction` of `policy/v1`. */
export type V1Eviction = {
  apiVersion?: "policy/v1";
  kind?: "Eviction";
  metadata: V1ObjectMeta;
  deleteOptions?: V1DeleteOptions;
};

/** The TypeScript type of the Kubernetes kind `PodDisruptionBudget` of `policy/v1`. */
export type V1PodDisruptionBudget = {
  apiVersion?: "policy/v1";
  kind?: "PodDisruptionBudget";
  metadata: V1ObjectMeta;
  spec?: V1PodDisruptionBudgetSpec;
  status?: V1PodDisruptionBudgetStatus;
};

/** The TypeScript type of the Kubernetes API type `PodDisruptionBudgetSpec` of `policy/v1`. */
export type V1PodDisruptionBudgetSpec = {
  minAvailable?: number | string;
  selector?: V1LabelSelector;
  maxUnavailable?: number | string;
  /** The field `unhealthyPodEvictionPolicy` of `PodDisruptionBudgetSpec`: a string, one of `AlwaysAllow`, `IfHealthyBudget`. */
  unhealthyPodEvictionPolicy?: string;
};

/** The TypeScript type of the Kubernetes API type `PodDisruptionBudgetStatus` of `policy/v1`. */
export type V1PodDisruptionBudgetStatus = {
  observedGeneration?: number;
  /** The field `disruptedPods` of `PodDisruptionBudgetStatus`: a map, each value an RFC 3339 time in whole seconds. */
  disruptedPods?: Record<string, string>;
  disruptionsAllowed?: number;
  currentHealthy?: number;
  desiredHealthy?: number;
  expectedPods?: number;
  /** The field `conditions` of `PodDisruptionBudgetStatus`: a list with at most one item for each `type`. */
  conditions?: V1Condition[];
};
