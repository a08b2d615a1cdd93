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

/** The TypeScript type of the Kubernetes API type `Affinity` of `v1`. */
export type V1Affinity = {
  nodeAffinity?: V1NodeAffinity;
  podAffinity?: V1PodAffinity;
  podAntiAffinity?: V1PodAntiAffinity;
};

/** The TypeScript type of the Kubernetes API type `ContainerExtendedResourceRequest` of `v1`. */
export type V1ContainerExtendedResourceRequest = {
  containerName: string;
  resourceName: string;
  requestName: string;
};

/** The TypeScript type of the Kubernetes API type `EvictionResponder` of `v1`. */
export type V1EvictionResponder = {
  name: string;
  priority: number;
};

/** The TypeScript type of the Kubernetes API type `HostAlias` of `v1`. */
export type V1HostAlias = {
  ip: string;
  hostnames?: string[];
};

/** The TypeScript type of the Kubernetes API type `HostIP` of `v1`. */
export type V1HostIP = {
  ip: string;
};

/** The TypeScript type of the Kubernetes API type `NodeAffinity` of `v1`. */
export type V1NodeAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution?: V1NodeSelector;
  preferredDuringSchedulingIgnoredDuringExecution?: V1PreferredSchedulingTerm[];
};

/** The TypeScript type of the Kubernetes API type `NodeAllocatableMappedResources` of `v1`. */
export type V1NodeAllocatableMappedResources = {
  name: string;
  /** The field `quantity` of `NodeAllocatableMappedResources`: a quantity, such as `500m` or `2Gi`. */
  quantity: string;
};

/** The TypeScript type of the Kubernetes API type `NodeAllocatableOverheadResources` of `v1`. */
export type V1NodeAllocatableOverheadResources = {
  name: string;
  /** The field `perPod` of `NodeAllocatableOverheadResources`: a quantity, such as `500m` or `2Gi`. */
  perPod?: string;
  /** The field `perContainer` of `NodeAllocatableOverheadResources`: a quantity, such as `500m` or `2Gi`. */
  perContainer?: string;
};

/** The TypeScript type of the Kubernetes API type `NodeAllocatableResourceClaimStatus` of `v1`. */
export type V1NodeAllocatableResourceClaimStatus = {
  resourceClaimName: string;
  /** The field `containers` of `NodeAllocatableResourceClaimStatus`: a list without duplicates. */
  containers?: string[];
  /** The field `mapping` of `NodeAllocatableResourceClaimStatus`: a list with at most one item for each `name`. */
  mapping?: V1NodeAllocatableMappedResources[];
  /** The field `overhead` of `NodeAllocatableResourceClaimStatus`: a list with at most one item for each `name`. */
  overhead?: V1NodeAllocatableOverheadResources[];
};

/** The TypeScript type of the Kubernetes kind `Pod` of `v1`. */
export type V1Pod = {
  apiVersion?: "v1";
  kind?: "Pod";
  metadata: V1ObjectMeta;
  spec?: V1PodSpec;
  status?: V1PodStatus;
};

/** The TypeScript type of the Kubernetes API type `PodAffinity` of `v1`. */
export type V1PodAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution?: V1PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: V1WeightedPodAffinityTerm[];
};

/** The TypeScript type of the Kubernetes API type `PodAffinityTerm` of `v1`. */
export type V1PodAffinityTerm = {
  labelSelector?: V1LabelSelector;
  namespaces?: string[];
  topologyKey: string;
  namespaceSelector?: V1LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
};

/** The TypeScript type of the Kubernetes API type `PodAntiAffinity` of `v1`. */
export type V1PodAntiAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution?: V1PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: V1WeightedPodAffinityTerm[];
};

/** The TypeScript type of the Kubernetes API type `PodCondition` of `v1`. */
export type V1PodCondition = {
  type: string;
  observedGeneration?: number;
  status: string;
  /** The field `lastProbeTime` of `PodCondition`: an RFC 3339 time in whole seconds. */
  lastProbeTime?: string;
  /** The field `lastTransitionTime` of `PodCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `PodDNSConfig` of `v1`. */
export type V1PodDNSConfig = {
  nameservers?: string[];
  searches?: string[];
  options?: V1PodDNSConfigOption[];
};

/** The TypeScript type of the Kubernetes API type `PodDNSConfigOption` of `v1`. */
export type V1PodDNSConfigOption = {
  name?: string;
  value?: string;
};

/** The TypeScript type of the Kubernetes API type `PodExtendedResourceClaimStatus` of `v1`. */
export type V1PodExtendedResourceClaimStatus = {
  requestMappings: V1ContainerExtendedResourceRequest[];
  resourceClaimName: string;
};

/** The TypeScript type of the Kubernetes API type `PodIP` of `v1`. */
export type V1PodIP = {
  ip: string;
};

/** The TypeScript type of the Kubernetes API type `PodOS` of `v1`. */
export type V1PodOS = {
  name: string;
};

/** The TypeScript type of the Kubernetes API type `PodReadinessGate` of `v1`. */
export type V1PodReadinessGate = {
  conditionType: string;
};

/** The TypeScript type of the Kubernetes API type `PodResourceClaim` of `v1`. */
export type V1PodResourceClaim = {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
};

/** The TypeScript type of the Kubernetes API type `PodResourceClaimStatus` of `v1`. */
export type V1PodResourceClaimStatus = {
  name: string;
  resourceClaimName?: string;
};

/** The TypeScript type of the Kubernetes API type `PodSchedulingGate` of `v1`. */
export type V1PodSchedulingGate = {
  name: string;
};

/** The TypeScript type of the Kubernetes API type `PodSchedulingGroup` of `v1`. */
export type V1PodSchedulingGroup = {
  podGroupName?: string;
};

/** The TypeScript type of the Kubernetes API type `PodSecurityContext` of `v1`. */
export type V1PodSecurityContext = {
  seLinuxOptions?: V1SELinuxOptions;
  windowsOptions?: V1WindowsSecurityContextOptions;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  supplementalGroups?: number[];
  /** The field `supplementalGroupsPolicy` of `PodSecurityContext`: a string, one of `Merge`, `Strict`. */
  supplementalGroupsPolicy?: string;
  fsGroup?: number;
  sysctls?: V1Sysctl[];
  /** The field `fsGroupChangePolicy` of `PodSecurityContext`: a string, one of `Always`, `OnRootMismatch`. */
  fsGroupChangePolicy?: string;
  seccompProfile?: V1SeccompProfile;
  appArmorProfile?: V1AppArmorProfile;
  seLinuxChangePolicy?: string;
};

/** The TypeScript type of the Kubernetes API type `PodSpec` of `v1`. */
export type V1PodSpec = {
  /** The field `volumes` of `PodSpec`: a list with at most one item for each `name`. */
  volumes?: V1Volume[];
  /** The field `initContainers` of `PodSpec`: a list with at most one item for each `name`. */
  initContainers?: V1Container[];
  /** The field `containers` of `PodSpec`: a list with at most one item for each `name`. */
  containers: V1Container[];
  /** The field `ephemeralContainers` of `PodSpec`: a list with at most one item for each `name`. */
  ephemeralContainers?: V1EphemeralContainer[];
  /** The field `restartPolicy` of `PodSpec`: a string, one of `Always`, `Never`, `OnFailure`. */
  restartPolicy?: string;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  /** The field `dnsPolicy` of `PodSpec`: a string, one of `ClusterFirst`, `ClusterFirstWithHostNet`, `Default`, `None`. */
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
  /** The field `imagePullSecrets` of `PodSpec`: a list with at most one item for each `name`. */
  imagePullSecrets?: V1LocalObjectReference[];
  hostname?: string;
  subdomain?: string;
  affinity?: V1Affinity;
  schedulerName?: string;
  tolerations?: V1Toleration[];
  /** The field `hostAliases` of `PodSpec`: a list with at most one item for each `ip`. */
  hostAliases?: V1HostAlias[];
  priorityClassName?: string;
  priority?: number;
  dnsConfig?: V1PodDNSConfig;
  readinessGates?: V1PodReadinessGate[];
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  /** The field `preemptionPolicy` of `PodSpec`: a string, one of `Never`, `PreemptLowerPriority`. */
  preemptionPolicy?: string;
  /** The field `overhead` of `PodSpec`: a map, each value a quantity, such as `500m` or `2Gi`. */
  overhead?: Record<string, string>;
  /** The field `topologySpreadConstraints` of `PodSpec`: a list with at most one item for each combination of `topologyKey` and `whenUnsatisfiable`. */
  topologySpreadConstraints?: V1TopologySpreadConstraint[];
  setHostnameAsFQDN?: boolean;
  os?: V1PodOS;
  hostUsers?: boolean;
  /** The field `schedulingGates` of `PodSpec`: a list with at most one item for each `name`. */
  schedulingGates?: V1PodSchedulingGate[];
  /** The field `resourceClaims` of `PodSpec`: a list with at most one item for each `name`. */
  resourceClaims?: V1PodResourceClaim[];
  resources?: V1ResourceRequirements;
  hostnameOverride?: string;
  schedulingGroup?: V1PodSchedulingGroup;
  /** The field `evictionResponders` of `PodSpec`: a list with at most one item for each `name`. */
  evictionResponders?: V1EvictionResponder[];
};

/** The TypeScript type of the Kubernetes API type `PodStatus` of `v1`. */
export type V1PodStatus = {
  observedGeneration?: number;
  /** The field `phase` of `PodStatus`: a string, one of `Failed`, `Pending`, `Running`, `Succeeded`, `Unknown`. */
  phase?: string;
  /** The field `conditions` of `PodStatus`: a list with at most one item for each `type`. */
  conditions?: V1PodCondition[];
  message?: string;
  reason?: string;
  nominatedNodeName?: string;
  hostIP?: string;
  hostIPs?: V1HostIP[];
  podIP?: string;
  /** The field `podIPs` of `PodStatus`: a list with at most one item for each `ip`. */
  podIPs?: V1PodIP[];
  /** The field `startTime` of `PodStatus`: an RFC 3339 time in whole seconds. */
  startTime?: string;
  initContainerStatuses?: V1ContainerStatus[];
  containerStatuses?: V1ContainerStatus[];
  /** The field `qosClass` of `PodStatus`: a string, one of `BestEffort`, `Burstable`, `Guaranteed`. */
  qosClass?: string;
  ephemeralContainerStatuses?: V1ContainerStatus[];
  resize?: string;
  /** The field `resourceClaimStatuses` of `PodStatus`: a list with at most one item for each `name`. */
  resourceClaimStatuses?: V1PodResourceClaimStatus[];
  extendedResourceClaimStatus?: V1PodExtendedResourceClaimStatus;
  /** The field `allocatedResources` of `PodStatus`: a map, each value a quantity, such as `500m` or `2Gi`. */
  allocatedResources?: Record<string, string>;
  resources?: V1ResourceRequirements;
  /** The field `nodeAllocatableResourceClaimStatuses` of `PodStatus`: a list with at most one item for each `resourceClaimName`. */
  nodeAllocatableResourceClaimStatuses?: V1NodeAllocatableResourceClaimStatus[];
  /** The field `volumeHealth` of `PodStatus`: a list with at most one item for each `name`. */
  volumeHealth?: V1PodVolumeHealth[];
};

/** The TypeScript type of the Kubernetes kind `PodTemplate` of `v1`. */
export type V1PodTemplate = {
  apiVersion?: "v1";
  kind?: "PodTemplate";
  metadata: V1ObjectMeta;
  template?: V1PodTemplateSpec;
};

/** The TypeScript type of the Kubernetes API type `PodTemplateSpec` of `v1`. */
export type V1PodTemplateSpec = {
  metadata?: V1ObjectMeta;
  spec?: V1PodSpec;
};

/** The TypeScript type of the Kubernetes API type `PodVolumeHealth` of `v1`. */
export type V1PodVolumeHealth = {
  name: string;
  /** The field `healthConditions` of `PodVolumeHealth`: a list with at most one item for each combination of `status` and `reason`. */
  healthConditions?: V1VolumeHealthCondition[];
  /** The field `lastTransitionTime` of `PodVolumeHealth`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
};

/** The TypeScript type of the Kubernetes API type `PreferredSchedulingTerm` of `v1`. */
export type V1PreferredSchedulingTerm = {
  weight: number;
  preference: V1NodeSelectorTerm;
};

/** The TypeScript type of the Kubernetes kind `ReplicationController` of `v1`. */
export type V1ReplicationController = {
  apiVersion?: "v1";
  kind?: "ReplicationController";
  metadata: V1ObjectMeta;
  spec?: V1ReplicationControllerSpec;
  status?: V1ReplicationControllerStatus;
};

/** The TypeScript type of the Kubernetes API type `ReplicationControllerCondition` of `v1`. */
export type V1ReplicationControllerCondition = {
  type: string;
  status: string;
  /** The field `lastTransitionTime` of `ReplicationControllerCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `ReplicationControllerSpec` of `v1`. */
export type V1ReplicationControllerSpec = {
  /** The field `replicas` of `ReplicationControllerSpec`. @default {1} */
  replicas?: number;
  /** The field `minReadySeconds` of `ReplicationControllerSpec`. @default {0} */
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: V1PodTemplateSpec;
};

/** The TypeScript type of the Kubernetes API type `ReplicationControllerStatus` of `v1`. */
export type V1ReplicationControllerStatus = {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: number;
  /** The field `conditions` of `ReplicationControllerStatus`: a list with at most one item for each `type`. */
  conditions?: V1ReplicationControllerCondition[];
};

/** The TypeScript type of the Kubernetes API type `Sysctl` of `v1`. */
export type V1Sysctl = {
  name: string;
  value: string;
};

/** The TypeScript type of the Kubernetes API type `Toleration` of `v1`. */
export type V1Toleration = {
  key?: string;
  /** The field `operator` of `Toleration`: a string, one of `Equal`, `Exists`, `Gt`, `Lt`. */
  operator?: string;
  value?: string;
  /** The field `effect` of `Toleration`: a string, one of `NoExecute`, `NoSchedule`, `PreferNoSchedule`. */
  effect?: string;
  tolerationSeconds?: number;
};

/** The TypeScript type of the Kubernetes API type `TopologySpreadConstraint` of `v1`. */
export type V1TopologySpreadConstraint = {
  maxSkew: number;
  topologyKey: string;
  /** The field `whenUnsatisfiable` of `TopologySpreadConstraint`: a string, one of `DoNotSchedule`, `ScheduleAnyway`. */
  whenUnsatisfiable: string;
  labelSelector?: V1LabelSelector;
  minDomains?: number;
  /** The field `nodeAffinityPolicy` of `TopologySpreadConstraint`: a string, one of `Honor`, `Ignore`. */
  nodeAffinityPolicy?: string;
  /** The field `nodeTaintsPolicy` of `TopologySpreadConstraint`: a string, one of `Honor`, `Ignore`. */
  nodeTaintsPolicy?: string;
  matchLabelKeys?: string[];
};

/** The TypeScript type of the Kubernetes API type `WeightedPodAffinityTerm` of `v1`. */
export type V1WeightedPodAffinityTerm = {
  weight: number;
  podAffinityTerm: V1PodAffinityTerm;
};
