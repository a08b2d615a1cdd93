// Mirrors `component-helpers/resource/helpers.go, PodRequests`.
import type { V1Pod } from "../kubernetes_types/types/core_v1_pods.ts";
import { add, aggregateRequests, type Quantities } from "./pod_resources.ts";
import { isPodLevelResource } from "./resource_names.ts";

type PodSpec = NonNullable<V1Pod["spec"]>;

/**
 * Returns the total resource requests of a pod by resource name, with its overhead, from its spec
 * alone (`status` is not read).
 */
export function podRequests({ spec }: V1Pod): Quantities {
  return withWholePod(aggregateRequests(spec ?? {}), spec);
}

/**
 * Returns the requests of a pod: the given ones, which are those of its containers, replaced by
 * pod-level requests of the same resources, plus the pod's overhead.
 */
export function withWholePod(requests: Quantities, spec: PodSpec | undefined): Quantities {
  const all = { ...requests, ...ofWholePod(spec?.resources?.requests) };
  add(all, spec?.overhead ?? {});
  return all;
}

/** Returns those of the resource amounts that can be specified at the pod level. */
export function ofWholePod(amounts: Readonly<Quantities> = {}): Quantities {
  return Object.fromEntries(
    Object.entries(amounts).filter(([name]) => isPodLevelResource(name)),
  );
}
