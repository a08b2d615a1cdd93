import { nanosOf } from "./quantity.ts";
import { qualifiedNameProblems } from "@xca/apimachinery/internal/validation";

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

/** Huge pages of some size. */
export function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

/** Whether an amount of huge pages is a multiple of the pages' size. */
export function isHugePagesMultiple(name: string, quantity: string): boolean {
  const size = nanosOf(name.slice(HUGE_PAGES.length));
  return size > 0n && nanosOf(quantity) % size === 0n;
}

/** A resource of Kubernetes itself: without a domain, or in `kubernetes.io/`. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Whether more may be promised than there is. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** A resource that somebody else defines. */
export function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith("requests.") &&
    qualifiedNameProblems(`requests.${name}`).length === 0;
}

/** A resource that Kubernetes knows without a domain. */
export function isStandardResource(name: string): boolean {
  return STANDARD.has(name) || isHugePages(name) || name.startsWith("requests.hugepages-");
}

/** A resource that a container may ask for without a domain. */
export function isContainerResource(name: string): boolean {
  return name === "cpu" || name === "memory" || name === "ephemeral-storage" || isHugePages(name);
}

/** A resource that a pod as a whole may ask for. */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || isHugePages(name);
}

/** A resource counted in whole numbers. */
export function isCountedResource(name: string): boolean {
  return COUNTED.has(name) || isExtendedResource(name);
}
