// Written by `deno task facts:dump`.
import type { V1PersistentVolumeClaim } from "./core_v1_persistent_volumes.ts";
import type { V1PodTemplateSpec } from "./core_v1_pods.ts";
import type { V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes kind `ControllerRevision` of `apps/v1`. */
export type V1ControllerRevision = {
  apiVersion?: "apps/v1";
  kind?: "ControllerRevision";
  metadata: V1ObjectMeta;
  data: unknown;
  revision?: number;
};

/** The TypeScript type of the Kubernetes kind `DaemonSet` of `apps/v1`. */
export type V1DaemonSet = {
  apiVersion?: "apps/v1";
  kind?: "DaemonSet";
  metadata: V1ObjectMeta;
  spec: V1DaemonSetSpec;
  status?: V1DaemonSetStatus;
};

/** The TypeScript type of the Kubernetes API type `DaemonSetCondition` of `apps/v1`. */
export type V1DaemonSetCondition = {
  type?: string;
  status?: string;
  /** The field `lastTransitionTime` of `DaemonSetCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `DaemonSetSpec` of `apps/v1`. */
export type V1DaemonSetSpec = {
  selector: V1LabelSelector;
  template: V1PodTemplateSpec;
  updateStrategy?: V1DaemonSetUpdateStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
};

/** The TypeScript type of the Kubernetes API type `DaemonSetStatus` of `apps/v1`. */
export type V1DaemonSetStatus = {
  currentNumberScheduled: number;
  numberMisscheduled: number;
  desiredNumberScheduled: number;
  numberReady: number;
  observedGeneration?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
  /** The field `conditions` of `DaemonSetStatus`: a list with at most one item for each `type`. */
  conditions?: V1DaemonSetCondition[];
};

/** The TypeScript type of the Kubernetes API type `DaemonSetUpdateStrategy` of `apps/v1`. */
export type V1DaemonSetUpdateStrategy = {
  /** The field `type` of `DaemonSetUpdateStrategy`: a string, one of `OnDelete`, `RollingUpdate`. */
  type?: string;
  rollingUpdate?: V1RollingUpdateDaemonSet;
};

/** The TypeScript type of the Kubernetes kind `Deployment` of `apps/v1`. */
export type V1Deployment = {
  apiVersion?: "apps/v1";
  kind?: "Deployment";
  metadata: V1ObjectMeta;
  spec: V1DeploymentSpec;
  status?: V1DeploymentStatus;
};

/** The TypeScript type of the Kubernetes API type `DeploymentCondition` of `apps/v1`. */
export type V1DeploymentCondition = {
  type?: string;
  status?: string;
  /** The field `lastUpdateTime` of `DeploymentCondition`: an RFC 3339 time in whole seconds. */
  lastUpdateTime?: string;
  /** The field `lastTransitionTime` of `DeploymentCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `DeploymentSpec` of `apps/v1`. */
export type V1DeploymentSpec = {
  replicas?: number;
  selector: V1LabelSelector;
  template: V1PodTemplateSpec;
  strategy?: V1DeploymentStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  paused?: boolean;
  progressDeadlineSeconds?: number;
};

/** The TypeScript type of the Kubernetes API type `DeploymentStatus` of `apps/v1`. */
export type V1DeploymentStatus = {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  /** The field `conditions` of `DeploymentStatus`: a list with at most one item for each `type`. */
  conditions?: V1DeploymentCondition[];
  collisionCount?: number;
};

/** The TypeScript type of the Kubernetes API type `DeploymentStrategy` of `apps/v1`. */
export type V1DeploymentStrategy = {
  /** The field `type` of `DeploymentStrategy`: a string, one of `Recreate`, `RollingUpdate`. */
  type?: string;
  rollingUpdate?: V1RollingUpdateDeployment;
};

/** The TypeScript type of the Kubernetes kind `ReplicaSet` of `apps/v1`. */
export type V1ReplicaSet = {
  apiVersion?: "apps/v1";
  kind?: "ReplicaSet";
  metadata: V1ObjectMeta;
  spec: V1ReplicaSetSpec;
  status?: V1ReplicaSetStatus;
};

/** The TypeScript type of the Kubernetes API type `ReplicaSetCondition` of `apps/v1`. */
export type V1ReplicaSetCondition = {
  type?: string;
  status?: string;
  /** The field `lastTransitionTime` of `ReplicaSetCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `ReplicaSetSpec` of `apps/v1`. */
export type V1ReplicaSetSpec = {
  replicas?: number;
  minReadySeconds?: number;
  selector: V1LabelSelector;
  template?: V1PodTemplateSpec;
};

/** The TypeScript type of the Kubernetes API type `ReplicaSetStatus` of `apps/v1`. */
export type V1ReplicaSetStatus = {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: number;
  /** The field `conditions` of `ReplicaSetStatus`: a list with at most one item for each `type`. */
  conditions?: V1ReplicaSetCondition[];
};

/** The TypeScript type of the Kubernetes API type `RollingUpdateDaemonSet` of `apps/v1`. */
export type V1RollingUpdateDaemonSet = {
  maxUnavailable?: number | string;
  maxSurge?: number | string;
};

/** The TypeScript type of the Kubernetes API type `RollingUpdateDeployment` of `apps/v1`. */
export type V1RollingUpdateDeployment = {
  maxUnavailable?: number | string;
  maxSurge?: number | string;
};

/** The TypeScript type of the Kubernetes API type `RollingUpdateStatefulSetStrategy` of `apps/v1`. */
export type V1RollingUpdateStatefulSetStrategy = {
  partition?: number;
  maxUnavailable?: number | string;
};

/** The TypeScript type of the Kubernetes kind `StatefulSet` of `apps/v1`. */
export type V1StatefulSet = {
  apiVersion?: "apps/v1";
  kind?: "StatefulSet";
  metadata: V1ObjectMeta;
  spec: V1StatefulSetSpec;
  status?: V1StatefulSetStatus;
};

/** The TypeScript type of the Kubernetes API type `StatefulSetCondition` of `apps/v1`. */
export type V1StatefulSetCondition = {
  type?: string;
  status?: string;
  /** The field `lastTransitionTime` of `StatefulSetCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `StatefulSetOrdinals` of `apps/v1`. */
export type V1StatefulSetOrdinals = {
  start?: number;
};

/** The TypeScript type of the Kubernetes API type `StatefulSetPersistentVolumeClaimRetentionPolicy` of `apps/v1`. */
export type V1StatefulSetPersistentVolumeClaimRetentionPolicy = {
  whenDeleted?: string;
  whenScaled?: string;
};

/** The TypeScript type of the Kubernetes API type `StatefulSetSpec` of `apps/v1`. */
export type V1StatefulSetSpec = {
  replicas?: number;
  selector: V1LabelSelector;
  template: V1PodTemplateSpec;
  volumeClaimTemplates?: V1PersistentVolumeClaim[];
  serviceName?: string;
  /** The field `podManagementPolicy` of `StatefulSetSpec`: a string, one of `OrderedReady`, `Parallel`. */
  podManagementPolicy?: string;
  updateStrategy?: V1StatefulSetUpdateStrategy;
  revisionHistoryLimit?: number;
  minReadySeconds?: number;
  persistentVolumeClaimRetentionPolicy?: V1StatefulSetPersistentVolumeClaimRetentionPolicy;
  ordinals?: V1StatefulSetOrdinals;
};

/** The TypeScript type of the Kubernetes API type `StatefulSetStatus` of `apps/v1`. */
export type V1StatefulSetStatus = {
  observedGeneration?: number;
  replicas: number;
  readyReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
  /** The field `conditions` of `StatefulSetStatus`: a list with at most one item for each `type`. */
  conditions?: V1StatefulSetCondition[];
  availableReplicas?: number;
};

/** The TypeScript type of the Kubernetes API type `StatefulSetUpdateStrategy` of `apps/v1`. */
export type V1StatefulSetUpdateStrategy = {
  /** The field `type` of `StatefulSetUpdateStrategy`: a string, one of `OnDelete`, `Recreate`, `RollingUpdate`. */
  type?: string;
  rollingUpdate?: V1RollingUpdateStatefulSetStrategy;
};
