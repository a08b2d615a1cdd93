// Written by `deno task facts:dump`.
import type { V1NodeSelector } from "./core_v1_persistent_volumes.ts";
import type { V1Condition, V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `AllocatedDeviceStatus` of `resource.k8s.io/v1`. */
export type V1AllocatedDeviceStatus = {
  driver: string;
  pool: string;
  device: string;
  shareID?: string;
  /** The field `conditions` of `AllocatedDeviceStatus`: a list with at most one item for each `type`. */
  conditions?: V1Condition[];
  data?: unknown;
  networkData?: V1NetworkDeviceData;
};

/** The TypeScript type of the Kubernetes API type `AllocationResult` of `resource.k8s.io/v1`. */
export type V1AllocationResult = {
  devices?: V1DeviceAllocationResult;
  nodeSelector?: V1NodeSelector;
  /** The field `allocationTimestamp` of `AllocationResult`: an RFC 3339 time in whole seconds. */
  allocationTimestamp?: string;
};

/** The TypeScript type of the Kubernetes API type `CELDeviceSelector` of `resource.k8s.io/v1`. */
export type V1CELDeviceSelector = {
  expression: string;
};

/** The TypeScript type of the Kubernetes API type `CapacityRequestPolicy` of `resource.k8s.io/v1`. */
export type V1CapacityRequestPolicy = {
  /** The field `default` of `CapacityRequestPolicy`: a quantity, such as `500m` or `2Gi`. */
  default?: string;
  /** The field `validValues` of `CapacityRequestPolicy`: a list, each item a quantity, such as `500m` or `2Gi`. */
  validValues?: string[];
  validRange?: V1CapacityRequestPolicyRange;
};

/** The TypeScript type of the Kubernetes API type `CapacityRequestPolicyRange` of `resource.k8s.io/v1`. */
export type V1CapacityRequestPolicyRange = {
  /** The field `min` of `CapacityRequestPolicyRange`: a quantity, such as `500m` or `2Gi`. */
  min: string;
  /** The field `max` of `CapacityRequestPolicyRange`: a quantity, such as `500m` or `2Gi`. */
  max?: string;
  /** The field `step` of `CapacityRequestPolicyRange`: a quantity, such as `500m` or `2Gi`. */
  step?: string;
};

/** The TypeScript type of the Kubernetes API type `CapacityRequirements` of `resource.k8s.io/v1`. */
export type V1CapacityRequirements = {
  /** The field `requests` of `CapacityRequirements`: a map, each value a quantity, such as `500m` or `2Gi`. */
  requests?: Record<string, string>;
};

/** The TypeScript type of the Kubernetes API type `Counter` of `resource.k8s.io/v1`. */
export type V1Counter = {
  /** The field `value` of `Counter`: a quantity, such as `500m` or `2Gi`. */
  value: string;
};

/** The TypeScript type of the Kubernetes API type `CounterSet` of `resource.k8s.io/v1`. */
export type V1CounterSet = {
  name: string;
  counters: Record<string, V1Counter>;
};

/** The TypeScript type of the Kubernetes API type `Device` of `resource.k8s.io/v1`. */
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

/** The TypeScript type of the Kubernetes API type `DeviceAllocationConfiguration` of `resource.k8s.io/v1`. */
export type V1DeviceAllocationConfiguration = {
  /** The field `source` of `DeviceAllocationConfiguration`: a string, one of `FromClaim`, `FromClass`. */
  source: string;
  requests?: string[];
  opaque?: V1OpaqueDeviceConfiguration;
};

/** The TypeScript type of the Kubernetes API type `DeviceAllocationResult` of `resource.k8s.io/v1`. */
export type V1DeviceAllocationResult = {
  results?: V1DeviceRequestAllocationResult[];
  config?: V1DeviceAllocationConfiguration[];
};

/** The TypeScript type of the Kubernetes API type `DeviceAttribute` of `resource.k8s.io/v1`. */
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

/** The TypeScript type of the Kubernetes API type `DeviceCapacity` of `resource.k8s.io/v1`. */
export type V1DeviceCapacity = {
  /** The field `value` of `DeviceCapacity`: a quantity, such as `500m` or `2Gi`. */
  value: string;
  requestPolicy?: V1CapacityRequestPolicy;
};

/** The TypeScript type of the Kubernetes API type `DeviceClaim` of `resource.k8s.io/v1`. */
export type V1DeviceClaim = {
  requests?: V1DeviceRequest[];
  constraints?: V1DeviceConstraint[];
  config?: V1DeviceClaimConfiguration[];
};

/** The TypeScript type of the Kubernetes API type `DeviceClaimConfiguration` of `resource.k8s.io/v1`. */
export type V1DeviceClaimConfiguration = {
  requests?: string[];
  opaque?: V1OpaqueDeviceConfiguration;
};

/** The TypeScript type of the Kubernetes kind `DeviceClass` of `resource.k8s.io/v1`. */
export type V1DeviceClass = {
  apiVersion?: "resource.k8s.io/v1";
  kind?: "DeviceClass";
  metadata: V1ObjectMeta;
  spec?: V1DeviceClassSpec;
};

/** The TypeScript type of the Kubernetes API type `DeviceClassConfiguration` of `resource.k8s.io/v1`. */
export type V1DeviceClassConfiguration = {
  opaque?: V1OpaqueDeviceConfiguration;
};

/** The TypeScript type of the Kubernetes API type `DeviceClassSpec` of `resource.k8s.io/v1`. */
export type V1DeviceClassSpec = {
  selectors?: V1DeviceSelector[];
  config?: V1DeviceClassConfiguration[];
  extendedResourceName?: string;
};

/** The TypeScript type of the Kubernetes API type `DeviceConstraint` of `resource.k8s.io/v1`. */
export type V1DeviceConstraint = {
  requests?: string[];
  matchAttribute?: string;
  distinctAttribute?: string;
};

/** The TypeScript type of the Kubernetes API type `DeviceCounterConsumption` of `resource.k8s.io/v1`. */
export type V1DeviceCounterConsumption = {
  counterSet: string;
  counters: Record<string, V1Counter>;
  compatibilityGroups?: string[];
};

/** The TypeScript type of the Kubernetes API type `DeviceDerivedAttribute` of `resource.k8s.io/v1`. */
export type V1DeviceDerivedAttribute = {
  name: string;
  expression: string;
};

/** The TypeScript type of the Kubernetes API type `DeviceRequest` of `resource.k8s.io/v1`. */
export type V1DeviceRequest = {
  name: string;
  exactly?: V1ExactDeviceRequest;
  firstAvailable?: V1DeviceSubRequest[];
};

/** The TypeScript type of the Kubernetes API type `DeviceRequestAllocationResult` of `resource.k8s.io/v1`. */
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
  /** The field `consumedCapacity` of `DeviceRequestAllocationResult`: a map, each value a quantity, such as `500m` or `2Gi`. */
  consumedCapacity?: Record<string, string>;
  /** The field `skipNodeOperations` of `DeviceRequestAllocationResult`: strings, each one of `*`, `NodePrepareResources`, `NodeUnprepareResources`, without duplicates. */
  skipNodeOperations?: string[];
};

/** The TypeScript type of the Kubernetes API type `DeviceSelector` of `resource.k8s.io/v1`. */
export type V1DeviceSelector = {
  cel?: V1CELDeviceSelector;
};

/** The TypeScript type of the Kubernetes API type `DeviceSubRequest` of `resource.k8s.io/v1`. */
export type V1DeviceSubRequest = {
  name: string;
  deviceClassName: string;
  selectors?: V1DeviceSelector[];
  /** The field `allocationMode` of `DeviceSubRequest`: a string, one of `All`, `ExactCount`. */
  allocationMode?: string;
  count?: number;
  tolerations?: V1DeviceToleration[];
  capacity?: V1CapacityRequirements;
  derivedAttributes?: V1DeviceDerivedAttribute[];
};

/** The TypeScript type of the Kubernetes API type `DeviceTaint` of `resource.k8s.io/v1`. */
export type V1DeviceTaint = {
  key: string;
  value?: string;
  /** The field `effect` of `DeviceTaint`: a string, one of `NoExecute`, `NoSchedule`, `None`. */
  effect: string;
  /** The field `timeAdded` of `DeviceTaint`: an RFC 3339 time in whole seconds. */
  timeAdded?: string;
};

/** The TypeScript type of the Kubernetes kind `DeviceTaintRule` of `resource.k8s.io/v1`. */
export type V1DeviceTaintRule = {
  apiVersion?: "resource.k8s.io/v1";
  kind?: "DeviceTaintRule";
  metadata: V1ObjectMeta;
  spec: V1DeviceTaintRuleSpec;
  status?: V1DeviceTaintRuleStatus;
};

/** The TypeScript type of the Kubernetes API type `DeviceTaintRuleSpec` of `resource.k8s.io/v1`. */
export type V1DeviceTaintRuleSpec = {
  deviceSelector?: V1DeviceTaintSelector;
  taint: V1DeviceTaint;
};

/** The TypeScript type of the Kubernetes API type `DeviceTaintRuleStatus` of `resource.k8s.io/v1`. */
export type V1DeviceTaintRuleStatus = {
  /** The field `conditions` of `DeviceTaintRuleStatus`: a list with at most one item for each `type`. */
  conditions?: V1Condition[];
};

/** The TypeScript type of the Kubernetes API type `DeviceTaintSelector` of `resource.k8s.io/v1`. */
export type V1DeviceTaintSelector = {
  driver?: string;
  pool?: string;
  device?: string;
};

/** The TypeScript type of the Kubernetes API type `DeviceToleration` of `resource.k8s.io/v1`. */
export type V1DeviceToleration = {
  key?: string;
  /** The field `operator` of `DeviceToleration`: a string, one of `Equal`, `Exists`. @default {"Equal"} */
  operator?: string;
  value?: string;
  /** The field `effect` of `DeviceToleration`: a string, one of `NoExecute`, `NoSchedule`, `None`. */
  effect?: string;
  tolerationSeconds?: number;
};

/** The TypeScript type of the Kubernetes API type `ExactDeviceRequest` of `resource.k8s.io/v1`. */
export type V1ExactDeviceRequest = {
  deviceClassName: string;
  selectors?: V1DeviceSelector[];
  /** The field `allocationMode` of `ExactDeviceRequest`: a string, one of `All`, `ExactCount`. */
  allocationMode?: string;
  count?: number;
  adminAccess?: boolean;
  tolerations?: V1DeviceToleration[];
  capacity?: V1CapacityRequirements;
  derivedAttributes?: V1DeviceDerivedAttribute[];
};

/** The TypeScript type of the Kubernetes API type `NetworkDeviceData` of `resource.k8s.io/v1`. */
export type V1NetworkDeviceData = {
  interfaceName?: string;
  ips?: string[];
  hardwareAddress?: string;
};

/** The TypeScript type of the Kubernetes API type `NodeAllocatableMapping` of `resource.k8s.io/v1`. */
export type V1NodeAllocatableMapping = {
  capacityKey?: string;
  /** The field `capacityMultiplier` of `NodeAllocatableMapping`: a quantity, such as `500m` or `2Gi`. */
  capacityMultiplier?: string;
  /** The field `deviceMultiplier` of `NodeAllocatableMapping`: a quantity, such as `500m` or `2Gi`. */
  deviceMultiplier?: string;
};

/** The TypeScript type of the Kubernetes API type `NodeAllocatableOverhead` of `resource.k8s.io/v1`. */
export type V1NodeAllocatableOverhead = {
  /** The field `perPod` of `NodeAllocatableOverhead`: a quantity, such as `500m` or `2Gi`. */
  perPod?: string;
  /** The field `perContainer` of `NodeAllocatableOverhead`: a quantity, such as `500m` or `2Gi`. */
  perContainer?: string;
};

/** The TypeScript type of the Kubernetes API type `NodeAllocatableResource` of `resource.k8s.io/v1`. */
export type V1NodeAllocatableResource = {
  mapping?: V1NodeAllocatableMapping;
  overhead?: V1NodeAllocatableOverhead;
};

/** The TypeScript type of the Kubernetes API type `OpaqueDeviceConfiguration` of `resource.k8s.io/v1`. */
export type V1OpaqueDeviceConfiguration = {
  driver: string;
  parameters: unknown;
};

/** The TypeScript type of the Kubernetes kind `ResourceClaim` of `resource.k8s.io/v1`. */
export type V1ResourceClaim = {
  apiVersion?: "resource.k8s.io/v1";
  kind?: "ResourceClaim";
  metadata: V1ObjectMeta;
  spec?: V1ResourceClaimSpec;
  status?: V1ResourceClaimStatus;
};

/** The TypeScript type of the Kubernetes API type `ResourceClaimConsumerReference` of `resource.k8s.io/v1`. */
export type V1ResourceClaimConsumerReference = {
  apiGroup?: string;
  resource: string;
  name: string;
  uid: string;
};

/** The TypeScript type of the Kubernetes API type `ResourceClaimSpec` of `resource.k8s.io/v1`. */
export type V1ResourceClaimSpec = {
  devices?: V1DeviceClaim;
};

/** The TypeScript type of the Kubernetes API type `ResourceClaimStatus` of `resource.k8s.io/v1`. */
export type V1ResourceClaimStatus = {
  allocation?: V1AllocationResult;
  /** The field `reservedFor` of `ResourceClaimStatus`: a list with at most one item for each `uid`. */
  reservedFor?: V1ResourceClaimConsumerReference[];
  /** The field `devices` of `ResourceClaimStatus`: a list with at most one item for each combination of `driver` and `device` and `pool` and `shareID`. */
  devices?: V1AllocatedDeviceStatus[];
};

/** The TypeScript type of the Kubernetes kind `ResourceClaimTemplate` of `resource.k8s.io/v1`. */
export type V1ResourceClaimTemplate = {
  apiVersion?: "resource.k8s.io/v1";
  kind?: "ResourceClaimTemplate";
  metadata: V1ObjectMeta;
  spec?: V1ResourceClaimTemplateSpec;
};

/** The TypeScript type of the Kubernetes API type `ResourceClaimTemplateSpec` of `resource.k8s.io/v1`. */
export type V1ResourceClaimTemplateSpec = {
  metadata?: V1ObjectMeta;
  spec?: V1ResourceClaimSpec;
};

/** The TypeScript type of the Kubernetes API type `ResourcePool` of `resource.k8s.io/v1`. */
export type V1ResourcePool = {
  name: string;
  generation: number;
  resourceSliceCount: number;
};

/** The TypeScript type of the Kubernetes kind `ResourceSlice` of `resource.k8s.io/v1`. */
export type V1ResourceSlice = {
  apiVersion?: "resource.k8s.io/v1";
  kind?: "ResourceSlice";
  metadata: V1ObjectMeta;
  spec: V1ResourceSliceSpec;
};

/** The TypeScript type of the Kubernetes API type `ResourceSliceSpec` of `resource.k8s.io/v1`. */
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
  /** The field `skipNodeOperations` of `ResourceSliceSpec`: strings, each one of `*`, `NodePrepareResources`, `NodeUnprepareResources`, without duplicates. */
  skipNodeOperations?: string[];
};
