// Written by `deno task facts:dump`.
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `CrossVersionObjectReference` of `autoscaling/v1`. */
export type V1CrossVersionObjectReference = {
  apiVersion?: string;
  kind: string;
  name: string;
};

/** The TypeScript type of the Kubernetes kind `HorizontalPodAutoscaler` of `autoscaling/v1`. */
export type V1HorizontalPodAutoscaler = {
  apiVersion?: "autoscaling/v1";
  kind?: "HorizontalPodAutoscaler";
  metadata: V1ObjectMeta;
  spec: V1HorizontalPodAutoscalerSpec;
  status?: V1HorizontalPodAutoscalerStatus;
};

/** The TypeScript type of the Kubernetes API type `HorizontalPodAutoscalerSpec` of `autoscaling/v1`. */
export type V1HorizontalPodAutoscalerSpec = {
  scaleTargetRef: V1CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas: number;
  targetCPUUtilizationPercentage?: number;
};

/** The TypeScript type of the Kubernetes API type `HorizontalPodAutoscalerStatus` of `autoscaling/v1`. */
export type V1HorizontalPodAutoscalerStatus = {
  observedGeneration?: number;
  /** The field `lastScaleTime` of `HorizontalPodAutoscalerStatus`: an RFC 3339 time in whole seconds. */
  lastScaleTime?: string;
  currentReplicas: number;
  desiredReplicas: number;
  currentCPUUtilizationPercentage?: number;
};

/** The TypeScript type of the Kubernetes kind `Scale` of `autoscaling/v1`. */
export type V1Scale = {
  apiVersion?: "autoscaling/v1";
  kind?: "Scale";
  metadata: V1ObjectMeta;
  spec?: V1ScaleSpec;
  status?: V1ScaleStatus;
};

/** The TypeScript type of the Kubernetes API type `ScaleSpec` of `autoscaling/v1`. */
export type V1ScaleSpec = {
  /** The field `replicas` of `ScaleSpec`. @default {0} */
  replicas?: number;
};

/** The TypeScript type of the Kubernetes API type `ScaleStatus` of `autoscaling/v1`. */
export type V1ScaleStatus = {
  replicas: number;
  selector?: string;
};
