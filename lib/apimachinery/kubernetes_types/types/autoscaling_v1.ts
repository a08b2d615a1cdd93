// Written by `deno task facts:dump`.
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The type `CrossVersionObjectReference` of `autoscaling/v1`. */
export type V1CrossVersionObjectReference = {
  apiVersion?: string;
  kind: string;
  name: string;
};

/** The kind `HorizontalPodAutoscaler` of `autoscaling/v1`. */
export type V1HorizontalPodAutoscaler = {
  apiVersion?: "autoscaling/v1";
  kind?: "HorizontalPodAutoscaler";
  metadata: V1ObjectMeta;
  spec: V1HorizontalPodAutoscalerSpec;
  status?: V1HorizontalPodAutoscalerStatus;
};

/** The type `HorizontalPodAutoscalerSpec` of `autoscaling/v1`. */
export type V1HorizontalPodAutoscalerSpec = {
  scaleTargetRef: V1CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas: number;
  targetCPUUtilizationPercentage?: number;
};

/** The type `HorizontalPodAutoscalerStatus` of `autoscaling/v1`. */
export type V1HorizontalPodAutoscalerStatus = {
  observedGeneration?: number;
  /** RFC 3339, in whole seconds. */
  lastScaleTime?: string;
  currentReplicas: number;
  desiredReplicas: number;
  currentCPUUtilizationPercentage?: number;
};

/** The kind `Scale` of `autoscaling/v1`. */
export type V1Scale = {
  apiVersion?: "autoscaling/v1";
  kind?: "Scale";
  metadata: V1ObjectMeta;
  spec?: V1ScaleSpec;
  status?: V1ScaleStatus;
};

/** The type `ScaleSpec` of `autoscaling/v1`. */
export type V1ScaleSpec = {
  /** @default {0} */
  replicas?: number;
};

/** The type `ScaleStatus` of `autoscaling/v1`. */
export type V1ScaleStatus = {
  replicas: number;
  selector?: string;
};
