// Written by `deno task facts:dump`.
import type { V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The type `ContainerResourceMetricSource` of `autoscaling/v2`. */
export type V2ContainerResourceMetricSource = {
  name: string;
  target: V2MetricTarget;
  container: string;
};

/** The type `ContainerResourceMetricStatus` of `autoscaling/v2`. */
export type V2ContainerResourceMetricStatus = {
  name: string;
  current: V2MetricValueStatus;
  container: string;
};

/** The type `CrossVersionObjectReference` of `autoscaling/v2`. */
export type V2CrossVersionObjectReference = {
  apiVersion?: string;
  kind: string;
  name: string;
};

/** The type `ExternalMetricSource` of `autoscaling/v2`. */
export type V2ExternalMetricSource = {
  metric: V2MetricIdentifier;
  target: V2MetricTarget;
};

/** The type `ExternalMetricStatus` of `autoscaling/v2`. */
export type V2ExternalMetricStatus = {
  metric: V2MetricIdentifier;
  current: V2MetricValueStatus;
};

/** The type `HPAScalingPolicy` of `autoscaling/v2`. */
export type V2HPAScalingPolicy = {
  type: string;
  value: number;
  periodSeconds: number;
};

/** The type `HPAScalingRules` of `autoscaling/v2`. */
export type V2HPAScalingRules = {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: V2HPAScalingPolicy[];
  /** A quantity, as `500m` or `2Gi`. */
  tolerance?: string;
};

/** The kind `HorizontalPodAutoscaler` of `autoscaling/v2`. */
export type V2HorizontalPodAutoscaler = {
  apiVersion?: "autoscaling/v2";
  kind?: "HorizontalPodAutoscaler";
  metadata: V1ObjectMeta;
  spec: V2HorizontalPodAutoscalerSpec;
  status?: V2HorizontalPodAutoscalerStatus;
};

/** The type `HorizontalPodAutoscalerBehavior` of `autoscaling/v2`. */
export type V2HorizontalPodAutoscalerBehavior = {
  scaleUp?: V2HPAScalingRules;
  scaleDown?: V2HPAScalingRules;
};

/** The type `HorizontalPodAutoscalerCondition` of `autoscaling/v2`. */
export type V2HorizontalPodAutoscalerCondition = {
  type: string;
  status: string;
  /** RFC 3339, in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
  observedGeneration?: number;
};

/** The type `HorizontalPodAutoscalerSpec` of `autoscaling/v2`. */
export type V2HorizontalPodAutoscalerSpec = {
  scaleTargetRef: V2CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas: number;
  metrics?: V2MetricSpec[];
  behavior?: V2HorizontalPodAutoscalerBehavior;
};

/** The type `HorizontalPodAutoscalerStatus` of `autoscaling/v2`. */
export type V2HorizontalPodAutoscalerStatus = {
  observedGeneration?: number;
  /** RFC 3339, in whole seconds. */
  lastScaleTime?: string;
  currentReplicas?: number;
  desiredReplicas: number;
  currentMetrics?: V2MetricStatus[];
  /** One item for each `type`. */
  conditions?: V2HorizontalPodAutoscalerCondition[];
};

/** The type `MetricIdentifier` of `autoscaling/v2`. */
export type V2MetricIdentifier = {
  name: string;
  selector?: V1LabelSelector;
};

/** The type `MetricSpec` of `autoscaling/v2`. */
export type V2MetricSpec = {
  type: string;
  object?: V2ObjectMetricSource;
  pods?: V2PodsMetricSource;
  resource?: V2ResourceMetricSource;
  containerResource?: V2ContainerResourceMetricSource;
  external?: V2ExternalMetricSource;
};

/** The type `MetricStatus` of `autoscaling/v2`. */
export type V2MetricStatus = {
  type: string;
  object?: V2ObjectMetricStatus;
  pods?: V2PodsMetricStatus;
  resource?: V2ResourceMetricStatus;
  containerResource?: V2ContainerResourceMetricStatus;
  external?: V2ExternalMetricStatus;
};

/** The type `MetricTarget` of `autoscaling/v2`. */
export type V2MetricTarget = {
  type: string;
  /** A quantity, as `500m` or `2Gi`. */
  value?: string;
  /** A quantity, as `500m` or `2Gi`. */
  averageValue?: string;
  averageUtilization?: number;
};

/** The type `MetricValueStatus` of `autoscaling/v2`. */
export type V2MetricValueStatus = {
  /** A quantity, as `500m` or `2Gi`. */
  value?: string;
  /** A quantity, as `500m` or `2Gi`. */
  averageValue?: string;
  averageUtilization?: number;
};

/** The type `ObjectMetricSource` of `autoscaling/v2`. */
export type V2ObjectMetricSource = {
  describedObject: V2CrossVersionObjectReference;
  target: V2MetricTarget;
  metric: V2MetricIdentifier;
};

/** The type `ObjectMetricStatus` of `autoscaling/v2`. */
export type V2ObjectMetricStatus = {
  metric: V2MetricIdentifier;
  current: V2MetricValueStatus;
  describedObject: V2CrossVersionObjectReference;
};

/** The type `PodsMetricSource` of `autoscaling/v2`. */
export type V2PodsMetricSource = {
  metric: V2MetricIdentifier;
  target: V2MetricTarget;
};

/** The type `PodsMetricStatus` of `autoscaling/v2`. */
export type V2PodsMetricStatus = {
  metric: V2MetricIdentifier;
  current: V2MetricValueStatus;
};

/** The type `ResourceMetricSource` of `autoscaling/v2`. */
export type V2ResourceMetricSource = {
  name: string;
  target: V2MetricTarget;
};

/** The type `ResourceMetricStatus` of `autoscaling/v2`. */
export type V2ResourceMetricStatus = {
  name: string;
  current: V2MetricValueStatus;
};
