// Mirrors `admission/limitranger/admission.go, PodValidateLimitFunc`.

import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { V1LimitRange, V1PersistentVolumeClaim } from "@xca/apimachinery/kubernetes-types";
import {
  aggregateLimits,
  aggregateRequests,
  type Quantities,
  type ResourceContainer,
  type ResourcePodSpec,
} from "@xca/apimachinery/internal/resources";
import {
  type Amounts,
  atLeast,
  atMost,
  atMostRequested,
  atMostTimes,
  unmet,
} from "./constraints.ts";

/** One entry of a LimitRange's `spec.limits`. */
export type Limit = NonNullable<V1LimitRange["spec"]>["limits"][number];

/**
 * The names of the resources whose requests and limits at pod level, if set, replace the sums over
 * the pod's containers.
 */
const OF_PODS = ["cpu", "memory"];

/** Returns the messages about a pod's violations of LimitRange entries. */
export function podProblems(pod: ApiObject, limits: readonly Limit[]): string[] {
  const spec = (pod["spec"] ?? {}) as ResourcePodSpec;
  return limits.flatMap((limit) => {
    if (limit.type === "Pod") return allProblems(limit, podAmounts(spec));
    if (limit.type !== "Container") return [];
    return [...spec.containers ?? [], ...spec.initContainers ?? []]
      .flatMap((container) => allProblems(limit, amountsOf(container)));
  });
}

function allProblems({ type, min, max, maxLimitRequestRatio }: Limit, amounts: Amounts): string[] {
  return [
    ...unmet(atLeast, type, min, amounts),
    ...unmet(atMost, type, max, amounts),
    ...unmet(atMostTimes, type, maxLimitRequestRatio, amounts),
  ];
}

function amountsOf({ resources: { requests = {}, limits = {} } = {} }: ResourceContainer): Amounts {
  return { requests, limits };
}

function podAmounts(spec: ResourcePodSpec): Amounts {
  const said = (amounts: Quantities = {}): Quantities =>
    Object.fromEntries(Object.entries(amounts).filter(([name]) => OF_PODS.includes(name)));
  return {
    requests: { ...aggregateRequests(spec), ...said(spec.resources?.requests) },
    limits: { ...aggregateLimits(spec), ...said(spec.resources?.limits) },
  };
}

/** Returns the messages about a PersistentVolumeClaim's violations of LimitRange entries. */
export function claimProblems(claim: ApiObject, limits: readonly Limit[]): string[] {
  const { spec } = claim as V1PersistentVolumeClaim;
  const amounts = { requests: spec?.resources?.requests ?? {}, limits: {} };
  return limits
    .filter(({ type }) => type === "PersistentVolumeClaim")
    .flatMap(({ type, min, max }) => [
      ...unmet(atLeast, type, min, amounts),
      ...unmet(atMostRequested, type, max, amounts),
    ]);
}
