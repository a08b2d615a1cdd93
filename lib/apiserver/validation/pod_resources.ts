import { compareQuantities, nanosOf } from "./quantity.ts";
import { addQuantities } from "./quantity_sum.ts";

/** Amounts by the names of what they are of. */
export type Quantities = Record<string, string>;

/** What a container, or a pod, asks for and is limited to. */
export interface ResourceRequirements {
  requests?: Quantities;
  limits?: Quantities;
}

/** A container as far as its resources are concerned. */
export interface ResourceContainer {
  readonly restartPolicy?: string;
  readonly resources?: ResourceRequirements;
}

/** A pod as far as its resources are concerned. */
export interface ResourcePodSpec {
  readonly containers?: readonly ResourceContainer[];
  readonly initContainers?: readonly ResourceContainer[];
  readonly resources?: ResourceRequirements;
}

/** What all containers of a pod ask for together, at the time when they ask for most. */
export function aggregateRequests(spec: ResourcePodSpec): Quantities {
  return aggregate(spec, (container) => container.resources?.requests ?? {});
}

/** What all containers of a pod are limited to together. */
export function aggregateLimits(spec: ResourcePodSpec): Quantities {
  return aggregate(spec, (container) => container.resources?.limits ?? {});
}

/** Sidecars run beside all; of the others that run before, one at a time does. */
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

/** Adds amounts to a sum. */
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

/** How a pod is treated when its node runs out of memory. */
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

/** Adds what counts for the class; how many of them there were. */
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
