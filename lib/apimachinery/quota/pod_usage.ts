// Mirrors `evaluator/core/pods.go, PodUsageFunc`.
import { compareQuantities, nanosOf } from "../values/quantity.ts";
import type { V1Pod } from "../kubernetes_types/types/core_v1_pods.ts";
import {
  add,
  aggregateLimits,
  aggregateRequests,
  type Quantities,
  type ResourceContainer,
  type ResourceRequirements,
} from "../resources/pod_resources.ts";
import {
  isExtendedResource,
  isHugePages,
  isPodLevelResource,
} from "../resources/resource_names.ts";
import { ofWholePod, withWholePod } from "../resources/pod_requests.ts";
import { type Amounts, only, sum } from "./amounts.ts";

type PodStatus = NonNullable<V1Pod["status"]>;
type ContainerStatus = NonNullable<PodStatus["containerStatuses"]>[number];

/** The prefix of the names of extended resources that stand for a device class. */
export const DEVICE_CLASS_PREFIX = "deviceclass.resource.kubernetes.io/";

/**
 * Returns the current quota usage of a pod, under all names by which ResourceQuotas count it; only
 * `count/pods` for a pod that no longer uses resources.
 */
export function podUsage(pod: V1Pod, now: Date): Amounts {
  const count = { "count/pods": "1" };
  if (isPast(pod, now)) return count;
  return sum(count, namedUsage(requestsNow(pod), limitsNow(pod)));
}

/**
 * Reports whether a pod's resources no longer count against quota: it has finished, or its grace
 * period has passed since its `deletionTimestamp` (`evaluator/core/pods.go, QuotaV1Pod`).
 */
function isPast({ metadata, status }: V1Pod, now: Date): boolean {
  if (status?.phase === "Failed" || status?.phase === "Succeeded") return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false;
  return now.getTime() > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

/**
 * Returns the requests and limits of one pod or container under the names that ResourceQuotas use,
 * such as `cpu` and `requests.cpu` for a request, and the number of `pods`, 1.
 */
export function namedUsage(requests: Amounts, limits: Amounts): Quantities {
  const usage: Quantities = { pods: "1" };
  for (const name of ["cpu", "memory", "ephemeral-storage"]) {
    const [request, limit] = [requests[name], limits[name]];
    if (request !== undefined) usage[name] = usage[`requests.${name}`] = request;
    if (limit !== undefined) usage[`limits.${name}`] = limit;
  }
  for (const [name, request] of Object.entries(requests)) {
    if (isHugePages(name)) usage[name] = usage[`requests.${name}`] = request;
    if (isExtendedResource(name) || name.startsWith(DEVICE_CLASS_PREFIX)) {
      usage[`requests.${name}`] = request;
    }
  }
  return usage;
}

function requestsNow(pod: V1Pod): Quantities {
  const { spec, status } = pod;
  const infeasible = isResizeInfeasible(status);
  const requests = aggregateRequests(
    effectiveSpec(pod, (own, actual, allocated) => ({
      requests: infeasible
        ? most(actual.requests, allocated)
        : most(own.requests, actual.requests, allocated),
    })),
  );
  return withWholePod(requests, spec);
}

function limitsNow(pod: V1Pod): Quantities {
  const { spec, status } = pod;
  const infeasible = isResizeInfeasible(status);
  const limits = aggregateLimits(
    effectiveSpec(pod, (own, actual) => ({
      limits: infeasible ? { ...actual.limits } : most(own.limits, actual.limits),
    })),
  );
  Object.assign(limits, ofWholePod(spec?.resources?.limits));
  const limited = Object.keys(limits).filter((name) => nanosOf(limits[name]) !== 0n);
  add(limits, only(spec?.overhead ?? {}, limited));
  return limits;
}

/** Reports whether a pod has requests or limits of CPU, memory or huge pages at the pod level. */
export function asksAsAWhole({ spec }: V1Pod): boolean {
  const { requests, limits } = spec?.resources ?? {};
  return Object.keys({ ...requests, ...limits }).some(isPodLevelResource);
}

type Effective = (
  own: ResourceRequirements,
  actual: ResourceRequirements,
  allocated: Amounts,
) => ResourceRequirements;

/**
 * Returns the containers and init containers of a pod. If the status of a container or sidecar has
 * its actual resources, which count during a resize, `effective` computes the resources of that
 * container from those of its spec, its actual ones and its allocated ones.
 */
function effectiveSpec(
  { spec, status }: V1Pod,
  effective: Effective,
): { containers: ResourceContainer[]; initContainers: ResourceContainer[] } {
  const all = (
    containers: readonly (ResourceContainer & { readonly name: string })[] = [],
    statuses: readonly ContainerStatus[] = [],
  ): ResourceContainer[] =>
    containers.map((container) => {
      const found = statuses.find(({ name }) => name === container.name);
      if (!found?.resources) return container;
      const resources = effective(
        container.resources ?? {},
        found.resources,
        found.allocatedResources ?? {},
      );
      return { ...container, resources };
    });
  const sidecars = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === "Always");
  const ofSidecars = new Set(sidecars?.map(({ name }) => name));
  return {
    containers: all(spec?.containers, status?.containerStatuses),
    initContainers: all(
      spec?.initContainers,
      status?.initContainerStatuses?.filter(({ name }) => ofSidecars.has(name)),
    ),
  };
}

function isResizeInfeasible(status: PodStatus | undefined): boolean {
  const pending = status?.conditions?.find(({ type }) => type === "PodResizePending");
  return pending?.reason === "Infeasible";
}

/** Returns, by resource name, the maximum over several records of resource amounts. */
function most(...all: readonly (Amounts | undefined)[]): Quantities {
  const largest: Quantities = {};
  for (const [name, quantity] of all.flatMap((amounts) => Object.entries(amounts ?? {}))) {
    if (largest[name] === undefined || compareQuantities(quantity, largest[name]) > 0) {
      largest[name] = quantity;
    }
  }
  return largest;
}
