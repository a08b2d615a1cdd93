import { type ResourceType, resourceType, type UnstructuredObject } from "@xca/apimachinery/meta";

/** What an object says it is. */
export interface GroupVersionKind {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The version, as `v1`. */
  readonly version: string;
  /** The kind, as `Deployment`. */
  readonly kind: string;
}

/** A part of a resource with calls of its own, as `status` or `scale`. */
export type ApiSubresource = ApiResource["subresources"][number];

/** One resource that a server serves, in one version. Wherever a resource is asked for, it will do. */
export interface ApiResource extends ResourceType<UnstructuredObject> {
  /** The singular, as `deployment`. */
  readonly singular: string;
  /** Shorter names, as `deploy`. */
  readonly shortNames: readonly string[];
  /** The groups of resources that it is in, as `all`. */
  readonly categories: readonly string[];
  /** What can be done with it, as `get`, `list`, `watch`. */
  readonly verbs: readonly string[];
  /** Its parts. */
  readonly subresources: readonly {
    /** Its name, as `status`. */
    readonly name: string;
    /** What it takes and gives; of another group than the resource's, as often as not. */
    readonly responseKind: GroupVersionKind;
    /** What can be done with it, as `get`, `patch`. */
    readonly verbs: readonly string[];
  }[];
}

/** One version of an API group. */
export interface ApiVersion {
  /** The group; empty for the core group. */
  readonly group: string;
  /** The version, as `v1`. */
  readonly version: string;
  /** Both, as objects carry them: `apps/v1`. */
  readonly apiVersion: string;
  /** Whether the server prefers it to the group's others. */
  readonly preferred: boolean;
  /** What it has, in the server's order. */
  readonly resources: readonly ApiResource[];
}

/** An API group. */
export interface ApiGroup {
  /** Its name; empty for the core group. */
  readonly name: string;
  /** Its versions that could be discovered: the preferred one, then the server's order. */
  readonly versions: readonly ApiVersion[];
}

/** A version of a group of which nothing could be learnt; mostly an aggregated API that is down. */
export type DiscoveryFailure = ServerResources["failures"][number];

/** What a server serves, at one moment. */
export interface ServerResources {
  /** The groups, the core group first, then by the server's priority. */
  readonly groups: readonly ApiGroup[];
  /** What is missing in them. */
  readonly failures: readonly {
    /** Group and version, as `metrics.k8s.io/v1beta1`. */
    readonly apiVersion: string;
    /** What the server said. */
    readonly error: Error;
  }[];
  /** Whether the server told it in two answers, or group by group. */
  readonly format: "aggregated" | "legacy";
}

/** What is known of a resource before it is one. */
export interface ApiResourceInit extends GroupVersionKind {
  readonly plural: string;
  readonly singular: string | undefined;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[] | undefined;
  readonly categories: readonly string[] | undefined;
  readonly verbs: readonly string[] | undefined;
  readonly subresources: readonly ApiSubresource[];
}

/** Makes a resource. Servers that do not tell singulars mean the kind in lower case. */
export function apiResource(init: ApiResourceInit): ApiResource {
  const { group, version, kind, plural, namespaced } = init;
  const scope = namespaced ? "Namespaced" : "Cluster";
  return Object.freeze({
    ...resourceType<UnstructuredObject>({ group, version, kind, plural, scope }),
    singular: init.singular || kind.toLowerCase(),
    shortNames: init.shortNames ?? [],
    categories: init.categories ?? [],
    verbs: init.verbs ?? [],
    subresources: init.subresources,
  });
}

/** A group's versions, the preferred one first. Without one the server's first is preferred. */
export function apiGroup(
  name: string,
  versions: readonly { readonly version: string; readonly resources: readonly ApiResource[] }[],
  preferredVersion?: string,
): ApiGroup {
  const preferred = versions.find(({ version }) => version === preferredVersion) ?? versions[0];
  const ordered = versions.toSorted((a, b) => Number(b === preferred) - Number(a === preferred));
  return {
    name,
    versions: ordered.map((each) => ({
      ...each,
      group: name,
      apiVersion: apiVersionOf(name, each.version),
      preferred: each === preferred,
    })),
  };
}

/** What a part takes and gives. Where neither group nor version is told, they are the resource's. */
export function responseKindOf(
  own: { readonly group: string; readonly version: string },
  told: Partial<GroupVersionKind> | undefined,
): GroupVersionKind {
  const kind = told?.kind ?? "";
  if (!told?.group && !told?.version) return { ...own, kind };
  return { group: told.group ?? "", version: told.version || own.version, kind };
}

/** Group and version as objects carry them. */
export function apiVersionOf(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}

/** All resources, by the priority of their group and version: the core group's come first. */
export function resourcesOf(server: ServerResources): readonly ApiResource[] {
  return server.groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
}

/**
 * Each resource once, in the version that the server prefers: of its group's preferred version where
 * that has it, else of the first that does. What `kubectl api-resources` prints.
 */
export function preferredResources(server: ServerResources): ApiResource[] {
  const found = new Map<string, ApiResource>();
  for (const resource of resourcesOf(server)) {
    const key = `${resource.plural}.${resource.group}`;
    if (!found.has(key)) found.set(key, resource);
  }
  return [...found.values()];
}
