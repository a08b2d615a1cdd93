// Mirrors `admission/limitranger/admission.go, mergePodResourceRequirements`.

import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Quantities, ResourceRequirements } from "@xca/apimachinery/internal/resources";
import type { Limit } from "./limit_checks.ts";

const ANNOTATION = "kubernetes.io/limit-ranger";

interface NamedContainer {
  readonly name: string;
  resources?: ResourceRequirements;
}

interface PodSpec {
  readonly containers?: readonly NamedContainer[];
  readonly initContainers?: readonly NamedContainer[];
}

/**
 * Sets the absent requests and limits of a pod's containers and init containers to the defaults of
 * LimitRange entries for containers, in place, and records those that it set in the annotation
 * `kubernetes.io/limit-ranger`. Of several entries with a default for a resource, the last counts.
 */
export function defaultResources(pod: ApiObject, limits: readonly Limit[]): void {
  const defaults: Required<ResourceRequirements> = { requests: {}, limits: {} };
  for (const limit of limits) {
    if (limit.type !== "Container") continue;
    Object.assign(defaults.requests, limit.defaultRequest);
    Object.assign(defaults.limits, limit.default);
  }
  const spec = (pod["spec"] ?? {}) as PodSpec;
  const set = [
    ...(spec.containers ?? []).flatMap((each) => fill(each, "container", defaults)),
    ...(spec.initContainers ?? []).flatMap((each) => fill(each, "init container", defaults)),
  ];
  if (set.length === 0) return;
  const annotations = pod.metadata.annotations ??= {};
  annotations[ANNOTATION] = `LimitRanger plugin set: ${set.join("; ")}`;
}

/**
 * Sets the absent requests and limits of a container to the defaults, in place. Returns a text
 * about the requests that were set and one about the limits, such as `cpu, memory request for
 * container a`; no text where nothing was set.
 */
function fill(
  container: NamedContainer,
  what: string,
  defaults: Required<ResourceRequirements>,
): string[] {
  return (["requests", "limits"] as const).flatMap((field) => {
    const missing = missingOf(container.resources?.[field], defaults[field]);
    const names = Object.keys(missing).sort();
    if (names.length === 0) return [];
    container.resources = {
      ...container.resources,
      [field]: { ...container.resources?.[field], ...missing },
    };
    const word = field === "requests" ? "request" : "limit";
    return [`${names.join(", ")} ${word} for ${what} ${container.name}`];
  });
}

function missingOf(own: Quantities = {}, defaults: Quantities): Quantities {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !Object.hasOwn(own, name)));
}
