// Written by `deno task facts:dump`.
import type { V1NodeSelector } from "./core_v1_persistent_volumes.ts";
import type { V1Condition, V1ObjectMeta } from "./meta_v1.ts";

/** The type `AllocatedDeviceStatus` of `resource/v1`. */
export type V1AllocatedDeviceStatus = {
  driver: string;
  pool: string;
  device: string;
  shareID?: string;
  /** One item for each `type`. */
  conditions?: V1Condition[];
  data?: unknown;
  networkData?: V1NetworkDeviceData;
};

/** The type `AllocationResult` of `resource/v1`. */
export type V1AllocationResult = {
  devices?: V1DeviceAllocationResult;
  nodeSelector?: V1NodeSelector;
  /** RFC 3339, in whole seconds. */
  allocationTimestamp?: string;
};

/** The type `CELDeviceSelector` of `resource/v1`. */
export type V1CELDeviceSelector = {
  expression: string;
};

/** The type `CapacityRequestPolicy` of `resource/v1`. */
export type V1CapacityRequestPolicy = {
  /** A quantity, as `500m` or `2Gi`. */
  default?: string;
  /** A quantity, as `500m` or `2Gi`. */
  validValues?: string[];
  validRange?: V1CapacityRequestPolicyRange;
};

/** The type `CapacityRequestPolicyRange` of `resource/v1`. */
export type V1CapacityRequestPolicyRange = {
  /** A quantity, as `500m` or `2Gi`. */
  min: string;
  /** A quantity, as `500m` or `2Gi`. */
  max?: string;
  /** A quantity, as `500m` or `2Gi`. */
  step?: string;
};

/** The type `CapacityRequirements` of `resource/v1`. */
export type V1CapacityRequirements = {
  /** A quantity, as `500m` or `2Gi`. */
  requests?: Record<string, string>;
};

/** The type `Counter` of `resource/v1`. */
export type V1Counter = {
  /** A quantity, as `500m` or `2Gi`. */
  value: string;
};

/** The type `CounterSet` of `resource/v1`. */
export type V1CounterSet = {
  name: string;
  counters: Record<string, V1Counter>;
};

/** The type `Device` of `resource/v1`. */
export type V1Device = {
  name: string;
  attributes?: Record<string, V1DeviceAttribute>;
  capacity?: Record<string, V1DeviceCapacity>;
  consumesCounters?: V1DeviceCounterConsumption[];
  nodeName?: string;
  nodeSelector?: V1NodeSelector;
  allNodes?: boolean;
  taints?: V1DeviceTaint[];
  bindsToNode?: boolean;
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  allowMultipleAllocations?: boolean;
  nodeAllocatableResources?: Record<string, V1NodeAllocatableResource>;
};

/** The type `DeviceAllocationConfiguration` of `resource/v1`. */
export type V1DeviceAllocationConfiguration = {
  /** One of `FromClaim`, `FromClass`. */
  source: string;
  requests?: string[];
  opaque?: V1OpaqueDeviceConfiguration;
};

/** The type `DeviceAllocationResult` of `resource/v1`. */
export type V1DeviceAllocationResult = {
  results?: V1DeviceRequestAllocationResult[];
  config?: V1DeviceAllocationConfiguration[];
};

/** The type `DeviceAttribute` of `resource/v1`. */
export type V1DeviceAttribute = {
  int?: number;
  bool?: boolean;
  string?: string;
  version?: string;
  ints?: number[];
  bools?: boolean[];
  strings?: string[];
  versions?: string[];
};

/** The type `DeviceCapacity` of `resource/v1`. */
export type V1DeviceCapacity = {
  /** A quantity, as `500m` or `2Gi`. */
  value: string;
  requestPolicy?: V1CapacityRequestPolicy;
};

/** The type `DeviceClaim` of `resource/v1`. */
export type V1DeviceClaim = {
  requests?: V1DeviceRequest[];
  constraints?: V1DeviceConstraint[];
  config?: V1DeviceClaimConfiguration[];
};

/** The type `DeviceClaimConfiguration` of `resource/v1`. */
export type V1DeviceClaimConfiguration = {
  requests?: string[];
  opaque?: V1OpaqueDeviceConfiguration;
};

/** The kind `DeviceClass` of `resource.k8s.io/v1`. */
export type V1DeviceClass = {
  apiVersion?: "resource.k8s.io/v1";
  kind?: "DeviceClass";
  metadata: V1ObjectMeta;
  spec?: V1DeviceClassSpec;
};

/** The type `DeviceClassConfiguration` of `resource/v1`. */
export type V1DeviceClassConfiguration = {
  opaque?: V1OpaqueDeviceConfiguration;
};

/** The type `DeviceClassSpec` of `resource/v1`. */
export type V1DeviceClassSpec = {
  selectors?: V1DeviceSelector[];
  config?: V1DeviceClassConfiguration[];
  extendedResourceName?: string;
};

/** The type `DeviceConstraint` of `resource/v1`. */
export type V1DeviceConstraint = {
  requests?: string[];
  matchAttribute?: string;
  distinctAttribute?: string;
};

/** The type `DeviceCounterConsumption` of `resource/v1`. */
export type V1DeviceCounterConsumption = {
  counterSet: string;
  counters: Record<string, V1Counter>;
  compatibilityGroups?: string[];
};

/** The type `DeviceDerivedAttribute` of `resource/v1`. */
export type V1DeviceDerivedAttribute = {
  name: string;
  expression: string;
};

/** The type `DeviceRequest` of `resource/v1`. */
export type V1DeviceRequest = {
  name: string;
  exactly?: V1ExactDeviceRequest;
  firstAvailable?: V1DeviceSubRequest[];
};

/** The type `DeviceRequestAllocationResult` of `resource/v1`. */
export type V1DeviceRequestAllocationResult = {
  request: string;
  driver: string;
  pool: string;
  device: string;
  adminAccess?: boolean;
  tolerations?: V1DeviceToleration[];
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  shareID?: string;
  /** A quantity, as `500m` or `2Gi`. */
  consumedCapacity?: Record<string, string>;
  /** One of `*`, `NodePrepareResources`, `NodeUnprepareResources`. Each item once. */
  skipNodeOperations?: string[];
};

/** The type `DeviceSelector` of `resource/v1`. */
export type V1DeviceSelector = {
  cel?: V1CELDeviceSelector;
};

/** The type `DeviceSubRequest` of `resource/v1`. */
export type V1DeviceSubRequest = {
  name: string;
  deviceClassName: string;
  selectors?: V1DeviceSelector[];
  /** One of `All`, `ExactCount`. */
  allocationMode?: string;
  count?: number;
  tolerations?: V1DeviceToleration[];
  capacity?: V1CapacityRequirements;
  derivedAttributes?: V1DeviceDerivedAttribute[];
};

/** The type `DeviceTaint` of `resource/v1`. */
export type V1DeviceTaint = {
  key: string;
  value?: string;
  /** One of `NoExecute`, `NoSchedule`, `None`. */
  effect: string;
  /** RFC 3339, in whole seconds. */
  timeAdded?: string;
};

/** The kind `DeviceTaintRule` of `resource.k8s.io/v1`. */
export type V1DeviceTaintRule = {
  apiVersion?: "resource.k8s.io/v1";
  kind?: "DeviceTaintRule";
  metadata: V1ObjectMeta;
  spec: V1DeviceTaintRuleSpec;
  status?: V1DeviceTaintRuleStatus;
};

/** The type `DeviceTaintRuleSpec` of `resource/v1`. */
export type V1DeviceTaintRuleSpec = {
  deviceSelector?: V1DeviceTaintSelector;
  taint: V1DeviceTaint;
};

/** The type `DeviceTaintRuleStatus` of `resource/v1`. */
export type V1DeviceTaintRuleStatus = {
  /** One item for each `type`. */
  conditions?: V1Condition[];
};

/** The type `DeviceTaintSelector` of `resource/v1`. */
export type V1DeviceTaintSelector = {
  driver?: string;
  pool?: string;
  device?: string;
};

/** The type `DeviceToleration` of `resource/v1`. */
export type V1DeviceToleration = {
  key?: string;
  /** One of `Equal`, `Exists`. @default {"Equal"} */
  operator?: string;
  value?: string;
  /** One of `NoExecute`, `NoSchedule`, `None`. */
  effect?: string;
  tolerationSeconds?: number;
};

/** The type `ExactDeviceRequest` of `resource/v1`. */
export type V1ExactDeviceRequest = {
  deviceClassName: string;
  selectors?: V1DeviceSelector[];
  /** One of `All`, `ExactCount`. */
  allocationMode?: string;
  count?: number;
  adminAccess?: boolean;
  tolerations?: V1DeviceToleration[];
  capacity?: V1CapacityRequirements;
  derivedAttributes?: V1DeviceDerivedAttribute[];
};

/** The type `NetworkDeviceData` of `resource/v1`. */
export type V1NetworkDeviceData = {
  interfaceName?: string;
  ips?: string[];
  hardwareAddress?: string;
};

/** The type `NodeAllocatableMapping` of `resource/v1`. */
export type V1NodeAllocatableMapping = {
  capacityKey?: string;
  /** A quantity, as `500m` or `2Gi`. */
  capacityMultiplier?: string;
  /** A quantity, as `500m` or `2Gi`. */
  deviceMultiplier?: string;
};

/** The type `NodeAllocatableOverhead` of `resource/v1`. */
export type V1NodeAllocatableOverhead = {
  /** A quantity, as `500m` or `2Gi`. */
  perPod?: string;
  /** A quantity, as `500m` or `2Gi`. */
  perContainer?: string;
};

/** The type `NodeAllocatableResource` of `resource/v1`. */
export type V1NodeAllocatableResource = {
  mapping?: V1NodeAllocatableMapping;
  overhead?: V1NodeAllocatableOverhead;
};

/** The type `OpaqueDeviceConfiguration` of `resource/v1`. */
export type V1OpaqueDeviceConfiguration = {
  driver: string;
  parameters: unknown;
};

/** The kind `ResourceClaim` of `resource.k8s.io/v1`. */
export type V1ResourceClaim = {
  apiVersion?: "resource.k8s.io/v1";
  kind?: "ResourceClaim";
  metadata: V1ObjectMeta;
  spec?: V1ResourceClaimSpec;
  status?: V1ResourceClaimStatus;
};

/** The type `ResourceClaimConsumerReference` of `resource/v1`. */
export type V1ResourceClaimConsumerReference = {
  apiGroup?: string;
  resource: string;
  name: string;
  uid: string;
};

/** The type `ResourceClaimSpec` of `resource/v1`. */
export type V1ResourceClaimSpec = {
  devices?: V1DeviceClaim;
};

/** The type `ResourceClaimStatus` of `resource/v1`. */
export type V1ResourceClaimStatus = {
  allocation?: V1AllocationResult;
  /** One item for each `uid`. */
  reservedFor?: V1ResourceClaimConsumerReference[];
  /** One item for each `driver` and `device` and `pool` and `shareID`. */
  devices?: V1AllocatedDeviceStatus[];
};

/** The kind `ResourceClaimTemplate` of `resource.k8s.io/v1`. */
export type V1ResourceClaimTemplate = {
  apiVersion?: "resource.k8s.io/v1";
  kind?: "ResourceClaimTemplate";
  metadata: V1ObjectMeta;
  spec?: V1ResourceClaimTemplateSpec;
};

/** The type `ResourceClaimTemplateSpec` of `resource/v1`. */
export type V1ResourceClaimTemplateSpec = {
  metadata?: V1ObjectMeta;
  spec?: V1ResourceClaimSpec;
};

/** The type `ResourcePool` of `resource/v1`. */
export type V1ResourcePool = {
  name: string;
  generation: number;
  resourceSliceCount: number;
};

/** The kind `ResourceSlice` of `resource.k8s.io/v1`. */
export type V1ResourceSlice = {
  apiVersion?: "resource.k8s.io/v1";
  kind?: "ResourceSlice";
  metadata: V1ObjectMeta;
  spec: V1ResourceSliceSpec;
};

/** The type `ResourceSliceSpec` of `resource/v1`. */
export type V1ResourceSliceSpec = {
  driver: string;
  pool: V1ResourcePool;
  nodeName?: string;
  nodeSelector?: V1NodeSelector;
  allNodes?: boolean;
  devices?: V1Device[];
  perDeviceNodeSelection?: boolean;
  sharedCounters?: V1CounterSet[];
  partitionTypeAttribute?: string;
  /** One of `*`, `NodePrepareResources`, `NodeUnprepareResources`. Each item once. */
  skipNodeOperations?: string[];
};
