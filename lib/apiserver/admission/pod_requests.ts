import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import { add, aggregateRequests, type Quantities } from "../validation/pod_resources.ts";
import { isPodLevelResource } from "../validation/resource_names.ts";

type PodSpec = NonNullable<V1Pod["spec"]>;

/** Returns the total requests of a pod. */
export function podRequests({ spec }: V1Pod): Quantities {
  return withWholePod(aggregateRequests(spec ?? {}), spec);
}

/** Adds pod-level requests and the pod overhead to the requests of the containers. */
export function withWholePod(requests: Quantities, spec: PodSpec | undefined): Quantities {
  const all = { ...requests, ...ofWholePod(spec?.resources?.requests) };
  add(all, spec?.overhead ?? {});
  return all;
}

/** Returns the amounts that can be specified at the pod level. */
export function ofWholePod(amounts: Readonly<Quantities> = {}): Quantities {
  return Object.fromEntries(
    Object.entries(amounts).filter(([name]) => isPodLevelResource(name)),
  );
}
