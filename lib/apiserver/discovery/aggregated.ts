// Mirrors `endpoints/discovery/aggregated/handler.go, resourceDiscoveryManager`.
import { createHash } from "node:crypto";
import type { JsonObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";
import type { ApiGroup, ResourceTable } from "../resources/resource_table.ts";
import { type CompleteGroups, namedGroups, sortedSubresources } from "./documents.ts";

/** The media type of aggregated discovery documents; kube-apiserver serves no older version. */
export const AGGREGATED_TYPE =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/**
 * An aggregated discovery document as JSON with a final line break, and its ETag, quotes included.
 */
export interface AggregatedDiscovery {
  readonly text: string;
  readonly etag: string;
}

/**
 * Reports whether an `Accept` header lists aggregated discovery, at any position: it takes
 * precedence over plain JSON.
 */
export function wantsAggregated(accept: string): boolean {
  return accept.split(",").some((clause) => {
    const [type, ...parameters] = clause.split(";").map((part) => part.trim());
    return type === "application/json" && parameters.includes("g=apidiscovery.k8s.io") &&
      parameters.includes("v=v2") && parameters.includes("as=APIGroupDiscoveryList");
  });
}

/**
 * Returns the aggregated discovery document of the core group if `core` is true, otherwise of all
 * other groups, to which `complete` adds the items of the groups of extension API servers.
 */
export function aggregatedDiscovery(
  table: ResourceTable,
  core: boolean,
  complete?: CompleteGroups,
): AggregatedDiscovery {
  const groups = core ? table.groups().filter(({ group }) => group === "") : namedGroups(table);
  const own = groups.map((group) => groupItem(table, group));
  const text = JSON.stringify({
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: complete?.(own) ?? own,
  });
  const etag = createHash("sha512").update(text).digest("hex").toUpperCase();
  return { text: `${text}\n`, etag: `"${etag}"` };
}

function groupItem(table: ResourceTable, { group, versions }: ApiGroup): JsonObject {
  return {
    metadata: group === "" ? {} : { name: group },
    versions: versions.map((version) => ({
      version,
      resources: table.resourcesOf(group, version).map(resourceItem),
      freshness: "Current",
    })),
  };
}

function resourceItem(resource: ApiResource): JsonObject {
  const { plural, singular, kind, namespaced, shortNames, categories } = resource;
  const subresources = sortedSubresources(resource).map((each) => ({
    subresource: each.name,
    responseKind: responseKind(resource, each.kind, each.group, each.version),
    verbs: [...each.verbs],
  }));
  return {
    resource: plural,
    responseKind: responseKind(resource, kind),
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs: [...resource.shownVerbs ?? resource.verbs],
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
    ...(subresources.length > 0 && { subresources }),
  };
}

/**
 * Returns the `responseKind` of a resource or subresource in aggregated discovery. The group and
 * version are empty for those of a built-in resource itself.
 */
function responseKind(
  { group, version, customResourceDefinition }: ApiResource,
  kind: string,
  ofGroup?: string,
  ofVersion?: string,
): JsonObject {
  if (ofGroup !== undefined || ofVersion !== undefined) {
    return { group: ofGroup ?? "", version: ofVersion ?? "", kind };
  }
  return customResourceDefinition === undefined
    ? { group: "", version: "", kind }
    : { group, version, kind };
}
