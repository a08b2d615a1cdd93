import { compareQuantities } from "@xca/apimachinery/internal/values";
import { FieldPath } from "@xca/apimachinery/internal/errors";
import {
  aggregateLimits,
  aggregateRequests,
  isHugePages,
  isOvercommitAllowed,
  isPodLevelResource,
} from "@xca/apimachinery/internal/resources";
import { containersOf, type PodSpec } from "./common/pod_types.ts";

type Quantities = Record<string, string>;

/**
 * Completes the pod-level resources of a pod that has some, in place (`pkg/api/pod/util.go`,
 * `DefaultPodLevelResources`): sets absent limits of huge pages, then absent requests, then the
 * other absent limits, each from the values set before. Runs after admission, which may have added
 * containers.
 */
export function defaultPodLevelResources(spec: PodSpec): void {
  const { resources } = spec;
  if (!resources || (isEmpty(resources.limits) && isEmpty(resources.requests))) return;
  defaultHugePageLimits(spec);
  defaultRequests(spec);
  defaultLimits(spec);
}

function defaultHugePageLimits(spec: PodSpec): void {
  const resources = spec.resources!;
  const limits: Quantities = { ...resources.limits };
  for (const [name, quantity] of Object.entries(aggregateLimits(spec))) {
    if (isHugePages(name) && resources.requests?.[name] === undefined) limits[name] ??= quantity;
  }
  if (!isEmpty(limits)) resources.limits = limits;
}

function defaultRequests(spec: PodSpec): void {
  const resources = spec.resources!;
  const requests: Quantities = { ...resources.requests };
  for (const [name, quantity] of Object.entries(aggregateRequests(spec))) {
    if (isPodLevelResource(name) && isOvercommitAllowed(name)) requests[name] ??= quantity;
  }
  for (const [name, quantity] of Object.entries(resources.limits ?? {})) {
    if (isPodLevelResource(name)) requests[name] ??= quantity;
  }
  if (!isEmpty(requests)) resources.requests = requests;
}

/**
 * Sets the absent pod-level limit of each resource that the pod requests and every container
 * limits: to the aggregate of the containers' limits, or to the request if that is greater.
 */
function defaultLimits(spec: PodSpec): void {
  const resources = spec.resources!;
  const containers = [...containersOf(spec, FieldPath.root)].map(([container]) => container);
  const sums = aggregateLimits(spec);
  const limits: Quantities = { ...resources.limits };
  for (const [name, request] of Object.entries(resources.requests ?? {})) {
    const sum = sums[name];
    if (!isPodLevelResource(name) || limits[name] !== undefined || sum === undefined) continue;
    if (containers.some((each) => each.resources?.limits?.[name] === undefined)) continue;
    limits[name] = compareQuantities(request, sum) > 0 ? request : sum;
  }
  if (!isEmpty(limits)) resources.limits = limits;
}

function isEmpty(map: object | undefined): boolean {
  return Object.keys(map ?? {}).length === 0;
}
