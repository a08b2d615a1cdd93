/**
 * Internals about the resources that pods request, for the other packages of this repository. Not
 * public API: no compatibility is promised.
 *
 * @module
 */
export { podRequests } from "./pod_requests.ts";
export {
  aggregateLimits,
  aggregateRequests,
  podQosClass,
  type Quantities,
  type ResourceContainer,
  type ResourcePodSpec,
  type ResourceRequirements,
} from "./pod_resources.ts";
export {
  isContainerResource,
  isCountedResource,
  isExtendedResource,
  isHugePages,
  isHugePagesMultiple,
  isNativeResource,
  isOvercommitAllowed,
  isPodLevelResource,
  isStandardResource,
} from "./resource_names.ts";
