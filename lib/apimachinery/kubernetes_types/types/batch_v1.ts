// Written by `deno task facts:dump`.
import type { V1ObjectReference } from "./core_v1_persistent_volumes.ts";
import type { V1PodTemplateSpec } from "./core_v1_pods.ts";
import type { V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";
import type {
  V1alpha3WorkloadPodGroupDisruptionMode,
  V1alpha3WorkloadPodGroupResourceClaim,
  V1alpha3WorkloadPodGroupSchedulingConstraints,
  V1alpha3WorkloadPodGroupSchedulingPolicy,
} from "./scheduling_v1alpha3.ts";

/** The kind `CronJob` of `batch/v1`. */
export type V1CronJob = {
  apiVersion?: "batch/v1";
  kind?: "CronJob";
  metadata: V1ObjectMeta;
  spec: V1CronJobSpec;
  status?: V1CronJobStatus;
};

/** The type `CronJobSpec` of `batch/v1`. */
export type V1CronJobSpec = {
  schedule: string;
  timeZone?: string;
  startingDeadlineSeconds?: number;
  /** One of `Allow`, `Forbid`, `Replace`. */
  concurrencyPolicy?: string;
  suspend?: boolean;
  jobTemplate: V1JobTemplateSpec;
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
};

/** The type `CronJobStatus` of `batch/v1`. */
export type V1CronJobStatus = {
  active?: V1ObjectReference[];
  /** RFC 3339, in whole seconds. */
  lastScheduleTime?: string;
  /** RFC 3339, in whole seconds. */
  lastSuccessfulTime?: string;
};

/** The kind `Job` of `batch/v1`. */
export type V1Job = {
  apiVersion?: "batch/v1";
  kind?: "Job";
  metadata: V1ObjectMeta;
  spec?: V1JobSpec;
  status?: V1JobStatus;
};

/** The type `JobCondition` of `batch/v1`. */
export type V1JobCondition = {
  type: string;
  status: string;
  /** RFC 3339, in whole seconds. */
  lastProbeTime?: string;
  /** RFC 3339, in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The type `JobSchedulingConfiguration` of `batch/v1`. */
export type V1JobSchedulingConfiguration = {
  schedulingPolicy?: V1alpha3WorkloadPodGroupSchedulingPolicy;
  schedulingConstraints?: V1alpha3WorkloadPodGroupSchedulingConstraints;
  disruptionMode?: V1alpha3WorkloadPodGroupDisruptionMode;
  /** One item for each `name`. */
  resourceClaims?: V1alpha3WorkloadPodGroupResourceClaim[];
};

/** The type `JobSpec` of `batch/v1`. */
export type V1JobSpec = {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: number;
  podFailurePolicy?: V1PodFailurePolicy;
  successPolicy?: V1SuccessPolicy;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  selector?: V1LabelSelector;
  manualSelector?: boolean;
  template: V1PodTemplateSpec;
  ttlSecondsAfterFinished?: number;
  /** One of `Indexed`, `NonIndexed`. */
  completionMode?: string;
  suspend?: boolean;
  /** One of `Failed`, `TerminatingOrFailed`. */
  podReplacementPolicy?: string;
  managedBy?: string;
  scheduling?: V1JobSchedulingConfiguration;
};

/** The type `JobStatus` of `batch/v1`. */
export type V1JobStatus = {
  conditions?: V1JobCondition[];
  /** RFC 3339, in whole seconds. */
  startTime?: string;
  /** RFC 3339, in whole seconds. */
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: V1UncountedTerminatedPods;
  ready?: number;
};

/** The type `JobTemplateSpec` of `batch/v1`. */
export type V1JobTemplateSpec = {
  metadata?: V1ObjectMeta;
  spec?: V1JobSpec;
};

/** The type `PodFailurePolicy` of `batch/v1`. */
export type V1PodFailurePolicy = {
  rules: V1PodFailurePolicyRule[];
};

/** The type `PodFailurePolicyOnExitCodesRequirement` of `batch/v1`. */
export type V1PodFailurePolicyOnExitCodesRequirement = {
  containerName?: string;
  /** One of `In`, `NotIn`. */
  operator: string;
  /** Each item once. */
  values: number[];
};

/** The type `PodFailurePolicyOnPodConditionsPattern` of `batch/v1`. */
export type V1PodFailurePolicyOnPodConditionsPattern = {
  type: string;
  status?: string;
};

/** The type `PodFailurePolicyRule` of `batch/v1`. */
export type V1PodFailurePolicyRule = {
  /** One of `Count`, `FailIndex`, `FailJob`, `Ignore`. */
  action: string;
  onExitCodes?: V1PodFailurePolicyOnExitCodesRequirement;
  onPodConditions?: V1PodFailurePolicyOnPodConditionsPattern[];
};

/** The type `SuccessPolicy` of `batch/v1`. */
export type V1SuccessPolicy = {
  rules: V1SuccessPolicyRule[];
};

/** The type `SuccessPolicyRule` of `batch/v1`. */
export type V1SuccessPolicyRule = {
  succeededIndexes?: string;
  succeededCount?: number;
};

/** The type `UncountedTerminatedPods` of `batch/v1`. */
export type V1UncountedTerminatedPods = {
  /** Each item once. */
  succeeded?: string[];
  /** Each item once. */
  failed?: string[];
};
