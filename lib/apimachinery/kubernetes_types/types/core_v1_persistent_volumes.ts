// Written by `deno task facts:dump`.
import type { V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The type `AWSElasticBlockStoreVolumeSource` of `core/v1`. */
export type V1AWSElasticBlockStoreVolumeSource = {
  volumeID: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
};

/** The type `AzureDiskVolumeSource` of `core/v1`. */
export type V1AzureDiskVolumeSource = {
  diskName: string;
  diskURI: string;
  /** One of `None`, `ReadOnly`, `ReadWrite`. @default {"ReadWrite"} */
  cachingMode?: string;
  /** @default {"ext4"} */
  fsType?: string;
  /** @default {false} */
  readOnly?: boolean;
  /** One of `Dedicated`, `Managed`, `Shared`. @default {"Shared"} */
  kind?: string;
};

/** The type `AzureFilePersistentVolumeSource` of `core/v1`. */
export type V1AzureFilePersistentVolumeSource = {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
  secretNamespace?: string;
};

/** The type `CSIPersistentVolumeSource` of `core/v1`. */
export type V1CSIPersistentVolumeSource = {
  driver: string;
  volumeHandle: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  controllerPublishSecretRef?: V1SecretReference;
  nodeStageSecretRef?: V1SecretReference;
  nodePublishSecretRef?: V1SecretReference;
  controllerExpandSecretRef?: V1SecretReference;
  nodeExpandSecretRef?: V1SecretReference;
};

/** The type `CephFSPersistentVolumeSource` of `core/v1`. */
export type V1CephFSPersistentVolumeSource = {
  monitors: string[];
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: V1SecretReference;
  readOnly?: boolean;
};

/** The type `CinderPersistentVolumeSource` of `core/v1`. */
export type V1CinderPersistentVolumeSource = {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: V1SecretReference;
};

/** The type `FCVolumeSource` of `core/v1`. */
export type V1FCVolumeSource = {
  targetWWNs?: string[];
  lun?: number;
  fsType?: string;
  readOnly?: boolean;
  wwids?: string[];
};

/** The type `FlexPersistentVolumeSource` of `core/v1`. */
export type V1FlexPersistentVolumeSource = {
  driver: string;
  fsType?: string;
  secretRef?: V1SecretReference;
  readOnly?: boolean;
  options?: Record<string, string>;
};

/** The type `FlockerVolumeSource` of `core/v1`. */
export type V1FlockerVolumeSource = {
  datasetName?: string;
  datasetUUID?: string;
};

/** The type `GCEPersistentDiskVolumeSource` of `core/v1`. */
export type V1GCEPersistentDiskVolumeSource = {
  pdName: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
};

/** The type `GlusterfsPersistentVolumeSource` of `core/v1`. */
export type V1GlusterfsPersistentVolumeSource = {
  endpoints: string;
  path: string;
  readOnly?: boolean;
  endpointsNamespace?: string;
};

/** The type `HostPathVolumeSource` of `core/v1`. */
export type V1HostPathVolumeSource = {
  path: string;
  /** One of ``, `BlockDevice`, `CharDevice`, `Directory`, `DirectoryOrCreate`, `File`, `FileOrCreate`, `Socket`. */
  type?: string;
};

/** The type `ISCSIPersistentVolumeSource` of `core/v1`. */
export type V1ISCSIPersistentVolumeSource = {
  targetPortal: string;
  iqn: string;
  lun: number;
  /** @default {"default"} */
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: V1SecretReference;
  initiatorName?: string;
};

/** The type `LocalVolumeSource` of `core/v1`. */
export type V1LocalVolumeSource = {
  path: string;
  fsType?: string;
};

/** The type `ModifyVolumeStatus` of `core/v1`. */
export type V1ModifyVolumeStatus = {
  targetVolumeAttributesClassName?: string;
  /** One of `InProgress`, `Infeasible`, `Pending`. */
  status: string;
};

/** The type `NFSVolumeSource` of `core/v1`. */
export type V1NFSVolumeSource = {
  server: string;
  path: string;
  readOnly?: boolean;
};

/** The type `NodeSelector` of `core/v1`. */
export type V1NodeSelector = {
  nodeSelectorTerms: V1NodeSelectorTerm[];
};

/** The type `NodeSelectorRequirement` of `core/v1`. */
export type V1NodeSelectorRequirement = {
  key: string;
  /** One of `DoesNotExist`, `Exists`, `Gt`, `In`, `Lt`, `NotIn`. */
  operator: string;
  values?: string[];
};

/** The type `NodeSelectorTerm` of `core/v1`. */
export type V1NodeSelectorTerm = {
  matchExpressions?: V1NodeSelectorRequirement[];
  matchFields?: V1NodeSelectorRequirement[];
};

/** The type `ObjectReference` of `core/v1`. */
export type V1ObjectReference = {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
  fieldPath?: string;
};

/** The kind `PersistentVolume` of `v1`. */
export type V1PersistentVolume = {
  apiVersion?: "v1";
  kind?: "PersistentVolume";
  metadata: V1ObjectMeta;
  spec?: V1PersistentVolumeSpec;
  status?: V1PersistentVolumeStatus;
};

/** The kind `PersistentVolumeClaim` of `v1`. */
export type V1PersistentVolumeClaim = {
  apiVersion?: "v1";
  kind?: "PersistentVolumeClaim";
  metadata: V1ObjectMeta;
  spec?: V1PersistentVolumeClaimSpec;
  status?: V1PersistentVolumeClaimStatus;
};

/** The type `PersistentVolumeClaimCondition` of `core/v1`. */
export type V1PersistentVolumeClaimCondition = {
  type: string;
  status: string;
  /** RFC 3339, in whole seconds. */
  lastProbeTime?: string;
  /** RFC 3339, in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The type `PersistentVolumeClaimSpec` of `core/v1`. */
export type V1PersistentVolumeClaimSpec = {
  /** One of `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOnce`, `ReadWriteOncePod`. */
  accessModes?: string[];
  selector?: V1LabelSelector;
  resources?: V1VolumeResourceRequirements;
  volumeName?: string;
  storageClassName?: string;
  /** One of `Block`, `Filesystem`. */
  volumeMode?: string;
  dataSource?: V1TypedLocalObjectReference;
  dataSourceRef?: V1TypedObjectReference;
  volumeAttributesClassName?: string;
};

/** The type `PersistentVolumeClaimStatus` of `core/v1`. */
export type V1PersistentVolumeClaimStatus = {
  /** One of `Bound`, `Lost`, `Pending`. */
  phase?: string;
  /** One of `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOnce`, `ReadWriteOncePod`. */
  accessModes?: string[];
  /** A quantity, as `500m` or `2Gi`. */
  capacity?: Record<string, string>;
  /** One item for each `type`. */
  conditions?: V1PersistentVolumeClaimCondition[];
  /** A quantity, as `500m` or `2Gi`. */
  allocatedResources?: Record<string, string>;
  /** One of `ControllerResizeInProgress`, `ControllerResizeInfeasible`, `NodeResizeInProgress`, `NodeResizeInfeasible`, `NodeResizePending`. */
  allocatedResourceStatuses?: Record<string, string>;
  currentVolumeAttributesClassName?: string;
  modifyVolumeStatus?: V1ModifyVolumeStatus;
  healthStatus?: V1VolumeHealthStatus;
};

/** The type `PersistentVolumeSpec` of `core/v1`. */
export type V1PersistentVolumeSpec = {
  /** A quantity, as `500m` or `2Gi`. */
  capacity?: Record<string, string>;
  gcePersistentDisk?: V1GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: V1AWSElasticBlockStoreVolumeSource;
  hostPath?: V1HostPathVolumeSource;
  glusterfs?: V1GlusterfsPersistentVolumeSource;
  nfs?: V1NFSVolumeSource;
  rbd?: V1RBDPersistentVolumeSource;
  iscsi?: V1ISCSIPersistentVolumeSource;
  cinder?: V1CinderPersistentVolumeSource;
  cephfs?: V1CephFSPersistentVolumeSource;
  fc?: V1FCVolumeSource;
  flocker?: V1FlockerVolumeSource;
  flexVolume?: V1FlexPersistentVolumeSource;
  azureFile?: V1AzureFilePersistentVolumeSource;
  vsphereVolume?: V1VsphereVirtualDiskVolumeSource;
  quobyte?: V1QuobyteVolumeSource;
  azureDisk?: V1AzureDiskVolumeSource;
  photonPersistentDisk?: V1PhotonPersistentDiskVolumeSource;
  portworxVolume?: V1PortworxVolumeSource;
  scaleIO?: V1ScaleIOPersistentVolumeSource;
  local?: V1LocalVolumeSource;
  storageos?: V1StorageOSPersistentVolumeSource;
  csi?: V1CSIPersistentVolumeSource;
  /** One of `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOnce`, `ReadWriteOncePod`. */
  accessModes?: string[];
  claimRef?: V1ObjectReference;
  /** One of `Delete`, `Recycle`, `Retain`. */
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  mountOptions?: string[];
  /** One of `Block`, `Filesystem`. */
  volumeMode?: string;
  nodeAffinity?: V1VolumeNodeAffinity;
  volumeAttributesClassName?: string;
};

/** The type `PersistentVolumeStatus` of `core/v1`. */
export type V1PersistentVolumeStatus = {
  /** One of `Available`, `Bound`, `Failed`, `Pending`, `Released`. */
  phase?: string;
  message?: string;
  reason?: string;
  /** RFC 3339, in whole seconds. */
  lastPhaseTransitionTime?: string;
};

/** The type `PhotonPersistentDiskVolumeSource` of `core/v1`. */
export type V1PhotonPersistentDiskVolumeSource = {
  pdID: string;
  fsType?: string;
};

/** The type `PortworxVolumeSource` of `core/v1`. */
export type V1PortworxVolumeSource = {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
};

/** The type `QuobyteVolumeSource` of `core/v1`. */
export type V1QuobyteVolumeSource = {
  registry: string;
  volume: string;
  readOnly?: boolean;
  user?: string;
  group?: string;
  tenant?: string;
};

/** The type `RBDPersistentVolumeSource` of `core/v1`. */
export type V1RBDPersistentVolumeSource = {
  monitors: string[];
  image: string;
  fsType?: string;
  /** @default {"rbd"} */
  pool?: string;
  /** @default {"admin"} */
  user?: string;
  /** @default {"/etc/ceph/keyring"} */
  keyring?: string;
  secretRef?: V1SecretReference;
  readOnly?: boolean;
};

/** The type `ScaleIOPersistentVolumeSource` of `core/v1`. */
export type V1ScaleIOPersistentVolumeSource = {
  gateway: string;
  system: string;
  secretRef: V1SecretReference;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  /** @default {"ThinProvisioned"} */
  storageMode?: string;
  volumeName?: string;
  /** @default {"xfs"} */
  fsType?: string;
  readOnly?: boolean;
};

/** The type `SecretReference` of `core/v1`. */
export type V1SecretReference = {
  name?: string;
  namespace?: string;
};

/** The type `StorageOSPersistentVolumeSource` of `core/v1`. */
export type V1StorageOSPersistentVolumeSource = {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: V1ObjectReference;
};

/** The type `TypedLocalObjectReference` of `core/v1`. */
export type V1TypedLocalObjectReference = {
  apiGroup?: string;
  kind: string;
  name: string;
};

/** The type `TypedObjectReference` of `core/v1`. */
export type V1TypedObjectReference = {
  apiGroup?: string;
  kind: string;
  name: string;
  namespace?: string;
};

/** The type `VolumeHealthCondition` of `core/v1`. */
export type V1VolumeHealthCondition = {
  /** One of `DataLoss`, `Degraded`, `Inaccessible`. */
  status: string;
  reason: string;
  message?: string;
};

/** The type `VolumeHealthStatus` of `core/v1`. */
export type V1VolumeHealthStatus = {
  /** One item for each `status` and `reason`. */
  healthConditions?: V1VolumeHealthCondition[];
  /** RFC 3339, in whole seconds. */
  lastTransitionTime?: string;
};

/** The type `VolumeNodeAffinity` of `core/v1`. */
export type V1VolumeNodeAffinity = {
  required?: V1NodeSelector;
};

/** The type `VolumeResourceRequirements` of `core/v1`. */
export type V1VolumeResourceRequirements = {
  /** A quantity, as `500m` or `2Gi`. */
  limits?: Record<string, string>;
  /** A quantity, as `500m` or `2Gi`. */
  requests?: Record<string, string>;
};

/** The type `VsphereVirtualDiskVolumeSource` of `core/v1`. */
export type V1VsphereVirtualDiskVolumeSource = {
  volumePath: string;
  fsType?: string;
  storagePolicyName?: string;
  storagePolicyID?: string;
};
