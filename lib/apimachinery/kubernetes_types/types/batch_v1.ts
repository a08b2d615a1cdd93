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

/** The TypeScript type of the Kubernetes kind `CronJob` of `batch/v1`. */
export type V1CronJob = {
  apiVersion?: "batch/v1";
  kind?: "CronJob";
  metadata: V1ObjectMeta;
  spec: V1CronJobSpec;
  status?: V1CronJobStatus;
};

/** The TypeScript type of the Kubernetes API type `CronJobSpec` of `batch/v1`. */
export type V1CronJobSpec = {
  schedule: string;
  timeZone?: string;
  startingDeadlineSeconds?: number;
  /** The field `concurrencyPolicy` of `CronJobSpec`: a string, one of `Allow`, `Forbid`, `Replace`. */
  concurrencyPolicy?: string;
  suspend?: boolean;
  jobTemplate: V1JobTemplateSpec;
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
};

/** The TypeScript type of the Kubernetes API type `CronJobStatus` of `batch/v1`. */
export type V1CronJobStatus = {
  active?: V1ObjectReference[];
  /** The field `lastScheduleTime` of `CronJobStatus`: an RFC 3339 time in whole seconds. */
  lastScheduleTime?: string;
  /** The field `lastSuccessfulTime` of `CronJobStatus`: an RFC 3339 time in whole seconds. */
  lastSuccessfulTime?: string;
};

/** The TypeScript type of the Kubernetes kind `Job` of `batch/v1`. */
export type V1Job = {
  apiVersion?: "batch/v1";
  kind?: "Job";
  metadata: V1ObjectMeta;
  spec?: V1JobSpec;
  status?: V1JobStatus;
};

/** The TypeScript type of the Kubernetes API type `JobCondition` of `batch/v1`. */
export type V1JobCondition = {
  type: string;
  status: string;
  /** The field `lastProbeTime` of `JobCondition`: an RFC 3339 time in whole seconds. */
  lastProbeTime?: string;
  /** The field `lastTransitionTime` of `JobCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `JobSchedulingConfiguration` of `batch/v1`. */
export type V1JobSchedulingConfiguration = {
  schedulingPolicy?: V1alpha3WorkloadPodGroupSchedulingPolicy;
  schedulingConstraints?: V1alpha3WorkloadPodGroupSchedulingConstraints;
  disruptionMode?: V1alpha3WorkloadPodGroupDisruptionMode;
  /** The field `resourceClaims` of `JobSchedulingConfiguration`: a list with at most one item for each `name`. */
  resourceClaims?: V1alpha3WorkloadPodGroupResourceClaim[];
};

/** The TypeScript type of the Kubernetes API type `JobSpec` of `batch/v1`. */
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
  /** The field `completionMode` of `JobSpec`: a string, one of `Indexed`, `NonIndexed`. */
  completionMode?: string;
  suspend?: boolean;
  /** The field `podReplacementPolicy` of `JobSpec`: a string, one of `Failed`, `TerminatingOrFailed`. */
  podReplacementPolicy?: string;
  managedBy?: string;
  scheduling?: V1JobSchedulingConfiguration;
};

/** The TypeScript type of the Kubernetes API type `JobStatus` of `batch/v1`. */
export type V1JobStatus = {
  conditions?: V1JobCondition[];
  /** The field `startTime` of `JobStatus`: an RFC 3339 time in whole seconds. */
  startTime?: string;
  /** The field `completionTime` of `JobStatus`: an RFC 3339 time in whole seconds. */
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

/** The TypeScript type of the Kubernetes API type `JobTemplateSpec` of `batch/v1`. */
export type V1JobTemplateSpec = {
  metadata?: V1ObjectMeta;
  spec?: V1JobSpec;
};

/** The TypeScript type of the Kubernetes API type `PodFailurePolicy` of `batch/v1`. */
export type V1PodFailurePolicy = {
  rules: V1PodFailurePolicyRule[];
};

/** The TypeScript type of the Kubernetes API type `PodFailurePolicyOnExitCodesRequirement` of `batch/v1`. */
export type V1PodFailurePolicyOnExitCodesRequirement = {
  containerName?: string;
  /** The field `operator` of `PodFailurePolicyOnExitCodesRequirement`: a string, one of `In`, `NotIn`. */
  operator: string;
  /** The field `values` of `PodFailurePolicyOnExitCodesRequirement`: a list without duplicates. */
  values: number[];
};

/** The TypeScript type of the Kubernetes API type `PodFailurePolicyOnPodConditionsPattern` of `batch/v1`. */
export type V1PodFailurePolicyOnPodConditionsPattern = {
  type: string;
  status?: string;
};

/** The TypeScript type of the Kubernetes API type `PodFailurePolicyRule` of `batch/v1`. */
export type V1PodFailurePolicyRule = {
  /** The field `action` of `PodFailurePolicyRule`: a string, one of `Count`, `FailIndex`, `FailJob`, `Ignore`. */
  action: string;
  onExitCodes?: V1PodFailurePolicyOnExitCodesRequirement;
  onPodConditions?: V1PodFailurePolicyOnPodConditionsPattern[];
};

/** The TypeScript type of the Kubernetes API type `SuccessPolicy` of `batch/v1`. */
export type V1SuccessPolicy = {
  rules: V1SuccessPolicyRule[];
};

/** The TypeScript type of the Kubernetes API type `SuccessPolicyRule` of `batch/v1`. */
export type V1SuccessPolicyRule = {
  succeededIndexes?: string;
  succeededCount?: number;
};

/** The TypeScript type of the Kubernetes API type `UncountedTerminatedPods` of `batch/v1`. */
export type V1UncountedTerminatedPods = {
  /** The field `succeeded` of `UncountedTerminatedPods`: a list without duplicates. */
  succeeded?: string[];
  /** The field `failed` of `UncountedTerminatedPods`: a list without duplicates. */
  failed?: string[];
};
