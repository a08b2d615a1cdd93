// Written by `deno task facts:dump`.
import type { V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `AWSElasticBlockStoreVolumeSource` of `v1`. */
export type V1AWSElasticBlockStoreVolumeSource = {
  volumeID: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
};

/** The TypeScript type of the Kubernetes API type `AzureDiskVolumeSource` of `v1`. */
export type V1AzureDiskVolumeSource = {
  diskName: string;
  diskURI: string;
  /** The field `cachingMode` of `AzureDiskVolumeSource`: a string, one of `None`, `ReadOnly`, `ReadWrite`. @default {"ReadWrite"} */
  cachingMode?: string;
  /** The field `fsType` of `AzureDiskVolumeSource`. @default {"ext4"} */
  fsType?: string;
  /** The field `readOnly` of `AzureDiskVolumeSource`. @default {false} */
  readOnly?: boolean;
  /** The field `kind` of `AzureDiskVolumeSource`: a string, one of `Dedicated`, `Managed`, `Shared`. @default {"Shared"} */
  kind?: string;
};

/** The TypeScript type of the Kubernetes API type `AzureFilePersistentVolumeSource` of `v1`. */
export type V1AzureFilePersistentVolumeSource = {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
  secretNamespace?: string;
};

/** The TypeScript type of the Kubernetes API type `CSIPersistentVolumeSource` of `v1`. */
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

/** The TypeScript type of the Kubernetes API type `CephFSPersistentVolumeSource` of `v1`. */
export type V1CephFSPersistentVolumeSource = {
  monitors: string[];
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: V1SecretReference;
  readOnly?: boolean;
};

/** The TypeScript type of the Kubernetes API type `CinderPersistentVolumeSource` of `v1`. */
export type V1CinderPersistentVolumeSource = {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: V1SecretReference;
};

/** The TypeScript type of the Kubernetes API type `FCVolumeSource` of `v1`. */
export type V1FCVolumeSource = {
  targetWWNs?: string[];
  lun?: number;
  fsType?: string;
  readOnly?: boolean;
  wwids?: string[];
};

/** The TypeScript type of the Kubernetes API type `FlexPersistentVolumeSource` of `v1`. */
export type V1FlexPersistentVolumeSource = {
  driver: string;
  fsType?: string;
  secretRef?: V1SecretReference;
  readOnly?: boolean;
  options?: Record<string, string>;
};

/** The TypeScript type of the Kubernetes API type `FlockerVolumeSource` of `v1`. */
export type V1FlockerVolumeSource = {
  datasetName?: string;
  datasetUUID?: string;
};

/** The TypeScript type of the Kubernetes API type `GCEPersistentDiskVolumeSource` of `v1`. */
export type V1GCEPersistentDiskVolumeSource = {
  pdName: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
};

/** The TypeScript type of the Kubernetes API type `GlusterfsPersistentVolumeSource` of `v1`. */
export type V1GlusterfsPersistentVolumeSource = {
  endpoints: string;
  path: string;
  readOnly?: boolean;
  endpointsNamespace?: string;
};

/** The TypeScript type of the Kubernetes API type `HostPathVolumeSource` of `v1`. */
export type V1HostPathVolumeSource = {
  path: string;
  /** The field `type` of `HostPathVolumeSource`: a string, one of ``, `BlockDevice`, `CharDevice`, `Directory`, `DirectoryOrCreate`, `File`, `FileOrCreate`, `Socket`. */
  type?: string;
};

/** The TypeScript type of the Kubernetes API type `ISCSIPersistentVolumeSource` of `v1`. */
export type V1ISCSIPersistentVolumeSource = {
  targetPortal: string;
  iqn: string;
  lun: number;
  /** The field `iscsiInterface` of `ISCSIPersistentVolumeSource`. @default {"default"} */
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: V1SecretReference;
  initiatorName?: string;
};

/** The TypeScript type of the Kubernetes API type `LocalVolumeSource` of `v1`. */
export type V1LocalVolumeSource = {
  path: string;
  fsType?: string;
};

/** The TypeScript type of the Kubernetes API type `ModifyVolumeStatus` of `v1`. */
export type V1ModifyVolumeStatus = {
  targetVolumeAttributesClassName?: string;
  /** The field `status` of `ModifyVolumeStatus`: a string, one of `InProgress`, `Infeasible`, `Pending`. */
  status: string;
};

/** The TypeScript type of the Kubernetes API type `NFSVolumeSource` of `v1`. */
export type V1NFSVolumeSource = {
  server: string;
  path: string;
  readOnly?: boolean;
};

/** The TypeScript type of the Kubernetes API type `NodeSelector` of `v1`. */
export type V1NodeSelector = {
  nodeSelectorTerms: V1NodeSelectorTerm[];
};

/** The TypeScript type of the Kubernetes API type `NodeSelectorRequirement` of `v1`. */
export type V1NodeSelectorRequirement = {
  key: string;
  /** The field `operator` of `NodeSelectorRequirement`: a string, one of `DoesNotExist`, `Exists`, `Gt`, `In`, `Lt`, `NotIn`. */
  operator: string;
  values?: string[];
};

/** The TypeScript type of the Kubernetes API type `NodeSelectorTerm` of `v1`. */
export type V1NodeSelectorTerm = {
  matchExpressions?: V1NodeSelectorRequirement[];
  matchFields?: V1NodeSelectorRequirement[];
};

/** The TypeScript type of the Kubernetes API type `ObjectReference` of `v1`. */
export type V1ObjectReference = {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
  fieldPath?: string;
};

/** The TypeScript type of the Kubernetes kind `PersistentVolume` of `v1`. */
export type V1PersistentVolume = {
  apiVersion?: "v1";
  kind?: "PersistentVolume";
  metadata: V1ObjectMeta;
  spec?: V1PersistentVolumeSpec;
  status?: V1PersistentVolumeStatus;
};

/** The TypeScript type of the Kubernetes kind `PersistentVolumeClaim` of `v1`. */
export type V1PersistentVolumeClaim = {
  apiVersion?: "v1";
  kind?: "PersistentVolumeClaim";
  metadata: V1ObjectMeta;
  spec?: V1PersistentVolumeClaimSpec;
  status?: V1PersistentVolumeClaimStatus;
};

/** The TypeScript type of the Kubernetes API type `PersistentVolumeClaimCondition` of `v1`. */
export type V1PersistentVolumeClaimCondition = {
  type: string;
  status: string;
  /** The field `lastProbeTime` of `PersistentVolumeClaimCondition`: an RFC 3339 time in whole seconds. */
  lastProbeTime?: string;
  /** The field `lastTransitionTime` of `PersistentVolumeClaimCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `PersistentVolumeClaimSpec` of `v1`. */
export type V1PersistentVolumeClaimSpec = {
  /** The field `accessModes` of `PersistentVolumeClaimSpec`: strings, each one of `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOnce`, `ReadWriteOncePod`. */
  accessModes?: string[];
  selector?: V1LabelSelector;
  resources?: V1VolumeResourceRequirements;
  volumeName?: string;
  storageClassName?: string;
  /** The field `volumeMode` of `PersistentVolumeClaimSpec`: a string, one of `Block`, `Filesystem`. */
  volumeMode?: string;
  dataSource?: V1TypedLocalObjectReference;
  dataSourceRef?: V1TypedObjectReference;
  volumeAttributesClassName?: string;
};

/** The TypeScript type of the Kubernetes API type `PersistentVolumeClaimStatus` of `v1`. */
export type V1PersistentVolumeClaimStatus = {
  /** The field `phase` of `PersistentVolumeClaimStatus`: a string, one of `Bound`, `Lost`, `Pending`. */
  phase?: string;
  /** The field `accessModes` of `PersistentVolumeClaimStatus`: strings, each one of `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOnce`, `ReadWriteOncePod`. */
  accessModes?: string[];
  /** The field `capacity` of `PersistentVolumeClaimStatus`: a map, each value a quantity, such as `500m` or `2Gi`. */
  capacity?: Record<string, string>;
  /** The field `conditions` of `PersistentVolumeClaimStatus`: a list with at most one item for each `type`. */
  conditions?: V1PersistentVolumeClaimCondition[];
  /** The field `allocatedResources` of `PersistentVolumeClaimStatus`: a map, each value a quantity, such as `500m` or `2Gi`. */
  allocatedResources?: Record<string, string>;
  /** The field `allocatedResourceStatuses` of `PersistentVolumeClaimStatus`: a string, one of `ControllerResizeInProgress`, `ControllerResizeInfeasible`, `NodeResizeInProgress`, `NodeResizeInfeasible`, `NodeResizePending`. */
  allocatedResourceStatuses?: Record<string, string>;
  currentVolumeAttributesClassName?: string;
  modifyVolumeStatus?: V1ModifyVolumeStatus;
  healthStatus?: V1VolumeHealthStatus;
};

/** The TypeScript type of the Kubernetes API type `PersistentVolumeSpec` of `v1`. */
export type V1PersistentVolumeSpec = {
  /** The field `capacity` of `PersistentVolumeSpec`: a map, each value a quantity, such as `500m` or `2Gi`. */
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
  /** The field `accessModes` of `PersistentVolumeSpec`: strings, each one of `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOnce`, `ReadWriteOncePod`. */
  accessModes?: string[];
  claimRef?: V1ObjectReference;
  /** The field `persistentVolumeReclaimPolicy` of `PersistentVolumeSpec`: a string, one of `Delete`, `Recycle`, `Retain`. */
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  mountOptions?: string[];
  /** The field `volumeMode` of `PersistentVolumeSpec`: a string, one of `Block`, `Filesystem`. */
  volumeMode?: string;
  nodeAffinity?: V1VolumeNodeAffinity;
  volumeAttributesClassName?: string;
};

/** The TypeScript type of the Kubernetes API type `PersistentVolumeStatus` of `v1`. */
export type V1PersistentVolumeStatus = {
  /** The field `phase` of `PersistentVolumeStatus`: a string, one of `Available`, `Bound`, `Failed`, `Pending`, `Released`. */
  phase?: string;
  message?: string;
  reason?: string;
  /** The field `lastPhaseTransitionTime` of `PersistentVolumeStatus`: an RFC 3339 time in whole seconds. */
  lastPhaseTransitionTime?: string;
};

/** The TypeScript type of the Kubernetes API type `PhotonPersistentDiskVolumeSource` of `v1`. */
export type V1PhotonPersistentDiskVolumeSource = {
  pdID: string;
  fsType?: string;
};

/** The TypeScript type of the Kubernetes API type `PortworxVolumeSource` of `v1`. */
export type V1PortworxVolumeSource = {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
};

/** The TypeScript type of the Kubernetes API type `QuobyteVolumeSource` of `v1`. */
export type V1QuobyteVolumeSource = {
  registry: string;
  volume: string;
  readOnly?: boolean;
  user?: string;
  group?: string;
  tenant?: string;
};

/** The TypeScript type of the Kubernetes API type `RBDPersistentVolumeSource` of `v1`. */
export type V1RBDPersistentVolumeSource = {
  monitors: string[];
  image: string;
  fsType?: string;
  /** The field `pool` of `RBDPersistentVolumeSource`. @default {"rbd"} */
  pool?: string;
  /** The field `user` of `RBDPersistentVolumeSource`. @default {"admin"} */
  user?: string;
  /** The field `keyring` of `RBDPersistentVolumeSource`. @default {"/etc/ceph/keyring"} */
  keyring?: string;
  secretRef?: V1SecretReference;
  readOnly?: boolean;
};

/** The TypeScript type of the Kubernetes API type `ScaleIOPersistentVolumeSource` of `v1`. */
export type V1ScaleIOPersistentVolumeSource = {
  gateway: string;
  system: string;
  secretRef: V1SecretReference;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  /** The field `storageMode` of `ScaleIOPersistentVolumeSource`. @default {"ThinProvisioned"} */
  storageMode?: string;
  volumeName?: string;
  /** The field `fsType` of `ScaleIOPersistentVolumeSource`. @default {"xfs"} */
  fsType?: string;
  readOnly?: boolean;
};

/** The TypeScript type of the Kubernetes API type `SecretReference` of `v1`. */
export type V1SecretReference = {
  name?: string;
  namespace?: string;
};

/** The TypeScript type of the Kubernetes API type `StorageOSPersistentVolumeSource` of `v1`. */
export type V1StorageOSPersistentVolumeSource = {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: V1ObjectReference;
};

/** The TypeScript type of the Kubernetes API type `TypedLocalObjectReference` of `v1`. */
export type V1TypedLocalObjectReference = {
  apiGroup?: string;
  kind: string;
  name: string;
};

/** The TypeScript type of the Kubernetes API type `TypedObjectReference` of `v1`. */
export type V1TypedObjectReference = {
  apiGroup?: string;
  kind: string;
  name: string;
  namespace?: string;
};

/** The TypeScript type of the Kubernetes API type `VolumeHealthCondition` of `v1`. */
export type V1VolumeHealthCondition = {
  /** The field `status` of `VolumeHealthCondition`: a string, one of `DataLoss`, `Degraded`, `Inaccessible`. */
  status: string;
  reason: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `VolumeHealthStatus` of `v1`. */
export type V1VolumeHealthStatus = {
  /** The field `healthConditions` of `VolumeHealthStatus`: a list with at most one item for each combination of `status` and `reason`. */
  healthConditions?: V1VolumeHealthCondition[];
  /** The field `lastTransitionTime` of `VolumeHealthStatus`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
};

/** The TypeScript type of the Kubernetes API type `VolumeNodeAffinity` of `v1`. */
export type V1VolumeNodeAffinity = {
  required?: V1NodeSelector;
};

/** The TypeScript type of the Kubernetes API type `VolumeResourceRequirements` of `v1`. */
export type V1VolumeResourceRequirements = {
  /** The field `limits` of `VolumeResourceRequirements`: a map, each value a quantity, such as `500m` or `2Gi`. */
  limits?: Record<string, string>;
  /** The field `requests` of `VolumeResourceRequirements`: a map, each value a quantity, such as `500m` or `2Gi`. */
  requests?: Record<string, string>;
};

/** The TypeScript type of the Kubernetes API type `VsphereVirtualDiskVolumeSource` of `v1`. */
export type V1VsphereVirtualDiskVolumeSource = {
  volumePath: string;
  fsType?: string;
  storagePolicyName?: string;
  storagePolicyID?: string;
};
