// Mirrors `core/helper/helpers.go, IsHugePageResourceName`.
import { nanosOf } from "../values/quantity.ts";
import { qualifiedNameProblems } from "../validation/labels.ts";

const HUGE_PAGES = "hugepages-";

const COUNTED: ReadonlySet<string> = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);

const STANDARD: ReadonlySet<string> = new Set([
  ...COUNTED,
  "cpu",
  "memory",
  "ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "storage",
  "requests.storage",
]);

/** Reports whether a resource name is one of huge pages, such as `hugepages-2Mi`. */
export function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

/** Reports whether an amount of huge pages is a multiple of the page size in the resource name. */
export function isHugePagesMultiple(name: string, quantity: string): boolean {
  const size = nanosOf(name.slice(HUGE_PAGES.length));
  return size > 0n && nanosOf(quantity) % size === 0n;
}

/**
 * Reports whether a compute resource is native: its name has no domain, or contains
 * `kubernetes.io/`.
 */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Reports whether a container's limit of a resource may exceed its request. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** Reports whether a resource name is that of an extended resource, such as `example.com/gpu`. */
export function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith("requests.") &&
    qualifiedNameProblems(`requests.${name}`).length === 0;
}

/** Reports whether a resource name without a domain is a standard resource of Kubernetes. */
export function isStandardResource(name: string): boolean {
  return STANDARD.has(name) || isHugePages(name) || name.startsWith("requests.hugepages-");
}

/**
 * Reports whether a container may request a resource whose name has no domain: `cpu`, `memory`,
 * `ephemeral-storage` or huge pages.
 */
export function isContainerResource(name: string): boolean {
  return name === "cpu" || name === "memory" || name === "ephemeral-storage" || isHugePages(name);
}

/**
 * Reports whether a pod as a whole, apart from its containers, may request a resource: `cpu`,
 * `memory` or huge pages.
 */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || isHugePages(name);
}

/**
 * Reports whether amounts of a resource must be integers, such as those of `pods` and of extended
 * resources.
 */
export function isCountedResource(name: string): boolean {
  return COUNTED.has(name) || isExtendedResource(name);
}
