// Written by `deno task facts:dump`.
import type {
  V1AppArmorProfile,
  V1Container,
  V1ContainerStatus,
  V1EphemeralContainer,
  V1ResourceRequirements,
  V1SeccompProfile,
  V1SELinuxOptions,
  V1WindowsSecurityContextOptions,
} from "./core_v1_containers.ts";
import type {
  V1NodeSelector,
  V1NodeSelectorTerm,
  V1VolumeHealthCondition,
} from "./core_v1_persistent_volumes.ts";
import type { V1LocalObjectReference, V1Volume } from "./core_v1_volumes.ts";
import type { V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The type `Affinity` of `core/v1`. */
export type V1Affinity = {
  nodeAffinity?: V1NodeAffinity;
  podAffinity?: V1PodAffinity;
  podAntiAffinity?: V1PodAntiAffinity;
};

/** The type `ContainerExtendedResourceRequest` of `core/v1`. */
export type V1ContainerExtendedResourceRequest = {
  containerName: string;
  resourceName: string;
  requestName: string;
};

/** The type `EvictionResponder` of `core/v1`. */
export type V1EvictionResponder = {
  name: string;
  priority: number;
};

/** The type `HostAlias` of `core/v1`. */
export type V1HostAlias = {
  ip: string;
  hostnames?: string[];
};

/** The type `HostIP` of `core/v1`. */
export type V1HostIP = {
  ip: string;
};

/** The type `NodeAffinity` of `core/v1`. */
export type V1NodeAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution?: V1NodeSelector;
  preferredDuringSchedulingIgnoredDuringExecution?: V1PreferredSchedulingTerm[];
};

/** The type `NodeAllocatableMappedResources` of `core/v1`. */
export type V1NodeAllocatableMappedResources = {
  name: string;
  /** A quantity, as `500m` or `2Gi`. */
  quantity: string;
};

/** The type `NodeAllocatableOverheadResources` of `core/v1`. */
export type V1NodeAllocatableOverheadResources = {
  name: string;
  /** A quantity, as `500m` or `2Gi`. */
  perPod?: string;
  /** A quantity, as `500m` or `2Gi`. */
  perContainer?: string;
};

/** The type `NodeAllocatableResourceClaimStatus` of `core/v1`. */
export type V1NodeAllocatableResourceClaimStatus = {
  resourceClaimName: string;
  /** Each item once. */
  containers?: string[];
  /** One item for each `name`. */
  mapping?: V1NodeAllocatableMappedResources[];
  /** One item for each `name`. */
  overhead?: V1NodeAllocatableOverheadResources[];
};

/** The kind `Pod` of `v1`. */
export type V1Pod = {
  apiVersion?: "v1";
  kind?: "Pod";
  metadata: V1ObjectMeta;
  spec?: V1PodSpec;
  status?: V1PodStatus;
};

/** The type `PodAffinity` of `core/v1`. */
export type V1PodAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution?: V1PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: V1WeightedPodAffinityTerm[];
};

/** The type `PodAffinityTerm` of `core/v1`. */
export type V1PodAffinityTerm = {
  labelSelector?: V1LabelSelector;
  namespaces?: string[];
  topologyKey: string;
  namespaceSelector?: V1LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
};

/** The type `PodAntiAffinity` of `core/v1`. */
export type V1PodAntiAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution?: V1PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: V1WeightedPodAffinityTerm[];
};

/** The type `PodCondition` of `core/v1`. */
export type V1PodCondition = {
  type: string;
  observedGeneration?: number;
  status: string;
  /** RFC 3339, in whole seconds. */
  lastProbeTime?: string;
  /** RFC 3339, in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The type `PodDNSConfig` of `core/v1`. */
export type V1PodDNSConfig = {
  nameservers?: string[];
  searches?: string[];
  options?: V1PodDNSConfigOption[];
};

/** The type `PodDNSConfigOption` of `core/v1`. */
export type V1PodDNSConfigOption = {
  name?: string;
  value?: string;
};

/** The type `PodExtendedResourceClaimStatus` of `core/v1`. */
export type V1PodExtendedResourceClaimStatus = {
  requestMappings: V1ContainerExtendedResourceRequest[];
  resourceClaimName: string;
};

/** The type `PodIP` of `core/v1`. */
export type V1PodIP = {
  ip: string;
};

/** The type `PodOS` of `core/v1`. */
export type V1PodOS = {
  name: string;
};

/** The type `PodReadinessGate` of `core/v1`. */
export type V1PodReadinessGate = {
  conditionType: string;
};

/** The type `PodResourceClaim` of `core/v1`. */
export type V1PodResourceClaim = {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
};

/** The type `PodResourceClaimStatus` of `core/v1`. */
export type V1PodResourceClaimStatus = {
  name: string;
  resourceClaimName?: string;
};

/** The type `PodSchedulingGate` of `core/v1`. */
export type V1PodSchedulingGate = {
  name: string;
};

/** The type `PodSchedulingGroup` of `core/v1`. */
export type V1PodSchedulingGroup = {
  podGroupName?: string;
};

/** The type `PodSecurityContext` of `core/v1`. */
export type V1PodSecurityContext = {
  seLinuxOptions?: V1SELinuxOptions;
  windowsOptions?: V1WindowsSecurityContextOptions;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  supplementalGroups?: number[];
  /** One of `Merge`, `Strict`. */
  supplementalGroupsPolicy?: string;
  fsGroup?: number;
  sysctls?: V1Sysctl[];
  /** One of `Always`, `OnRootMismatch`. */
  fsGroupChangePolicy?: string;
  seccompProfile?: V1SeccompProfile;
  appArmorProfile?: V1AppArmorProfile;
  seLinuxChangePolicy?: string;
};

/** The type `PodSpec` of `core/v1`. */
export type V1PodSpec = {
  /** One item for each `name`. */
  volumes?: V1Volume[];
  /** One item for each `name`. */
  initContainers?: V1Container[];
  /** One item for each `name`. */
  containers: V1Container[];
  /** One item for each `name`. */
  ephemeralContainers?: V1EphemeralContainer[];
  /** One of `Always`, `Never`, `OnFailure`. */
  restartPolicy?: string;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  /** One of `ClusterFirst`, `ClusterFirstWithHostNet`, `Default`, `None`. */
  dnsPolicy?: string;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: V1PodSecurityContext;
  /** One item for each `name`. */
  imagePullSecrets?: V1LocalObjectReference[];
  hostname?: string;
  subdomain?: string;
  affinity?: V1Affinity;
  schedulerName?: string;
  tolerations?: V1Toleration[];
  /** One item for each `ip`. */
  hostAliases?: V1HostAlias[];
  priorityClassName?: string;
  priority?: number;
  dnsConfig?: V1PodDNSConfig;
  readinessGates?: V1PodReadinessGate[];
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  /** One of `Never`, `PreemptLowerPriority`. */
  preemptionPolicy?: string;
  /** A quantity, as `500m` or `2Gi`. */
  overhead?: Record<string, string>;
  /** One item for each `topologyKey` and `whenUnsatisfiable`. */
  topologySpreadConstraints?: V1TopologySpreadConstraint[];
  setHostnameAsFQDN?: boolean;
  os?: V1PodOS;
  hostUsers?: boolean;
  /** One item for each `name`. */
  schedulingGates?: V1PodSchedulingGate[];
  /** One item for each `name`. */
  resourceClaims?: V1PodResourceClaim[];
  resources?: V1ResourceRequirements;
  hostnameOverride?: string;
  schedulingGroup?: V1PodSchedulingGroup;
  /** One item for each `name`. */
  evictionResponders?: V1EvictionResponder[];
};

/** The type `PodStatus` of `core/v1`. */
export type V1PodStatus = {
  observedGeneration?: number;
  /** One of `Failed`, `Pending`, `Running`, `Succeeded`, `Unknown`. */
  phase?: string;
  /** One item for each `type`. */
  conditions?: V1PodCondition[];
  message?: string;
  reason?: string;
  nominatedNodeName?: string;
  hostIP?: string;
  hostIPs?: V1HostIP[];
  podIP?: string;
  /** One item for each `ip`. */
  podIPs?: V1PodIP[];
  /** RFC 3339, in whole seconds. */
  startTime?: string;
  initContainerStatuses?: V1ContainerStatus[];
  containerStatuses?: V1ContainerStatus[];
  /** One of `BestEffort`, `Burstable`, `Guaranteed`. */
  qosClass?: string;
  ephemeralContainerStatuses?: V1ContainerStatus[];
  resize?: string;
  /** One item for each `name`. */
  resourceClaimStatuses?: V1PodResourceClaimStatus[];
  extendedResourceClaimStatus?: V1PodExtendedResourceClaimStatus;
  /** A quantity, as `500m` or `2Gi`. */
  allocatedResources?: Record<string, string>;
  resources?: V1ResourceRequirements;
  /** One item for each `resourceClaimName`. */
  nodeAllocatableResourceClaimStatuses?: V1NodeAllocatableResourceClaimStatus[];
  /** One item for each `name`. */
  volumeHealth?: V1PodVolumeHealth[];
};

/** The kind `PodTemplate` of `v1`. */
export type V1PodTemplate = {
  apiVersion?: "v1";
  kind?: "PodTemplate";
  metadata: V1ObjectMeta;
  template?: V1PodTemplateSpec;
};

/** The type `PodTemplateSpec` of `core/v1`. */
export type V1PodTemplateSpec = {
  metadata?: V1ObjectMeta;
  spec?: V1PodSpec;
};

/** The type `PodVolumeHealth` of `core/v1`. */
export type V1PodVolumeHealth = {
  name: string;
  /** One item for each `status` and `reason`. */
  healthConditions?: V1VolumeHealthCondition[];
  /** RFC 3339, in whole seconds. */
  lastTransitionTime?: string;
};

/** The type `PreferredSchedulingTerm` of `core/v1`. */
export type V1PreferredSchedulingTerm = {
  weight: number;
  preference: V1NodeSelectorTerm;
};

/** The kind `ReplicationController` of `v1`. */
export type V1ReplicationController = {
  apiVersion?: "v1";
  kind?: "ReplicationController";
  metadata: V1ObjectMeta;
  spec?: V1ReplicationControllerSpec;
  status?: V1ReplicationControllerStatus;
};

/** The type `ReplicationControllerCondition` of `core/v1`. */
export type V1ReplicationControllerCondition = {
  type: string;
  status: string;
  /** RFC 3339, in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The type `ReplicationControllerSpec` of `core/v1`. */
export type V1ReplicationControllerSpec = {
  /** @default {1} */
  replicas?: number;
  /** @default {0} */
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: V1PodTemplateSpec;
};

/** The type `ReplicationControllerStatus` of `core/v1`. */
export type V1ReplicationControllerStatus = {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: number;
  /** One item for each `type`. */
  conditions?: V1ReplicationControllerCondition[];
};

/** The type `Sysctl` of `core/v1`. */
export type V1Sysctl = {
  name: string;
  value: string;
};

/** The type `Toleration` of `core/v1`. */
export type V1Toleration = {
  key?: string;
  /** One of `Equal`, `Exists`, `Gt`, `Lt`. */
  operator?: string;
  value?: string;
  /** One of `NoExecute`, `NoSchedule`, `PreferNoSchedule`. */
  effect?: string;
  tolerationSeconds?: number;
};

/** The type `TopologySpreadConstraint` of `core/v1`. */
export type V1TopologySpreadConstraint = {
  maxSkew: number;
  topologyKey: string;
  /** One of `DoNotSchedule`, `ScheduleAnyway`. */
  whenUnsatisfiable: string;
  labelSelector?: V1LabelSelector;
  minDomains?: number;
  /** One of `Honor`, `Ignore`. */
  nodeAffinityPolicy?: string;
  /** One of `Honor`, `Ignore`. */
  nodeTaintsPolicy?: string;
  matchLabelKeys?: string[];
};

/** The type `WeightedPodAffinityTerm` of `core/v1`. */
export type V1WeightedPodAffinityTerm = {
  weight: number;
  podAffinityTerm: V1PodAffinityTerm;
};
