import type { GroupKind } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "./resource.ts";

/** The name of the collection in which a resource's objects are: `deployments.apps`, `pods.`. */
export function collectionName(resource: ApiResource): string {
  const { plural, group, strategy } = resource;
  return `${plural}.${strategy.storedAs?.group ?? group}`;
}

/** The kind as what is stored says it: validation complains of that. */
export function storedKind({ group, kind, strategy }: ApiResource): GroupKind {
  return { group: strategy.storedAs?.group ?? group, kind };
}

/** The key of an object in its collection. */
export function storageKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

/** `apps/v1`, or `v1` of the core group. */
export function apiVersionOf({ group, version }: Pick<ApiResource, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Plurals that the real server's store calls otherwise. */
const STORED_NAMES: Readonly<Record<string, string>> = {
  "nodes.": "minions",
  "services.": "services/specs",
  "endpoints.": "services/endpoints",
  "replicationcontrollers.": "controllers",
  "ingresses.networking.k8s.io": "ingress",
};

/** Where the real server stores an object: some messages say it, those of a dry run less of it. */
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
