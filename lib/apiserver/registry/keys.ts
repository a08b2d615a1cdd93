import type { ApiResource } from "../machinery/resource.ts";

/** The name of the collection in which a resource's objects are: `deployments.apps`, `pods.`. */
export function collectionName(resource: ApiResource): string {
  const { plural, group, storageGroup, strategy } = resource;
  return `${plural}.${strategy.storedAs?.group ?? storageGroup ?? group}`;
}

/** The key of an object in its collection. */
export function storageKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

/** `apps/v1`, or `v1` of the core group. */
export function apiVersionOf({ group, version }: Pick<ApiResource, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}
