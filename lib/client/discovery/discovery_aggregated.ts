import {
  type ApiGroup,
  apiGroup,
  type ApiResource,
  apiResource,
  type ApiSubresource,
  apiVersionOf,
  type DiscoveryFailure,
  type GroupVersionKind,
  responseKindOf,
} from "./discovery_resource.ts";

/**
 * The value of the `Accept` header of a discovery request: it requests aggregated discovery, `v2`
 * or else `v2beta1`, and accepts plain JSON otherwise.
 */
export const DISCOVERY_ACCEPT: string = [
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
  "application/json",
].join(",");

/**
 * The response of aggregated discovery: an `APIGroupDiscoveryList` of `apidiscovery.k8s.io`, `v2`
 * or the equal `v2beta1`.
 */
export interface AggregatedList {
  readonly kind: "APIGroupDiscoveryList";
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly AggregatedVersion[];
  }[];
}

interface AggregatedVersion {
  readonly version: string;
  readonly freshness?: string;
  readonly resources?: readonly AggregatedResource[];
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: Partial<GroupVersionKind>;
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly {
    readonly subresource: string;
    readonly responseKind?: Partial<GroupVersionKind>;
    readonly verbs?: readonly string[];
  }[];
}

/**
 * Returns the API groups of an aggregated discovery response. A version that the server marks as
 * stale, because its aggregated API does not answer, is listed in `failures`; its old resources are
 * not used.
 */
export function readAggregated(
  list: AggregatedList,
): { readonly groups: ApiGroup[]; readonly failures: DiscoveryFailure[] } {
  const groups: ApiGroup[] = [];
  const failures: DiscoveryFailure[] = [];
  for (const { metadata, versions = [] } of list.items ?? []) {
    const group = metadata?.name ?? "";
    for (const { version } of versions.filter(isStale)) {
      const apiVersion = apiVersionOf(group, version);
      const message = `Cannot discover ${apiVersion}: the server has only stale knowledge of it; ` +
        `see whether its APIService is available`;
      failures.push({ apiVersion, error: new Error(message) });
    }
    const fresh = versions.filter((version) => !isStale(version)).map(
      ({ version, resources = [] }) => ({
        version,
        resources: resources.flatMap((each) => readResource(group, version, each)),
      }),
    );
    groups.push(apiGroup(group, fresh));
  }
  return { groups, failures };
}

function isStale({ freshness }: AggregatedVersion): boolean {
  return freshness === "Stale";
}

/**
 * Reads a resource of an aggregated discovery response, and returns it as a list of one; an empty
 * list for a resource without a kind, which exists for its subresources only.
 */
function readResource(group: string, version: string, given: AggregatedResource): ApiResource[] {
  const kind = given.responseKind?.kind;
  if (!kind) return [];
  const subresources = (given.subresources ?? []).map((each): ApiSubresource => ({
    name: each.subresource,
    responseKind: responseKindOf({ group, version }, each.responseKind),
    verbs: each.verbs ?? [],
  }));
  const { resource: plural, singularResource, shortNames, categories, verbs } = given;
  return [apiResource({
    group,
    version,
    kind,
    plural,
    singular: singularResource,
    namespaced: given.scope === "Namespaced",
    shortNames,
    categories,
    verbs,
    subresources,
  })];
}
