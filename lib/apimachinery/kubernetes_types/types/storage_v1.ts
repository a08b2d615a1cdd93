// Written by `deno task facts:dump`.
import type { V1TopologySelectorTerm } from "./core_v1.ts";
import type { V1PersistentVolumeSpec } from "./core_v1_persistent_volumes.ts";
import type { V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes kind `CSIDriver` of `storage.k8s.io/v1`. */
export type V1CSIDriver = {
  apiVersion?: "storage.k8s.io/v1";
  kind?: "CSIDriver";
  metadata: V1ObjectMeta;
  spec: V1CSIDriverSpec;
};

/** The TypeScript type of the Kubernetes API type `CSIDriverSpec` of `storage.k8s.io/v1`. */
export type V1CSIDriverSpec = {
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  /** The field `volumeLifecycleModes` of `CSIDriverSpec`: a list without duplicates. */
  volumeLifecycleModes?: string[];
  storageCapacity?: boolean;
  fsGroupPolicy?: string;
  tokenRequests?: StorageV1TokenRequest[];
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  nodeAllocatableUpdatePeriodSeconds?: number;
  serviceAccountTokenInSecrets?: boolean;
  preventPodSchedulingIfMissing?: boolean;
};

/** The TypeScript type of the Kubernetes kind `CSINode` of `storage.k8s.io/v1`. */
export type V1CSINode = {
  apiVersion?: "storage.k8s.io/v1";
  kind?: "CSINode";
  metadata: V1ObjectMeta;
  spec: V1CSINodeSpec;
  status?: V1CSINodeStatus;
};

/** The TypeScript type of the Kubernetes API type `CSINodeDriver` of `storage.k8s.io/v1`. */
export type V1CSINodeDriver = {
  name: string;
  nodeID: string;
  topologyKeys?: string[];
  allocatable?: V1VolumeNodeResources;
};

/** The TypeScript type of the Kubernetes API type `CSINodeSpec` of `storage.k8s.io/v1`. */
export type V1CSINodeSpec = {
  /** The field `drivers` of `CSINodeSpec`: a list with at most one item for each `name`. */
  drivers: V1CSINodeDriver[];
};

/** The TypeScript type of the Kubernetes API type `CSINodeStatus` of `storage.k8s.io/v1`. */
export type V1CSINodeStatus = {
  /** The field `storageHealth` of `CSINodeStatus`: a list with at most one item for each `name`. */
  storageHealth?: V1StorageHealth[];
};

/** The TypeScript type of the Kubernetes kind `CSIStorageCapacity` of `storage.k8s.io/v1`. */
export type V1CSIStorageCapacity = {
  apiVersion?: "storage.k8s.io/v1";
  kind?: "CSIStorageCapacity";
  metadata: V1ObjectMeta;
  nodeTopology?: V1LabelSelector;
  storageClassName: string;
  /** The field `capacity` of `CSIStorageCapacity`: a quantity, such as `500m` or `2Gi`. */
  capacity?: string;
  /** The field `maximumVolumeSize` of `CSIStorageCapacity`: a quantity, such as `500m` or `2Gi`. */
  maximumVolumeSize?: string;
};

/** The TypeScript type of the Kubernetes kind `StorageClass` of `storage.k8s.io/v1`. */
export type V1StorageClass = {
  apiVersion?: "storage.k8s.io/v1";
  kind?: "StorageClass";
  metadata: V1ObjectMeta;
  provisioner: string;
  parameters?: Record<string, string>;
  /** The field `reclaimPolicy` of `StorageClass`: a string, one of `Delete`, `Recycle`, `Retain`. */
  reclaimPolicy?: string;
  mountOptions?: string[];
  allowVolumeExpansion?: boolean;
  /** The field `volumeBindingMode` of `StorageClass`: a string, one of `Immediate`, `WaitForFirstConsumer`. */
  volumeBindingMode?: string;
  allowedTopologies?: V1TopologySelectorTerm[];
};

/** The TypeScript type of the Kubernetes API type `StorageHealth` of `storage.k8s.io/v1`. */
export type V1StorageHealth = {
  name: string;
  healthConditions?: V1StorageHealthCondition[];
};

/** The TypeScript type of the Kubernetes API type `StorageHealthCondition` of `storage.k8s.io/v1`. */
export type V1StorageHealthCondition = {
  /** The field `status` of `StorageHealthCondition`: a string, one of `StorageDegraded`, `StorageUnreachable`. */
  status: string;
  reason: string;
  message?: string;
  /** The field `accessMode` of `StorageHealthCondition`: a string, one of `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOnce`, `ReadWriteOncePod`. */
  accessMode?: string;
  /** The field `volumeMode` of `StorageHealthCondition`: a string, one of `Block`, `Filesystem`. */
  volumeMode?: string;
  /** The field `lastTransitionTime` of `StorageHealthCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
};

/** The TypeScript type of the Kubernetes API type `TokenRequest` of `storage.k8s.io/v1`. */
export type StorageV1TokenRequest = {
  audience: string;
  expirationSeconds?: number;
};

/** The TypeScript type of the Kubernetes kind `VolumeAttachment` of `storage.k8s.io/v1`. */
export type V1VolumeAttachment = {
  apiVersion?: "storage.k8s.io/v1";
  kind?: "VolumeAttachment";
  metadata: V1ObjectMeta;
  spec: V1VolumeAttachmentSpec;
  status?: V1VolumeAttachmentStatus;
};

/** The TypeScript type of the Kubernetes API type `VolumeAttachmentSource` of `storage.k8s.io/v1`. */
export type V1VolumeAttachmentSource = {
  persistentVolumeName?: string;
  inlineVolumeSpec?: V1PersistentVolumeSpec;
};

/** The TypeScript type of the Kubernetes API type `VolumeAttachmentSpec` of `storage.k8s.io/v1`. */
export type V1VolumeAttachmentSpec = {
  attacher: string;
  source: V1VolumeAttachmentSource;
  nodeName: string;
};

/** The TypeScript type of the Kubernetes API type `VolumeAttachmentStatus` of `storage.k8s.io/v1`. */
export type V1VolumeAttachmentStatus = {
  attached: boolean;
  attachmentMetadata?: Record<string, string>;
  attachError?: V1VolumeError;
  detachError?: V1VolumeError;
};

/** The TypeScript type of the Kubernetes kind `VolumeAttributesClass` of `storage.k8s.io/v1`. */
export type V1VolumeAttributesClass = {
  apiVersion?: "storage.k8s.io/v1";
  kind?: "VolumeAttributesClass";
  metadata: V1ObjectMeta;
  driverName: string;
  parameters?: Record<string, string>;
};

/** The TypeScript type of the Kubernetes API type `VolumeError` of `storage.k8s.io/v1`. */
export type V1VolumeError = {
  /** The field `time` of `VolumeError`: an RFC 3339 time in whole seconds. */
  time?: string;
  message?: string;
  errorCode?: number;
};

/** The TypeScript type of the Kubernetes API type `VolumeNodeResources` of `storage.k8s.io/v1`. */
export type V1VolumeNodeResources = {
  count?: number;
};
