// Written by `deno task facts:dump`.
import type { V1ObjectReference } from "./core_v1_persistent_volumes.ts";
import type { V1LocalObjectReference } from "./core_v1_volumes.ts";
import type { V1Condition, V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `AttachedVolume` of `v1`. */
export type V1AttachedVolume = {
  name: string;
  devicePath: string;
};

/** The TypeScript type of the Kubernetes kind `Binding` of `v1`. */
export type V1Binding = {
  apiVersion?: "v1";
  kind?: "Binding";
  metadata: V1ObjectMeta;
  target: V1ObjectReference;
};

/** The TypeScript type of the Kubernetes API type `ClientIPConfig` of `v1`. */
export type V1ClientIPConfig = {
  timeoutSeconds?: number;
};

/** The TypeScript type of the Kubernetes API type `ComponentCondition` of `v1`. */
export type V1ComponentCondition = {
  type: string;
  status: string;
  message?: string;
  error?: string;
};

/** The TypeScript type of the Kubernetes kind `ComponentStatus` of `v1`. */
export type V1ComponentStatus = {
  apiVersion?: "v1";
  kind?: "ComponentStatus";
  metadata: V1ObjectMeta;
  /** The field `conditions` of `ComponentStatus`: a list with at most one item for each `type`. */
  conditions?: V1ComponentCondition[];
};

/** The TypeScript type of the Kubernetes kind `ConfigMap` of `v1`. */
export type V1ConfigMap = {
  apiVersion?: "v1";
  kind?: "ConfigMap";
  metadata: V1ObjectMeta;
  immutable?: boolean;
  data?: Record<string, string>;
  /** The field `binaryData` of `ConfigMap`: bytes in base64. */
  binaryData?: Record<string, string>;
};

/** The TypeScript type of the Kubernetes API type `ConfigMapNodeConfigSource` of `v1`. */
export type V1ConfigMapNodeConfigSource = {
  namespace: string;
  name: string;
  uid?: string;
  resourceVersion?: string;
  kubeletConfigKey: string;
};

/** The TypeScript type of the Kubernetes API type `ContainerImage` of `v1`. */
export type V1ContainerImage = {
  names?: string[];
  sizeBytes?: number;
};

/** The TypeScript type of the Kubernetes API type `DaemonEndpoint` of `v1`. */
export type V1DaemonEndpoint = {
  Port: number;
};

/** The TypeScript type of the Kubernetes API type `EndpointAddress` of `v1`. */
export type V1EndpointAddress = {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: V1ObjectReference;
};

/** The TypeScript type of the Kubernetes API type `EndpointPort` of `v1`. */
export type CoreV1EndpointPort = {
  name?: string;
  port: number;
  /** The field `protocol` of `EndpointPort`: a string, one of `SCTP`, `TCP`, `UDP`. */
  protocol?: string;
  appProtocol?: string;
};

/** The TypeScript type of the Kubernetes API type `EndpointSubset` of `v1`. */
export type V1EndpointSubset = {
  addresses?: V1EndpointAddress[];
  notReadyAddresses?: V1EndpointAddress[];
  ports?: CoreV1EndpointPort[];
};

/** The TypeScript type of the Kubernetes kind `Endpoints` of `v1`. */
export type V1Endpoints = {
  apiVersion?: "v1";
  kind?: "Endpoints";
  metadata: V1ObjectMeta;
  subsets?: V1EndpointSubset[];
};

/** The TypeScript type of the Kubernetes kind `Event` of `v1`. */
export type CoreV1Event = {
  apiVersion?: "v1";
  kind?: "Event";
  metadata: V1ObjectMeta;
  involvedObject: V1ObjectReference;
  reason?: string;
  message?: string;
  source?: V1EventSource;
  /** The field `firstTimestamp` of `Event`: an RFC 3339 time in whole seconds. */
  firstTimestamp?: string;
  /** The field `lastTimestamp` of `Event`: an RFC 3339 time in whole seconds. */
  lastTimestamp?: string;
  count?: number;
  type?: string;
  /** The field `eventTime` of `Event`: an RFC 3339 time with microseconds. */
  eventTime?: string;
  series?: CoreV1EventSeries;
  action?: string;
  related?: V1ObjectReference;
  reportingComponent?: string;
  reportingInstance?: string;
};

/** The TypeScript type of the Kubernetes API type `EventSeries` of `v1`. */
export type CoreV1EventSeries = {
  count?: number;
  /** The field `lastObservedTime` of `EventSeries`: an RFC 3339 time with microseconds. */
  lastObservedTime?: string;
};

/** The TypeScript type of the Kubernetes API type `EventSource` of `v1`. */
export type V1EventSource = {
  component?: string;
  host?: string;
};

/** The TypeScript type of the Kubernetes kind `LimitRange` of `v1`. */
export type V1LimitRange = {
  apiVersion?: "v1";
  kind?: "LimitRange";
  metadata: V1ObjectMeta;
  spec?: V1LimitRangeSpec;
};

/** The TypeScript type of the Kubernetes API type `LimitRangeItem` of `v1`. */
export type V1LimitRangeItem = {
  type: string;
  /** The field `max` of `LimitRangeItem`: a map, each value a quantity, such as `500m` or `2Gi`. */
  max?: Record<string, string>;
  /** The field `min` of `LimitRangeItem`: a map, each value a quantity, such as `500m` or `2Gi`. */
  min?: Record<string, string>;
  /** The field `default` of `LimitRangeItem`: a map, each value a quantity, such as `500m` or `2Gi`. */
  default?: Record<string, string>;
  /** The field `defaultRequest` of `LimitRangeItem`: a map, each value a quantity, such as `500m` or `2Gi`. */
  defaultRequest?: Record<string, string>;
  /** The field `maxLimitRequestRatio` of `LimitRangeItem`: a map, each value a quantity, such as `500m` or `2Gi`. */
  maxLimitRequestRatio?: Record<string, string>;
};

/** The TypeScript type of the Kubernetes API type `LimitRangeSpec` of `v1`. */
export type V1LimitRangeSpec = {
  limits: V1LimitRangeItem[];
};

/** The TypeScript type of the Kubernetes API type `LoadBalancerIngress` of `v1`. */
export type V1LoadBalancerIngress = {
  ip?: string;
  hostname?: string;
  ipMode?: string;
  ports?: V1PortStatus[];
};

/** The TypeScript type of the Kubernetes API type `LoadBalancerStatus` of `v1`. */
export type V1LoadBalancerStatus = {
  ingress?: V1LoadBalancerIngress[];
};

/** The TypeScript type of the Kubernetes kind `Namespace` of `v1`. */
export type V1Namespace = {
  apiVersion?: "v1";
  kind?: "Namespace";
  metadata: V1ObjectMeta;
  spec?: V1NamespaceSpec;
  status?: V1NamespaceStatus;
};

/** The TypeScript type of the Kubernetes API type `NamespaceCondition` of `v1`. */
export type V1NamespaceCondition = {
  type: string;
  status: string;
  /** The field `lastTransitionTime` of `NamespaceCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `NamespaceSpec` of `v1`. */
export type V1NamespaceSpec = {
  finalizers?: string[];
};

/** The TypeScript type of the Kubernetes API type `NamespaceStatus` of `v1`. */
export type V1NamespaceStatus = {
  /** The field `phase` of `NamespaceStatus`: a string, one of `Active`, `Terminating`. */
  phase?: string;
  /** The field `conditions` of `NamespaceStatus`: a list with at most one item for each `type`. */
  conditions?: V1NamespaceCondition[];
};

/** The TypeScript type of the Kubernetes kind `Node` of `v1`. */
export type V1Node = {
  apiVersion?: "v1";
  kind?: "Node";
  metadata: V1ObjectMeta;
  spec?: V1NodeSpec;
  status?: V1NodeStatus;
};

/** The TypeScript type of the Kubernetes API type `NodeAddress` of `v1`. */
export type V1NodeAddress = {
  type: string;
  address: string;
};

/** The TypeScript type of the Kubernetes API type `NodeCondition` of `v1`. */
export type V1NodeCondition = {
  type: string;
  status: string;
  /** The field `lastHeartbeatTime` of `NodeCondition`: an RFC 3339 time in whole seconds. */
  lastHeartbeatTime?: string;
  /** The field `lastTransitionTime` of `NodeCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `NodeConfigSource` of `v1`. */
export type V1NodeConfigSource = {
  configMap?: V1ConfigMapNodeConfigSource;
};

/** The TypeScript type of the Kubernetes API type `NodeConfigStatus` of `v1`. */
export type V1NodeConfigStatus = {
  assigned?: V1NodeConfigSource;
  active?: V1NodeConfigSource;
  lastKnownGood?: V1NodeConfigSource;
  error?: string;
};

/** The TypeScript type of the Kubernetes API type `NodeDaemonEndpoints` of `v1`. */
export type V1NodeDaemonEndpoints = {
  kubeletEndpoint?: V1DaemonEndpoint;
};

/** The TypeScript type of the Kubernetes API type `NodeFeatures` of `v1`. */
export type V1NodeFeatures = {
  supplementalGroupsPolicy?: boolean;
};

/** The TypeScript type of the Kubernetes API type `NodePodPreemptionPolicy` of `v1`. */
export type V1NodePodPreemptionPolicy = {
  /** The field `disableResizePreemption` of `NodePodPreemptionPolicy`: a list without duplicates. */
  disableResizePreemption?: string[];
};

/** The TypeScript type of the Kubernetes API type `NodeRuntimeHandler` of `v1`. */
export type V1NodeRuntimeHandler = {
  name?: string;
  features?: V1NodeRuntimeHandlerFeatures;
};

/** The TypeScript type of the Kubernetes API type `NodeRuntimeHandlerFeatures` of `v1`. */
export type V1NodeRuntimeHandlerFeatures = {
  recursiveReadOnlyMounts?: boolean;
  userNamespaces?: boolean;
};

/** The TypeScript type of the Kubernetes API type `NodeSpec` of `v1`. */
export type V1NodeSpec = {
  podCIDR?: string;
  /** The field `podCIDRs` of `NodeSpec`: a list without duplicates. */
  podCIDRs?: string[];
  providerID?: string;
  unschedulable?: boolean;
  taints?: V1Taint[];
  configSource?: V1NodeConfigSource;
  externalID?: string;
  podPreemptionPolicy?: V1NodePodPreemptionPolicy;
};

/** The TypeScript type of the Kubernetes API type `NodeStatus` of `v1`. */
export type V1NodeStatus = {
  /** The field `capacity` of `NodeStatus`: a map, each value a quantity, such as `500m` or `2Gi`. */
  capacity?: Record<string, string>;
  /** The field `allocatable` of `NodeStatus`: a map, each value a quantity, such as `500m` or `2Gi`. */
  allocatable?: Record<string, string>;
  /** The field `phase` of `NodeStatus`: a string, one of `Pending`, `Running`, `Terminated`. */
  phase?: string;
  /** The field `conditions` of `NodeStatus`: a list with at most one item for each `type`. */
  conditions?: V1NodeCondition[];
  /** The field `addresses` of `NodeStatus`: a list with at most one item for each `type`. */
  addresses?: V1NodeAddress[];
  daemonEndpoints?: V1NodeDaemonEndpoints;
  nodeInfo?: V1NodeSystemInfo;
  images?: V1ContainerImage[];
  volumesInUse?: string[];
  volumesAttached?: V1AttachedVolume[];
  config?: V1NodeConfigStatus;
  runtimeHandlers?: V1NodeRuntimeHandler[];
  features?: V1NodeFeatures;
  declaredFeatures?: string[];
};

/** The TypeScript type of the Kubernetes API type `NodeSwapStatus` of `v1`. */
export type V1NodeSwapStatus = {
  capacity?: number;
};

/** The TypeScript type of the Kubernetes API type `NodeSystemInfo` of `v1`. */
export type V1NodeSystemInfo = {
  machineID: string;
  systemUUID: string;
  bootID: string;
  kernelVersion: string;
  osImage: string;
  containerRuntimeVersion: string;
  kubeletVersion: string;
  kubeProxyVersion: string;
  operatingSystem: string;
  architecture: string;
  swap?: V1NodeSwapStatus;
  runningInUserNamespace?: boolean;
};

/** The TypeScript type of the Kubernetes API type `PortStatus` of `v1`. */
export type V1PortStatus = {
  port: number;
  /** The field `protocol` of `PortStatus`: a string, one of `SCTP`, `TCP`, `UDP`. */
  protocol: string;
  error?: string;
};

/** The TypeScript type of the Kubernetes kind `ResourceQuota` of `v1`. */
export type V1ResourceQuota = {
  apiVersion?: "v1";
  kind?: "ResourceQuota";
  metadata: V1ObjectMeta;
  spec?: V1ResourceQuotaSpec;
  status?: V1ResourceQuotaStatus;
};

/** The TypeScript type of the Kubernetes API type `ResourceQuotaSpec` of `v1`. */
export type V1ResourceQuotaSpec = {
  /** The field `hard` of `ResourceQuotaSpec`: a map, each value a quantity, such as `500m` or `2Gi`. */
  hard?: Record<string, string>;
  /** The field `scopes` of `ResourceQuotaSpec`: strings, each one of `BestEffort`, `CrossNamespacePodAffinity`, `NotBestEffort`, `NotTerminating`, `PriorityClass`, `Terminating`, `VolumeAttributesClass`. */
  scopes?: string[];
  scopeSelector?: V1ScopeSelector;
};

/** The TypeScript type of the Kubernetes API type `ResourceQuotaStatus` of `v1`. */
export type V1ResourceQuotaStatus = {
  /** The field `hard` of `ResourceQuotaStatus`: a map, each value a quantity, such as `500m` or `2Gi`. */
  hard?: Record<string, string>;
  /** The field `used` of `ResourceQuotaStatus`: a map, each value a quantity, such as `500m` or `2Gi`. */
  used?: Record<string, string>;
};

/** The TypeScript type of the Kubernetes API type `ScopeSelector` of `v1`. */
export type V1ScopeSelector = {
  matchExpressions?: V1ScopedResourceSelectorRequirement[];
};

/** The TypeScript type of the Kubernetes API type `ScopedResourceSelectorRequirement` of `v1`. */
export type V1ScopedResourceSelectorRequirement = {
  /** The field `scopeName` of `ScopedResourceSelectorRequirement`: a string, one of `BestEffort`, `CrossNamespacePodAffinity`, `NotBestEffort`, `NotTerminating`, `PriorityClass`, `Terminating`, `VolumeAttributesClass`. */
  scopeName: string;
  /** The field `operator` of `ScopedResourceSelectorRequirement`: a string, one of `DoesNotExist`, `Exists`, `In`, `NotIn`. */
  operator: string;
  values?: string[];
};

/** The TypeScript type of the Kubernetes kind `Secret` of `v1`. */
export type V1Secret = {
  apiVersion?: "v1";
  kind?: "Secret";
  metadata: V1ObjectMeta;
  immutable?: boolean;
  /** The field `data` of `Secret`: bytes in base64. */
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  type?: string;
};

/** The TypeScript type of the Kubernetes kind `Service` of `v1`. */
export type V1Service = {
  apiVersion?: "v1";
  kind?: "Service";
  metadata: V1ObjectMeta;
  spec?: V1ServiceSpec;
  status?: V1ServiceStatus;
};

/** The TypeScript type of the Kubernetes kind `ServiceAccount` of `v1`. */
export type V1ServiceAccount = {
  apiVersion?: "v1";
  kind?: "ServiceAccount";
  metadata: V1ObjectMeta;
  /** The field `secrets` of `ServiceAccount`: a list with at most one item for each `name`. */
  secrets?: V1ObjectReference[];
  imagePullSecrets?: V1LocalObjectReference[];
  automountServiceAccountToken?: boolean;
};

/** The TypeScript type of the Kubernetes API type `ServicePort` of `v1`. */
export type V1ServicePort = {
  name?: string;
  /** The field `protocol` of `ServicePort`: a string, one of `SCTP`, `TCP`, `UDP`. @default {"TCP"} */
  protocol?: string;
  appProtocol?: string;
  port: number;
  targetPort?: number | string;
  nodePort?: number;
};

/** The TypeScript type of the Kubernetes API type `ServiceSpec` of `v1`. */
export type V1ServiceSpec = {
  /** The field `ports` of `ServiceSpec`: a list with at most one item for each combination of `port` and `protocol`. */
  ports?: V1ServicePort[];
  selector?: Record<string, string>;
  clusterIP?: string;
  clusterIPs?: string[];
  /** The field `type` of `ServiceSpec`: a string, one of `ClusterIP`, `ExternalName`, `LoadBalancer`, `NodePort`. */
  type?: string;
  externalIPs?: string[];
  /** The field `sessionAffinity` of `ServiceSpec`: a string, one of `ClientIP`, `None`. */
  sessionAffinity?: string;
  loadBalancerIP?: string;
  loadBalancerSourceRanges?: string[];
  externalName?: string;
  /** The field `externalTrafficPolicy` of `ServiceSpec`: a string, one of `Cluster`, `Local`. */
  externalTrafficPolicy?: string;
  healthCheckNodePort?: number;
  publishNotReadyAddresses?: boolean;
  sessionAffinityConfig?: V1SessionAffinityConfig;
  /** The field `ipFamilies` of `ServiceSpec`: strings, each one of ``, `IPv4`, `IPv6`. */
  ipFamilies?: string[];
  /** The field `ipFamilyPolicy` of `ServiceSpec`: a string, one of `PreferDualStack`, `RequireDualStack`, `SingleStack`. */
  ipFamilyPolicy?: string;
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
  /** The field `internalTrafficPolicy` of `ServiceSpec`: a string, one of `Cluster`, `Local`. */
  internalTrafficPolicy?: string;
  trafficDistribution?: string;
};

/** The TypeScript type of the Kubernetes API type `ServiceStatus` of `v1`. */
export type V1ServiceStatus = {
  loadBalancer?: V1LoadBalancerStatus;
  /** The field `conditions` of `ServiceStatus`: a list with at most one item for each `type`. */
  conditions?: V1Condition[];
};

/** The TypeScript type of the Kubernetes API type `SessionAffinityConfig` of `v1`. */
export type V1SessionAffinityConfig = {
  clientIP?: V1ClientIPConfig;
};

/** The TypeScript type of the Kubernetes API type `Taint` of `v1`. */
export type V1Taint = {
  key: string;
  value?: string;
  /** The field `effect` of `Taint`: a string, one of `NoExecute`, `NoSchedule`, `PreferNoSchedule`. */
  effect: string;
  /** The field `timeAdded` of `Taint`: an RFC 3339 time in whole seconds. */
  timeAdded?: string;
};

/** The TypeScript type of the Kubernetes API type `TopologySelectorLabelRequirement` of `v1`. */
export type V1TopologySelectorLabelRequirement = {
  key: string;
  values: string[];
};

/** The TypeScript type of the Kubernetes API type `TopologySelectorTerm` of `v1`. */
export type V1TopologySelectorTerm = {
  matchLabelExpressions?: V1TopologySelectorLabelRequirement[];
};
