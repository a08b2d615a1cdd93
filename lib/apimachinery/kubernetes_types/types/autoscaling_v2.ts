// Written by `deno task facts:dump`.
import type { V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `ContainerResourceMetricSource` of `autoscaling/v2`. */
export type V2ContainerResourceMetricSource = {
  name: string;
  target: V2MetricTarget;
  container: string;
};

/** The TypeScript type of the Kubernetes API type `ContainerResourceMetricStatus` of `autoscaling/v2`. */
export type V2ContainerResourceMetricStatus = {
  name: string;
  current: V2MetricValueStatus;
  container: string;
};

/** The TypeScript type of the Kubernetes API type `CrossVersionObjectReference` of `autoscaling/v2`. */
export type V2CrossVersionObjectReference = {
  apiVersion?: string;
  kind: string;
  name: string;
};

/** The TypeScript type of the Kubernetes API type `ExternalMetricSource` of `autoscaling/v2`. */
export type V2ExternalMetricSource = {
  metric: V2MetricIdentifier;
  target: V2MetricTarget;
};

/** The TypeScript type of the Kubernetes API type `ExternalMetricStatus` of `autoscaling/v2`. */
export type V2ExternalMetricStatus = {
  metric: V2MetricIdentifier;
  current: V2MetricValueStatus;
};

/** The TypeScript type of the Kubernetes API type `HPAScalingPolicy` of `autoscaling/v2`. */
export type V2HPAScalingPolicy = {
  type: string;
  value: number;
  periodSeconds: number;
};

/** The TypeScript type of the Kubernetes API type `HPAScalingRules` of `autoscaling/v2`. */
export type V2HPAScalingRules = {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: V2HPAScalingPolicy[];
  /** The field `tolerance` of `HPAScalingRules`: a quantity, such as `500m` or `2Gi`. */
  tolerance?: string;
};

/** The TypeScript type of the Kubernetes kind `HorizontalPodAutoscaler` of `autoscaling/v2`. */
export type V2HorizontalPodAutoscaler = {
  apiVersion?: "autoscaling/v2";
  kind?: "HorizontalPodAutoscaler";
  metadata: V1ObjectMeta;
  spec: V2HorizontalPodAutoscalerSpec;
  status?: V2HorizontalPodAutoscalerStatus;
};

/** The TypeScript type of the Kubernetes API type `HorizontalPodAutoscalerBehavior` of `autoscaling/v2`. */
export type V2HorizontalPodAutoscalerBehavior = {
  scaleUp?: V2HPAScalingRules;
  scaleDown?: V2HPAScalingRules;
};

/** The TypeScript type of the Kubernetes API type `HorizontalPodAutoscalerCondition` of `autoscaling/v2`. */
export type V2HorizontalPodAutoscalerCondition = {
  type: string;
  status: string;
  /** The field `lastTransitionTime` of `HorizontalPodAutoscalerCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
  observedGeneration?: number;
};

/** The TypeScript type of the Kubernetes API type `HorizontalPodAutoscalerSpec` of `autoscaling/v2`. */
export type V2HorizontalPodAutoscalerSpec = {
  scaleTargetRef: V2CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas: number;
  metrics?: V2MetricSpec[];
  behavior?: V2HorizontalPodAutoscalerBehavior;
};

/** The TypeScript type of the Kubernetes API type `HorizontalPodAutoscalerStatus` of `autoscaling/v2`. */
export type V2HorizontalPodAutoscalerStatus = {
  observedGeneration?: number;
  /** The field `lastScaleTime` of `HorizontalPodAutoscalerStatus`: an RFC 3339 time in whole seconds. */
  lastScaleTime?: string;
  currentReplicas?: number;
  desiredReplicas: number;
  currentMetrics?: V2MetricStatus[];
  /** The field `conditions` of `HorizontalPodAutoscalerStatus`: a list with at most one item for each `type`. */
  conditions?: V2HorizontalPodAutoscalerCondition[];
};

/** The TypeScript type of the Kubernetes API type `MetricIdentifier` of `autoscaling/v2`. */
export type V2MetricIdentifier = {
  name: string;
  selector?: V1LabelSelector;
};

/** The TypeScript type of the Kubernetes API type `MetricSpec` of `autoscaling/v2`. */
export type V2MetricSpec = {
  type: string;
  object?: V2ObjectMetricSource;
  pods?: V2PodsMetricSource;
  resource?: V2ResourceMetricSource;
  containerResource?: V2ContainerResourceMetricSource;
  external?: V2ExternalMetricSource;
};

/** The TypeScript type of the Kubernetes API type `MetricStatus` of `autoscaling/v2`. */
export type V2MetricStatus = {
  type: string;
  object?: V2ObjectMetricStatus;
  pods?: V2PodsMetricStatus;
  resource?: V2ResourceMetricStatus;
  containerResource?: V2ContainerResourceMetricStatus;
  external?: V2ExternalMetricStatus;
};

/** The TypeScript type of the Kubernetes API type `MetricTarget` of `autoscaling/v2`. */
export type V2MetricTarget = {
  type: string;
  /** The field `value` of `MetricTarget`: a quantity, such as `500m` or `2Gi`. */
  value?: string;
  /** The field `averageValue` of `MetricTarget`: a quantity, such as `500m` or `2Gi`. */
  averageValue?: string;
  averageUtilization?: number;
};

/** The TypeScript type of the Kubernetes API type `MetricValueStatus` of `autoscaling/v2`. */
export type V2MetricValueStatus = {
  /** The field `value` of `MetricValueStatus`: a quantity, such as `500m` or `2Gi`. */
  value?: string;
  /** The field `averageValue` of `MetricValueStatus`: a quantity, such as `500m` or `2Gi`. */
  averageValue?: string;
  averageUtilization?: number;
};

/** The TypeScript type of the Kubernetes API type `ObjectMetricSource` of `autoscaling/v2`. */
export type V2ObjectMetricSource = {
  describedObject: V2CrossVersionObjectReference;
  target: V2MetricTarget;
  metric: V2MetricIdentifier;
};

/** The TypeScript type of the Kubernetes API type `ObjectMetricStatus` of `autoscaling/v2`. */
export type V2ObjectMetricStatus = {
  metric: V2MetricIdentifier;
  current: V2MetricValueStatus;
  describedObject: V2CrossVersionObjectReference;
};

/** The TypeScript type of the Kubernetes API type `PodsMetricSource` of `autoscaling/v2`. */
export type V2PodsMetricSource = {
  metric: V2MetricIdentifier;
  target: V2MetricTarget;
};

/** The TypeScript type of the Kubernetes API type `PodsMetricStatus` of `autoscaling/v2`. */
export type V2PodsMetricStatus = {
  metric: V2MetricIdentifier;
  current: V2MetricValueStatus;
};

/** The TypeScript type of the Kubernetes API type `ResourceMetricSource` of `autoscaling/v2`. */
export type V2ResourceMetricSource = {
  name: string;
  target: V2MetricTarget;
};

/** The TypeScript type of the Kubernetes API type `ResourceMetricStatus` of `autoscaling/v2`. */
export type V2ResourceMetricStatus = {
  name: string;
  current: V2MetricValueStatus;
};
