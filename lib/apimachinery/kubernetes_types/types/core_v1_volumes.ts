// Written by `deno task facts:dump`.
import type {
  V1AWSElasticBlockStoreVolumeSource,
  V1AzureDiskVolumeSource,
  V1FCVolumeSource,
  V1FlockerVolumeSource,
  V1GCEPersistentDiskVolumeSource,
  V1HostPathVolumeSource,
  V1NFSVolumeSource,
  V1PersistentVolumeClaimSpec,
  V1PhotonPersistentDiskVolumeSource,
  V1PortworxVolumeSource,
  V1QuobyteVolumeSource,
  V1VsphereVirtualDiskVolumeSource,
} from "./core_v1_persistent_volumes.ts";
import type { V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `AzureFileVolumeSource` of `v1`. */
export type V1AzureFileVolumeSource = {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
};

/** The TypeScript type of the Kubernetes API type `CSIVolumeSource` of `v1`. */
export type V1CSIVolumeSource = {
  driver: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  nodePublishSecretRef?: V1LocalObjectReference;
};

/** The TypeScript type of the Kubernetes API type `CephFSVolumeSource` of `v1`. */
export type V1CephFSVolumeSource = {
  monitors: string[];
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: V1LocalObjectReference;
  readOnly?: boolean;
};

/** The TypeScript type of the Kubernetes API type `CinderVolumeSource` of `v1`. */
export type V1CinderVolumeSource = {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: V1LocalObjectReference;
};

/** The TypeScript type of the Kubernetes API type `ClusterTrustBundleProjection` of `v1`. */
export type V1ClusterTrustBundleProjection = {
  name?: string;
  signerName?: string;
  labelSelector?: V1LabelSelector;
  optional?: boolean;
  path: string;
  user?: number;
};

/** The TypeScript type of the Kubernetes API type `ConfigMapProjection` of `v1`. */
export type V1ConfigMapProjection = {
  /** The field `name` of `ConfigMapProjection`. @default {""} */
  name?: string;
  items?: V1KeyToPath[];
  optional?: boolean;
};

/** The TypeScript type of the Kubernetes API type `ConfigMapVolumeSource` of `v1`. */
export type V1ConfigMapVolumeSource = {
  /** The field `name` of `ConfigMapVolumeSource`. @default {""} */
  name?: string;
  items?: V1KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
  defaultUser?: number;
};

/** The TypeScript type of the Kubernetes API type `DownwardAPIProjection` of `v1`. */
export type V1DownwardAPIProjection = {
  items?: V1DownwardAPIVolumeFile[];
};

/** The TypeScript type of the Kubernetes API type `DownwardAPIVolumeFile` of `v1`. */
export type V1DownwardAPIVolumeFile = {
  path: string;
  fieldRef?: V1ObjectFieldSelector;
  resourceFieldRef?: V1ResourceFieldSelector;
  mode?: number;
  user?: number;
};

/** The TypeScript type of the Kubernetes API type `DownwardAPIVolumeSource` of `v1`. */
export type V1DownwardAPIVolumeSource = {
  items?: V1DownwardAPIVolumeFile[];
  defaultMode?: number;
  defaultUser?: number;
};

/** The TypeScript type of the Kubernetes API type `EmptyDirVolumeSource` of `v1`. */
export type V1EmptyDirVolumeSource = {
  medium?: string;
  /** The field `sizeLimit` of `EmptyDirVolumeSource`: a quantity, such as `500m` or `2Gi`. */
  sizeLimit?: string;
  mode?: number;
};

/** The TypeScript type of the Kubernetes API type `EphemeralVolumeSource` of `v1`. */
export type V1EphemeralVolumeSource = {
  volumeClaimTemplate?: V1PersistentVolumeClaimTemplate;
};

/** The TypeScript type of the Kubernetes API type `FlexVolumeSource` of `v1`. */
export type V1FlexVolumeSource = {
  driver: string;
  fsType?: string;
  secretRef?: V1LocalObjectReference;
  readOnly?: boolean;
  options?: Record<string, string>;
};

/** The TypeScript type of the Kubernetes API type `GitRepoVolumeSource` of `v1`. */
export type V1GitRepoVolumeSource = {
  repository: string;
  revision?: string;
  directory?: string;
};

/** The TypeScript type of the Kubernetes API type `GlusterfsVolumeSource` of `v1`. */
export type V1GlusterfsVolumeSource = {
  endpoints: string;
  path: string;
  readOnly?: boolean;
};

/** The TypeScript type of the Kubernetes API type `ISCSIVolumeSource` of `v1`. */
export type V1ISCSIVolumeSource = {
  targetPortal: string;
  iqn: string;
  lun: number;
  /** The field `iscsiInterface` of `ISCSIVolumeSource`. @default {"default"} */
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: V1LocalObjectReference;
  initiatorName?: string;
};

/** The TypeScript type of the Kubernetes API type `ImageVolumeSource` of `v1`. */
export type V1ImageVolumeSource = {
  reference?: string;
  /** The field `pullPolicy` of `ImageVolumeSource`: a string, one of `Always`, `IfNotPresent`, `Never`. */
  pullPolicy?: string;
};

/** The TypeScript type of the Kubernetes API type `KeyToPath` of `v1`. */
export type V1KeyToPath = {
  key: string;
  path: string;
  mode?: number;
  user?: number;
};

/** The TypeScript type of the Kubernetes API type `LocalObjectReference` of `v1`. */
export type V1LocalObjectReference = {
  /** The field `name` of `LocalObjectReference`. @default {""} */
  name?: string;
};

/** The TypeScript type of the Kubernetes API type `ObjectFieldSelector` of `v1`. */
export type V1ObjectFieldSelector = {
  apiVersion?: string;
  fieldPath: string;
};

/** The TypeScript type of the Kubernetes API type `PersistentVolumeClaimTemplate` of `v1`. */
export type V1PersistentVolumeClaimTemplate = {
  metadata?: V1ObjectMeta;
  spec: V1PersistentVolumeClaimSpec;
};

/** The TypeScript type of the Kubernetes API type `PersistentVolumeClaimVolumeSource` of `v1`. */
export type V1PersistentVolumeClaimVolumeSource = {
  claimName: string;
  readOnly?: boolean;
};

/** The TypeScript type of the Kubernetes API type `PodCertificateProjection` of `v1`. */
export type V1PodCertificateProjection = {
  signerName: string;
  keyType: string;
  maxExpirationSeconds?: number;
  credentialBundlePath?: string;
  keyPath?: string;
  certificateChainPath?: string;
  userAnnotations?: Record<string, string>;
  user?: number;
};

/** The TypeScript type of the Kubernetes API type `ProjectedVolumeSource` of `v1`. */
export type V1ProjectedVolumeSource = {
  sources?: V1VolumeProjection[];
  defaultMode?: number;
  defaultUser?: number;
};

/** The TypeScript type of the Kubernetes API type `RBDVolumeSource` of `v1`. */
export type V1RBDVolumeSource = {
  monitors: string[];
  image: string;
  fsType?: string;
  /** The field `pool` of `RBDVolumeSource`. @default {"rbd"} */
  pool?: string;
  /** The field `user` of `RBDVolumeSource`. @default {"admin"} */
  user?: string;
  /** The field `keyring` of `RBDVolumeSource`. @default {"/etc/ceph/keyring"} */
  keyring?: string;
  secretRef?: V1LocalObjectReference;
  readOnly?: boolean;
};

/** The TypeScript type of the Kubernetes API type `ResourceFieldSelector` of `v1`. */
export type V1ResourceFieldSelector = {
  containerName?: string;
  resource: string;
  /** The field `divisor` of `ResourceFieldSelector`: a quantity, such as `500m` or `2Gi`. */
  divisor?: string;
};

/** The TypeScript type of the Kubernetes API type `ScaleIOVolumeSource` of `v1`. */
export type V1ScaleIOVolumeSource = {
  gateway: string;
  system: string;
  secretRef: V1LocalObjectReference;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  /** The field `storageMode` of `ScaleIOVolumeSource`. @default {"ThinProvisioned"} */
  storageMode?: string;
  volumeName?: string;
  /** The field `fsType` of `ScaleIOVolumeSource`. @default {"xfs"} */
  fsType?: string;
  readOnly?: boolean;
};

/** The TypeScript type of the Kubernetes API type `SecretProjection` of `v1`. */
export type V1SecretProjection = {
  /** The field `name` of `SecretProjection`. @default {""} */
  name?: string;
  items?: V1KeyToPath[];
  optional?: boolean;
};

/** The TypeScript type of the Kubernetes API type `SecretVolumeSource` of `v1`. */
export type V1SecretVolumeSource = {
  secretName?: string;
  items?: V1KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
  defaultUser?: number;
};

/** The TypeScript type of the Kubernetes API type `ServiceAccountTokenProjection` of `v1`. */
export type V1ServiceAccountTokenProjection = {
  audience?: string;
  expirationSeconds?: number;
  path: string;
  user?: number;
};

/** The TypeScript type of the Kubernetes API type `StorageOSVolumeSource` of `v1`. */
export type V1StorageOSVolumeSource = {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: V1LocalObjectReference;
};

/** The TypeScript type of the Kubernetes API type `Volume` of `v1`. */
export type V1Volume = {
  name: string;
  hostPath?: V1HostPathVolumeSource;
  emptyDir?: V1EmptyDirVolumeSource;
  gcePersistentDisk?: V1GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: V1AWSElasticBlockStoreVolumeSource;
  gitRepo?: V1GitRepoVolumeSource;
  secret?: V1SecretVolumeSource;
  nfs?: V1NFSVolumeSource;
  iscsi?: V1ISCSIVolumeSource;
  glusterfs?: V1GlusterfsVolumeSource;
  persistentVolumeClaim?: V1PersistentVolumeClaimVolumeSource;
  rbd?: V1RBDVolumeSource;
  flexVolume?: V1FlexVolumeSource;
  cinder?: V1CinderVolumeSource;
  cephfs?: V1CephFSVolumeSource;
  flocker?: V1FlockerVolumeSource;
  downwardAPI?: V1DownwardAPIVolumeSource;
  fc?: V1FCVolumeSource;
  azureFile?: V1AzureFileVolumeSource;
  configMap?: V1ConfigMapVolumeSource;
  vsphereVolume?: V1VsphereVirtualDiskVolumeSource;
  quobyte?: V1QuobyteVolumeSource;
  azureDisk?: V1AzureDiskVolumeSource;
  photonPersistentDisk?: V1PhotonPersistentDiskVolumeSource;
  projected?: V1ProjectedVolumeSource;
  portworxVolume?: V1PortworxVolumeSource;
  scaleIO?: V1ScaleIOVolumeSource;
  storageos?: V1StorageOSVolumeSource;
  csi?: V1CSIVolumeSource;
  ephemeral?: V1EphemeralVolumeSource;
  image?: V1ImageVolumeSource;
};

/** The TypeScript type of the Kubernetes API type `VolumeProjection` of `v1`. */
export type V1VolumeProjection = {
  secret?: V1SecretProjection;
  downwardAPI?: V1DownwardAPIProjection;
  configMap?: V1ConfigMapProjection;
  serviceAccountToken?: V1ServiceAccountTokenProjection;
  clusterTrustBundle?: V1ClusterTrustBundleProjection;
  podCertificate?: V1PodCertificateProjection;
};
