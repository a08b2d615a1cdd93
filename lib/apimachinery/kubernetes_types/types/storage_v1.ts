// Written by `deno task facts:dump`.
import type { V1TopologySelectorTerm } from "./core_v1.ts";
import type { V1PersistentVolumeSpec } from "./core_v1_persistent_volumes.ts";
import type { V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The kind `CSIDriver` of `storage.k8s.io/v1`. */
export type V1CSIDriver = {
  apiVersion?: "storage.k8s.io/v1";
  kind?: "CSIDriver";
  metadata: V1ObjectMeta;
  spec: V1CSIDriverSpec;
};

/** The type `CSIDriverSpec` of `storage/v1`. */
export type V1CSIDriverSpec = {
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  /** Each item once. */
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

/** The kind `CSINode` of `storage.k8s.io/v1`. */
export type V1CSINode = {
  apiVersion?: "storage.k8s.io/v1";
  kind?: "CSINode";
  metadata: V1ObjectMeta;
  spec: V1CSINodeSpec;
  status?: V1CSINodeStatus;
};

/** The type `CSINodeDriver` of `storage/v1`. */
export type V1CSINodeDriver = {
  name: string;
  nodeID: string;
  topologyKeys?: string[];
  allocatable?: V1VolumeNodeResources;
};

/** The type `CSINodeSpec` of `storage/v1`. */
export type V1CSINodeSpec = {
  /** One item for each `name`. */
  drivers: V1CSINodeDriver[];
};

/** The type `CSINodeStatus` of `storage/v1`. */
export type V1CSINodeStatus = {
  /** One item for each `name`. */
  storageHealth?: V1StorageHealth[];
};

/** The kind `CSIStorageCapacity` of `storage.k8s.io/v1`. */
export type V1CSIStorageCapacity = {
  apiVersion?: "storage.k8s.io/v1";
  kind?: "CSIStorageCapacity";
  metadata: V1ObjectMeta;
  nodeTopology?: V1LabelSelector;
  storageClassName: string;
  /** A quantity, as `500m` or `2Gi`. */
  capacity?: string;
  /** A quantity, as `500m` or `2Gi`. */
  maximumVolumeSize?: string;
};

/** The kind `StorageClass` of `storage.k8s.io/v1`. */
export type V1StorageClass = {
  apiVersion?: "storage.k8s.io/v1";
  kind?: "StorageClass";
  metadata: V1ObjectMeta;
  provisioner: string;
  parameters?: Record<string, string>;
  /** One of `Delete`, `Recycle`, `Retain`. */
  reclaimPolicy?: string;
  mountOptions?: string[];
  allowVolumeExpansion?: boolean;
  /** One of `Immediate`, `WaitForFirstConsumer`. */
  volumeBindingMode?: string;
  allowedTopologies?: V1TopologySelectorTerm[];
};

/** The type `StorageHealth` of `storage/v1`. */
export type V1StorageHealth = {
  name: string;
  healthConditions?: V1StorageHealthCondition[];
};

/** The type `StorageHealthCondition` of `storage/v1`. */
export type V1StorageHealthCondition = {
  /** One of `StorageDegraded`, `StorageUnreachable`. */
  status: string;
  reason: string;
  message?: string;
  /** One of `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOnce`, `ReadWriteOncePod`. */
  accessMode?: string;
  /** One of `Block`, `Filesystem`. */
  volumeMode?: string;
  /** RFC 3339, in whole seconds. */
  lastTransitionTime?: string;
};

/** The type `TokenRequest` of `storage/v1`. */
export type StorageV1TokenRequest = {
  audience: string;
  expirationSeconds?: number;
};

/** The kind `VolumeAttachment` of `storage.k8s.io/v1`. */
export type V1VolumeAttachment = {
  apiVersion?: "storage.k8s.io/v1";
  kind?: "VolumeAttachment";
  metadata: V1ObjectMeta;
  spec: V1VolumeAttachmentSpec;
  status?: V1VolumeAttachmentStatus;
};

/** The type `VolumeAttachmentSource` of `storage/v1`. */
export type V1VolumeAttachmentSource = {
  persistentVolumeName?: string;
  inlineVolumeSpec?: V1PersistentVolumeSpec;
};

/** The type `VolumeAttachmentSpec` of `storage/v1`. */
export type V1VolumeAttachmentSpec = {
  attacher: string;
  source: V1VolumeAttachmentSource;
  nodeName: string;
};

/** The type `VolumeAttachmentStatus` of `storage/v1`. */
export type V1VolumeAttachmentStatus = {
  attached: boolean;
  attachmentMetadata?: Record<string, string>;
  attachError?: V1VolumeError;
  detachError?: V1VolumeError;
};

/** The kind `VolumeAttributesClass` of `storage.k8s.io/v1`. */
export type V1VolumeAttributesClass = {
  apiVersion?: "storage.k8s.io/v1";
  kind?: "VolumeAttributesClass";
  metadata: V1ObjectMeta;
  driverName: string;
  parameters?: Record<string, string>;
};

/** The type `VolumeError` of `storage/v1`. */
export type V1VolumeError = {
  /** RFC 3339, in whole seconds. */
  time?: string;
  message?: string;
  errorCode?: number;
};

/** The type `VolumeNodeResources` of `storage/v1`. */
export type V1VolumeNodeResources = {
  count?: number;
};
