// Mirrors `evaluator/core/pods.go, podEvaluator`.
import type { ApiObject } from "../values/api_object.ts";
import type { V1Pod } from "../kubernetes_types/types/core_v1_pods.ts";
import { podQosClass } from "../resources/pod_resources.ts";
import { isNativeResource } from "../resources/resource_names.ts";
import { type Evaluator, meetsRequirement, type ScopeRequirement } from "./evaluator.ts";
import { asksAsAWhole, DEVICE_CLASS_PREFIX, namedUsage, podUsage } from "./pod_usage.ts";

/** The names of the resources that each container must specify if a ResourceQuota counts them. */
const REQUIRED = [
  "cpu",
  "limits.cpu",
  "limits.memory",
  "memory",
  "requests.cpu",
  "requests.memory",
];
const COUNTED = new Set([
  ...REQUIRED,
  "count/pods",
  "pods",
  "ephemeral-storage",
  "requests.ephemeral-storage",
  "limits.ephemeral-storage",
]);

/** The quota evaluator that counts pods, and the requests and limits of their resources. */
export const PODS: Evaluator = {
  matching: (names) =>
    names.filter((name) =>
      COUNTED.has(name) || /^(requests\.)?hugepages-/.test(name) || isOfExtendedResource(name)
    ),
  inScope: (object, requirement) => podInScope(object as V1Pod, requirement),
  problem: (object, names) => missingRequests(object as V1Pod, names),
  usage: (object, { now }) => podUsage(object as V1Pod, now),
};

/**
 * Reports whether a pod is in the quota scope `Terminating`: whether its spec has
 * `activeDeadlineSeconds`.
 */
export function isTerminating(object: ApiObject): boolean {
  const { activeDeadlineSeconds } = (object as V1Pod).spec ?? {};
  return activeDeadlineSeconds !== undefined && activeDeadlineSeconds >= 0;
}

/**
 * Reports whether a quota's resource name stands for an extended resource, such as
 * `requests.example.com/gpu`.
 */
export function isOfExtendedResource(name: string): boolean {
  return name.startsWith("requests.") &&
    (!isNativeResource(name) || name.startsWith(`requests.${DEVICE_CLASS_PREFIX}`));
}

function podInScope(pod: V1Pod, requirement: ScopeRequirement): boolean {
  const { priorityClassName } = pod.spec ?? {};
  switch (requirement.scopeName) {
    case "Terminating":
      return isTerminating(pod as ApiObject);
    case "NotTerminating":
      return !isTerminating(pod as ApiObject);
    case "BestEffort":
      return isBestEffort(pod);
    case "NotBestEffort":
      return !isBestEffort(pod);
    case "PriorityClass":
      return meetsRequirement(requirement, priorityClassName || undefined);
    case "CrossNamespacePodAffinity":
      return looksAtOtherNamespaces(pod);
    default:
      return false;
  }
}

function isBestEffort({ spec, status }: V1Pod): boolean {
  return (status?.qosClass || podQosClass(spec ?? {})) === "BestEffort";
}

function looksAtOtherNamespaces({ spec }: V1Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].some((affinity) =>
    [
      ...affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
      ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
        .map(({ podAffinityTerm }) => podAffinityTerm),
    ].some(({ namespaces, namespaceSelector }) => namespaces?.length || namespaceSelector)
  );
}

/**
 * Returns the text about the counted requests and limits that a pod's containers and init
 * containers lack, such as `must specify cpu for: a,b; memory for: a`; `undefined` when they lack
 * none, or when the pod has requests or limits at the pod level.
 */
function missingRequests(pod: V1Pod, names: readonly string[]): string | undefined {
  if (asksAsAWhole(pod)) return undefined;
  const containers = [...pod.spec?.containers ?? [], ...pod.spec?.initContainers ?? []];
  const missing = REQUIRED.filter((name) => names.includes(name)).flatMap((name) => {
    const without = containers.filter(({ resources }) =>
      namedUsage(resources?.requests ?? {}, resources?.limits ?? {})[name] === undefined
    );
    if (without.length === 0) return [];
    return [`${name} for: ${without.map((container) => container.name).sort().join(",")}`];
  });
  return missing.length === 0 ? undefined : `must specify ${missing.join("; ")}`;
}
