// Mirrors `endpoints/discovery/group.go, APIGroupHandler` and `endpoints/discovery/version.go,
// APIVersionHandler`.

/**
 * The documents of unaggregated discovery: APIVersions, APIGroupList, APIGroup and APIResourceList.
 *
 * @module
 */
import type { JsonObject } from "@xca/apimachinery/internal/values";
import type { ApiResource, Subresource } from "../machinery/resource.ts";
import type { ApiGroup, ResourceTable } from "../resources/resource_table.ts";

/**
 * A function that adds the documents of the API groups of extension API servers to those of the
 * server's own groups.
 */
export type CompleteGroups = (own: readonly JsonObject[]) => JsonObject[];

/**
 * Returns the discovery document `/api`, an APIVersions, which names `host` as the address of the
 * server.
 */
export function apiVersions(host: string): JsonObject {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: host }],
  };
}

/**
 * Returns the discovery document `/apis`, an APIGroupList: the served groups except the core group,
 * to which `complete` adds those of extension API servers.
 */
export function apiGroupList(table: ResourceTable, complete?: CompleteGroups): JsonObject {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groupsOf(table, complete) };
}

/**
 * Returns the discovery document `/apis/<group>`, an APIGroup; `undefined` for a group that neither
 * the server nor, by `complete`, an extension API server serves.
 */
export function apiGroup(
  table: ResourceTable,
  name: string,
  complete?: CompleteGroups,
): JsonObject | undefined {
  const group = groupsOf(table, complete).find((each) => each["name"] === name);
  return group && { kind: "APIGroup", apiVersion: "v1", ...group };
}

function groupsOf(table: ResourceTable, complete?: CompleteGroups): JsonObject[] {
  const own = namedGroups(table).map(groupFields);
  return complete?.(own) ?? own;
}

/** Returns all served API groups except the core group. */
export function namedGroups(table: ResourceTable): readonly ApiGroup[] {
  return table.groups().filter(({ group }) => group !== "");
}

function groupFields({ group, versions }: ApiGroup): JsonObject {
  const listed = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: listed, preferredVersion: listed[0]! };
}

/**
 * Returns the discovery document `/api/v1` or `/apis/<group>/<version>`, an APIResourceList;
 * `undefined` for a version that is not served.
 */
export function apiResourceList(
  table: ResourceTable,
  group: string,
  version: string,
): JsonObject | undefined {
  const resources = table.resourcesOf(group, version);
  if (resources.length === 0) return undefined;
  return {
    kind: "APIResourceList",
    ...(group !== "" && { apiVersion: "v1" }),
    groupVersion: group === "" ? version : `${group}/${version}`,
    resources: resources.flatMap(rows),
  };
}

function rows(resource: ApiResource): JsonObject[] {
  const { plural, singular, namespaced, kind, shortNames, categories } = resource;
  const hash = resource.storageVersionHash;
  const own = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: [...resource.shownVerbs ?? resource.verbs],
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
    ...(hash !== undefined && { storageVersionHash: hash }),
  };
  return [own, ...sortedSubresources(resource).map((each) => subresourceRow(resource, each))];
}

function subresourceRow({ plural, namespaced }: ApiResource, subresource: Subresource): JsonObject {
  const { name, group, version, kind, verbs } = subresource;
  return {
    name: `${plural}/${name}`,
    singularName: "",
    namespaced,
    ...(group && { group }),
    ...(version && { version }),
    kind,
    verbs: [...verbs],
  };
}

/**
 * Returns the subresources of a resource in the order of discovery: sorted by name, except those of
 * custom resources, which are unsorted.
 */
export function sortedSubresources(resource: ApiResource): readonly Subresource[] {
  const { subresources, customResourceDefinition } = resource;
  if (customResourceDefinition !== undefined) return subresources;
  return [...subresources].sort((a, b) => a.name < b.name ? -1 : 1);
}
