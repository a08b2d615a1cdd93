// Written by `deno task facts:dump`.
import type { V1ObjectReference } from "./core_v1_persistent_volumes.ts";
import type { V1LocalObjectReference } from "./core_v1_volumes.ts";
import type { V1Condition, V1ObjectMeta } from "./meta_v1.ts";

/** The type `AttachedVolume` of `core/v1`. */
export type V1AttachedVolume = {
  name: string;
  devicePath: string;
};

/** The kind `Binding` of `v1`. */
export type V1Binding = {
  apiVersion?: "v1";
  kind?: "Binding";
  metadata: V1ObjectMeta;
  target: V1ObjectReference;
};

/** The type `ClientIPConfig` of `core/v1`. */
export type V1ClientIPConfig = {
  timeoutSeconds?: number;
};

/** The type `ComponentCondition` of `core/v1`. */
export type V1ComponentCondition = {
  type: string;
  status: string;
  message?: string;
  error?: string;
};

/** The kind `ComponentStatus` of `v1`. */
export type V1ComponentStatus = {
  apiVersion?: "v1";
  kind?: "ComponentStatus";
  metadata: V1ObjectMeta;
  /** One item for each `type`. */
  conditions?: V1ComponentCondition[];
};

/** The kind `ConfigMap` of `v1`. */
export type V1ConfigMap = {
  apiVersion?: "v1";
  kind?: "ConfigMap";
  metadata: V1ObjectMeta;
  immutable?: boolean;
  data?: Record<string, string>;
  /** Base64. */
  binaryData?: Record<string, string>;
};

/** The type `ConfigMapNodeConfigSource` of `core/v1`. */
export type V1ConfigMapNodeConfigSource = {
  namespace: string;
  name: string;
  uid?: string;
  resourceVersion?: string;
  kubeletConfigKey: string;
};

/** The type `ContainerImage` of `core/v1`. */
export type V1ContainerImage = {
  names?: string[];
  sizeBytes?: number;
};

/** The type `DaemonEndpoint` of `core/v1`. */
export type V1DaemonEndpoint = {
  Port: number;
};

/** The type `EndpointAddress` of `core/v1`. */
export type V1EndpointAddress = {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: V1ObjectReference;
};

/** The type `EndpointPort` of `core/v1`. */
export type CoreV1EndpointPort = {
  name?: string;
  port: number;
  /** One of `SCTP`, `TCP`, `UDP`. */
  protocol?: string;
  appProtocol?: string;
};

/** The type `EndpointSubset` of `core/v1`. */
export type V1EndpointSubset = {
  addresses?: V1EndpointAddress[];
  notReadyAddresses?: V1EndpointAddress[];
  ports?: CoreV1EndpointPort[];
};

/** The kind `Endpoints` of `v1`. */
export type V1Endpoints = {
  apiVersion?: "v1";
  kind?: "Endpoints";
  metadata: V1ObjectMeta;
  subsets?: V1EndpointSubset[];
};

/** The kind `Event` of `v1`. */
export type CoreV1Event = {
  apiVersion?: "v1";
  kind?: "Event";
  metadata: V1ObjectMeta;
  involvedObject: V1ObjectReference;
  reason?: string;
  message?: string;
  source?: V1EventSource;
  /** RFC 3339, in whole seconds. */
  firstTimestamp?: string;
  /** RFC 3339, in whole seconds. */
  lastTimestamp?: string;
  count?: number;
  type?: string;
  /** RFC 3339, with microseconds. */
  eventTime?: string;
  series?: CoreV1EventSeries;
  action?: string;
  related?: V1ObjectReference;
  reportingComponent?: string;
  reportingInstance?: string;
};

/** The type `EventSeries` of `core/v1`. */
export type CoreV1EventSeries = {
  count?: number;
  /** RFC 3339, with microseconds. */
  lastObservedTime?: string;
};

/** The type `EventSource` of `core/v1`. */
export type V1EventSource = {
  component?: string;
  host?: string;
};

/** The kind `LimitRange` of `v1`. */
export type V1LimitRange = {
  apiVersion?: "v1";
  kind?: "LimitRange";
  metadata: V1ObjectMeta;
  spec?: V1LimitRangeSpec;
};

/** The type `LimitRangeItem` of `core/v1`. */
export type V1LimitRangeItem = {
  type: string;
  /** A quantity, as `500m` or `2Gi`. */
  max?: Record<string, string>;
  /** A quantity, as `500m` or `2Gi`. */
  min?: Record<string, string>;
  /** A quantity, as `500m` or `2Gi`. */
  default?: Record<string, string>;
  /** A quantity, as `500m` or `2Gi`. */
  defaultRequest?: Record<string, string>;
  /** A quantity, as `500m` or `2Gi`. */
  maxLimitRequestRatio?: Record<string, string>;
};

/** The type `LimitRangeSpec` of `core/v1`. */
export type V1LimitRangeSpec = {
  limits: V1LimitRangeItem[];
};

/** The type `LoadBalancerIngress` of `core/v1`. */
export type V1LoadBalancerIngress = {
  ip?: string;
  hostname?: string;
  ipMode?: string;
  ports?: V1PortStatus[];
};

/** The type `LoadBalancerStatus` of `core/v1`. */
export type V1LoadBalancerStatus = {
  ingress?: V1LoadBalancerIngress[];
};

/** The kind `Namespace` of `v1`. */
export type V1Namespace = {
  apiVersion?: "v1";
  kind?: "Namespace";
  metadata: V1ObjectMeta;
  spec?: V1NamespaceSpec;
  status?: V1NamespaceStatus;
};

/** The type `NamespaceCondition` of `core/v1`. */
export type V1NamespaceCondition = {
  type: string;
  status: string;
  /** RFC 3339, in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The type `NamespaceSpec` of `core/v1`. */
export type V1NamespaceSpec = {
  finalizers?: string[];
};

/** The type `NamespaceStatus` of `core/v1`. */
export type V1NamespaceStatus = {
  /** One of `Active`, `Terminating`. */
  phase?: string;
  /** One item for each `type`. */
  conditions?: V1NamespaceCondition[];
};

/** The kind `Node` of `v1`. */
export type V1Node = {
  apiVersion?: "v1";
  kind?: "Node";
  metadata: V1ObjectMeta;
  spec?: V1NodeSpec;
  status?: V1NodeStatus;
};

/** The type `NodeAddress` of `core/v1`. */
export type V1NodeAddress = {
  type: string;
  address: string;
};

/** The type `NodeCondition` of `core/v1`. */
export type V1NodeCondition = {
  type: string;
  status: string;
  /** RFC 3339, in whole seconds. */
  lastHeartbeatTime?: string;
  /** RFC 3339, in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The type `NodeConfigSource` of `core/v1`. */
export type V1NodeConfigSource = {
  configMap?: V1ConfigMapNodeConfigSource;
};

/** The type `NodeConfigStatus` of `core/v1`. */
export type V1NodeConfigStatus = {
  assigned?: V1NodeConfigSource;
  active?: V1NodeConfigSource;
  lastKnownGood?: V1NodeConfigSource;
  error?: string;
};

/** The type `NodeDaemonEndpoints` of `core/v1`. */
export type V1NodeDaemonEndpoints = {
  kubeletEndpoint?: V1DaemonEndpoint;
};

/** The type `NodeFeatures` of `core/v1`. */
export type V1NodeFeatures = {
  supplementalGroupsPolicy?: boolean;
};

/** The type `NodePodPreemptionPolicy` of `core/v1`. */
export type V1NodePodPreemptionPolicy = {
  /** Each item once. */
  disableResizePreemption?: string[];
};

/** The type `NodeRuntimeHandler` of `core/v1`. */
export type V1NodeRuntimeHandler = {
  name?: string;
  features?: V1NodeRuntimeHandlerFeatures;
};

/** The type `NodeRuntimeHandlerFeatures` of `core/v1`. */
export type V1NodeRuntimeHandlerFeatures = {
  recursiveReadOnlyMounts?: boolean;
  userNamespaces?: boolean;
};

/** The type `NodeSpec` of `core/v1`. */
export type V1NodeSpec = {
  podCIDR?: string;
  /** Each item once. */
  podCIDRs?: string[];
  providerID?: string;
  unschedulable?: boolean;
  taints?: V1Taint[];
  configSource?: V1NodeConfigSource;
  externalID?: string;
  podPreemptionPolicy?: V1NodePodPreemptionPolicy;
};

/** The type `NodeStatus` of `core/v1`. */
export type V1NodeStatus = {
  /** A quantity, as `500m` or `2Gi`. */
  capacity?: Record<string, string>;
  /** A quantity, as `500m` or `2Gi`. */
  allocatable?: Record<string, string>;
  /** One of `Pending`, `Running`, `Terminated`. */
  phase?: string;
  /** One item for each `type`. */
  conditions?: V1NodeCondition[];
  /** One item for each `type`. */
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

/** The type `NodeSwapStatus` of `core/v1`. */
export type V1NodeSwapStatus = {
  capacity?: number;
};

/** The type `NodeSystemInfo` of `core/v1`. */
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

/** The type `PortStatus` of `core/v1`. */
export type V1PortStatus = {
  port: number;
  /** One of `SCTP`, `TCP`, `UDP`. */
  protocol: string;
  error?: string;
};

/** The kind `ResourceQuota` of `v1`. */
export type V1ResourceQuota = {
  apiVersion?: "v1";
  kind?: "ResourceQuota";
  metadata: V1ObjectMeta;
  spec?: V1ResourceQuotaSpec;
  status?: V1ResourceQuotaStatus;
};

/** The type `ResourceQuotaSpec` of `core/v1`. */
export type V1ResourceQuotaSpec = {
  /** A quantity, as `500m` or `2Gi`. */
  hard?: Record<string, string>;
  /** One of `BestEffort`, `CrossNamespacePodAffinity`, `NotBestEffort`, `NotTerminating`, `PriorityClass`, `Terminating`, `VolumeAttributesClass`. */
  scopes?: string[];
  scopeSelector?: V1ScopeSelector;
};

/** The type `ResourceQuotaStatus` of `core/v1`. */
export type V1ResourceQuotaStatus = {
  /** A quantity, as `500m` or `2Gi`. */
  hard?: Record<string, string>;
  /** A quantity, as `500m` or `2Gi`. */
  used?: Record<string, string>;
};

/** The type `ScopeSelector` of `core/v1`. */
export type V1ScopeSelector = {
  matchExpressions?: V1ScopedResourceSelectorRequirement[];
};

/** The type `ScopedResourceSelectorRequirement` of `core/v1`. */
export type V1ScopedResourceSelectorRequirement = {
  /** One of `BestEffort`, `CrossNamespacePodAffinity`, `NotBestEffort`, `NotTerminating`, `PriorityClass`, `Terminating`, `VolumeAttributesClass`. */
  scopeName: string;
  /** One of `DoesNotExist`, `Exists`, `In`, `NotIn`. */
  operator: string;
  values?: string[];
};

/** The kind `Secret` of `v1`. */
export type V1Secret = {
  apiVersion?: "v1";
  kind?: "Secret";
  metadata: V1ObjectMeta;
  immutable?: boolean;
  /** Base64. */
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  type?: string;
};

/** The kind `Service` of `v1`. */
export type V1Service = {
  apiVersion?: "v1";
  kind?: "Service";
  metadata: V1ObjectMeta;
  spec?: V1ServiceSpec;
  status?: V1ServiceStatus;
};

/** The kind `ServiceAccount` of `v1`. */
export type V1ServiceAccount = {
  apiVersion?: "v1";
  kind?: "ServiceAccount";
  metadata: V1ObjectMeta;
  /** One item for each `name`. */
  secrets?: V1ObjectReference[];
  imagePullSecrets?: V1LocalObjectReference[];
  automountServiceAccountToken?: boolean;
};

/** The type `ServicePort` of `core/v1`. */
export type V1ServicePort = {
  name?: string;
  /** One of `SCTP`, `TCP`, `UDP`. @default {"TCP"} */
  protocol?: string;
  appProtocol?: string;
  port: number;
  targetPort?: number | string;
  nodePort?: number;
};

/** The type `ServiceSpec` of `core/v1`. */
export type V1ServiceSpec = {
  /** One item for each `port` and `protocol`. */
  ports?: V1ServicePort[];
  selector?: Record<string, string>;
  clusterIP?: string;
  clusterIPs?: string[];
  /** One of `ClusterIP`, `ExternalName`, `LoadBalancer`, `NodePort`. */
  type?: string;
  externalIPs?: string[];
  /** One of `ClientIP`, `None`. */
  sessionAffinity?: string;
  loadBalancerIP?: string;
  loadBalancerSourceRanges?: string[];
  externalName?: string;
  /** One of `Cluster`, `Local`. */
  externalTrafficPolicy?: string;
  healthCheckNodePort?: number;
  publishNotReadyAddresses?: boolean;
  sessionAffinityConfig?: V1SessionAffinityConfig;
  /** One of ``, `IPv4`, `IPv6`. */
  ipFamilies?: string[];
  /** One of `PreferDualStack`, `RequireDualStack`, `SingleStack`. */
  ipFamilyPolicy?: string;
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
  /** One of `Cluster`, `Local`. */
  internalTrafficPolicy?: string;
  trafficDistribution?: string;
};

/** The type `ServiceStatus` of `core/v1`. */
export type V1ServiceStatus = {
  loadBalancer?: V1LoadBalancerStatus;
  /** One item for each `type`. */
  conditions?: V1Condition[];
};

/** The type `SessionAffinityConfig` of `core/v1`. */
export type V1SessionAffinityConfig = {
  clientIP?: V1ClientIPConfig;
};

/** The type `Taint` of `core/v1`. */
export type V1Taint = {
  key: string;
  value?: string;
  /** One of `NoExecute`, `NoSchedule`, `PreferNoSchedule`. */
  effect: string;
  /** RFC 3339, in whole seconds. */
  timeAdded?: string;
};

/** The type `TopologySelectorLabelRequirement` of `core/v1`. */
export type V1TopologySelectorLabelRequirement = {
  key: string;
  values: string[];
};

/** The type `TopologySelectorTerm` of `core/v1`. */
export type V1TopologySelectorTerm = {
  matchLabelExpressions?: V1TopologySelectorLabelRequirement[];
};
