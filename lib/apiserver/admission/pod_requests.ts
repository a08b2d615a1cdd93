import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import { add, aggregateRequests, type Quantities } from "../validation/pod_resources.ts";
import { isPodLevelResource } from "../validation/resource_names.ts";

type PodSpec = NonNullable<V1Pod["spec"]>;

/** What a pod asks for altogether. */
export function podRequests({ spec }: V1Pod): Quantities {
  return withWholePod(aggregateRequests(spec ?? {}), spec);
}

/** What containers ask for, with what their pod asks for as a whole, and what running it takes. */
export function withWholePod(requests: Quantities, spec: PodSpec | undefined): Quantities {
  const all = { ...requests, ...ofWholePod(spec?.resources?.requests) };
  add(all, spec?.overhead ?? {});
  return all;
}

/** Of amounts those that a pod as a whole can have. */
export function ofWholePod(amounts: Readonly<Quantities> = {}): Quantities {
  return Object.fromEntries(
    Object.entries(amounts).filter(([name]) => isPodLevelResource(name)),
  );
}
