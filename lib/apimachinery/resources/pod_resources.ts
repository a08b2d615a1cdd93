// Mirrors `component-helpers/resource/helpers.go, PodRequests`.
import { compareQuantities, nanosOf } from "../values/quantity.ts";
import { addQuantities } from "./quantity_sum.ts";

/** A record of quantities by resource name, such as `{ cpu: "1" }`. */
export type Quantities = Record<string, string>;

/** The resource requests and limits of a container or a pod. */
export interface ResourceRequirements {
  requests?: Quantities;
  limits?: Quantities;
}

/**
 * The fields of a container that determine its resources: its requests and limits, and the restart
 * policy, which marks a sidecar.
 */
export interface ResourceContainer {
  readonly restartPolicy?: string;
  readonly resources?: ResourceRequirements;
}

/** The resource fields of a pod's spec: those of its containers and its own. */
export interface ResourcePodSpec {
  readonly containers?: readonly ResourceContainer[];
  readonly initContainers?: readonly ResourceContainer[];
  readonly resources?: ResourceRequirements;
}

/**
 * Returns, by resource name, the largest sum of the requests of a pod's containers that run at the
 * same time.
 */
export function aggregateRequests(spec: ResourcePodSpec): Quantities {
  return aggregate(spec, (container) => container.resources?.requests ?? {});
}

/**
 * Returns, by resource name, the largest sum of the limits of a pod's containers that run at the
 * same time.
 */
export function aggregateLimits(spec: ResourcePodSpec): Quantities {
  return aggregate(spec, (container) => container.resources?.limits ?? {});
}

/**
 * Returns, by resource name, the largest sum of the amounts of containers that run at the same
 * time: sidecars run along with all containers that start later, regular init containers one at a
 * time.
 */
function aggregate(
  spec: ResourcePodSpec,
  of: (container: ResourceContainer) => Quantities,
): Quantities {
  const total: Quantities = {};
  for (const container of spec.containers ?? []) add(total, of(container));
  const sidecars: Quantities = {};
  const before: Quantities = {};
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === "Always") {
      add(total, of(container));
      add(sidecars, of(container));
      raise(before, sidecars);
    } else {
      const together = { ...of(container) };
      add(together, sidecars);
      raise(before, together);
    }
  }
  raise(total, before);
  return total;
}

/** Adds quantities to a sum by resource name, in place. */
export function add(sum: Quantities, more: Readonly<Quantities>): void {
  for (const [name, quantity] of Object.entries(more)) {
    const known = sum[name];
    sum[name] = known === undefined ? quantity : addQuantities(known, quantity);
  }
}

function raise(list: Quantities, other: Quantities): void {
  for (const [name, quantity] of Object.entries(other)) {
    const known = list[name];
    if (known === undefined || compareQuantities(quantity, known) > 0) list[name] = quantity;
  }
}

/**
 * Returns the quality of service class of a pod, from `spec.resources` if the pod has that field,
 * even if empty, otherwise from the resources of its containers and init containers
 * (`core/v1/helper/qos/qos.go`, `ComputePodQOS`).
 */
export function podQosClass(spec: ResourcePodSpec): "Guaranteed" | "Burstable" | "BestEffort" {
  const own = spec.resources;
  const all = own
    ? [{ requests: own.requests, limits: own.limits }]
    : [...spec.containers ?? [], ...spec.initContainers ?? []].map(({ resources }) => ({
      requests: resources?.requests,
      limits: resources?.limits,
    }));
  const requests: Record<string, bigint> = {};
  const limits: Record<string, bigint> = {};
  let guaranteed = true;
  for (const each of all) {
    count(requests, each.requests);
    const limited = count(limits, each.limits);
    const asked = !own || Object.keys(each.limits ?? {}).length > 0;
    if (asked && limited < 2) guaranteed = false;
  }
  const names = Object.keys(requests);
  if (names.length === 0 && Object.keys(limits).length === 0) return "BestEffort";
  const equal = names.length === Object.keys(limits).length &&
    names.every((name) => limits[name] === requests[name]);
  return guaranteed && equal ? "Guaranteed" : "Burstable";
}

/**
 * Adds the quantities of CPU and memory, which determine the quality of service class, to a sum in
 * billionths; returns the number of the two that are above 0.
 */
function count(sum: Record<string, bigint>, quantities: Quantities | undefined): number {
  let found = 0;
  for (const name of ["cpu", "memory"]) {
    const nanos = nanosOf(quantities?.[name]);
    if (nanos <= 0n) continue;
    sum[name] = (sum[name] ?? 0n) + nanos;
    found++;
  }
  return found;
}
