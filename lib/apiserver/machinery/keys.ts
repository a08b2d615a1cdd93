// Mirrors `registry/generic/registry/store.go, NamespaceKeyFunc`.
import type { GroupKind } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "./resource.ts";

/** Returns the name of the collection that stores a resource: `deployments.apps`, `pods.`. */
export function collectionName(resource: ApiResource): string {
  const { plural, group, strategy } = resource;
  return `${plural}.${strategy.storedAs?.group ?? group}`;
}

/**
 * Returns the group and kind in which a resource's objects are stored, which validation errors
 * name.
 */
export function storedKind({ group, kind, strategy }: ApiResource): GroupKind {
  return { group: strategy.storedAs?.group ?? group, kind };
}

/**
 * Returns the key of an object in its collection of the storage: `namespace/name`, or the name
 * alone.
 */
export function storageKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

/** Returns the `apiVersion` of a resource: `apps/v1`, or `v1` for the core group. */
export function apiVersionOf({ group, version }: Pick<ApiResource, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/**
 * The names of resources in etcd keys, where they differ from the plural, by plural and group as in
 * {@linkcode collectionName}.
 */
const STORED_NAMES: Readonly<Record<string, string>> = {
  "nodes.": "minions",
  "services.": "services/specs",
  "endpoints.": "services/endpoints",
  "replicationcontrollers.": "controllers",
  "ingresses.networking.k8s.io": "ingress",
};

/**
 * Returns the etcd key of an object, which some error messages contain; the key of a dry run lacks
 * `/registry`.
 */
export function registryPath(
  { plural, group, customResourceDefinition }: Pick<
    ApiResource,
    "plural" | "group" | "customResourceDefinition"
  >,
  key: string,
  dryRun: boolean,
): string {
  const apart = customResourceDefinition !== undefined || group === "apiextensions.k8s.io" ||
    group === "apiregistration.k8s.io";
  const folder = apart ? `${group}/${plural}` : STORED_NAMES[`${plural}.${group}`] ?? plural;
  return `${dryRun ? "" : "/registry"}/${folder}/${key}`;
}
