import { type ResourceType, resourceType, type UnstructuredObject } from "@xca/apimachinery/meta";

/** The group, version and kind of an object, from its `apiVersion` and `kind`. */
export interface GroupVersionKind {
  /** The API group of the object; empty for the core group. */
  readonly group: string;
  /** The API version of the object, such as `v1`. */
  readonly version: string;
  /** The kind of the object, such as `Deployment`. */
  readonly kind: string;
}

/** A subresource of a discovered resource, such as `status` or `scale`. */
export type ApiSubresource = ApiResource["subresources"][number];

/**
 * A resource that a server serves, in one version: a {@linkcode ResourceType}, which all calls of a
 * client accept, with the further facts of discovery.
 */
export interface ApiResource extends ResourceType<UnstructuredObject> {
  /** The singular name of the resource, such as `deployment`. */
  readonly singular: string;
  /** The short names of the resource, such as `deploy`. */
  readonly shortNames: readonly string[];
  /** The categories that the resource belongs to, such as `all`. */
  readonly categories: readonly string[];
  /** The verbs that the resource supports, such as `get`, `list`, `watch`. */
  readonly verbs: readonly string[];
  /** The subresources of the resource. */
  readonly subresources: readonly {
    /** The name of the subresource, such as `status`. */
    readonly name: string;
    /**
     * The group, version and kind of the subresource's objects; the group is often another one than
     * that of the resource, and the kind empty if the server does not state it.
     */
    readonly responseKind: GroupVersionKind;
    /** The verbs that the subresource supports, such as `get`, `patch`. */
    readonly verbs: readonly string[];
  }[];
}

/** A version of an API group that the server serves, with the resources of this version. */
export interface ApiVersion {
  /** The API group of the version; empty for the core group. */
  readonly group: string;
  /** The name of the API version, such as `v1`. */
  readonly version: string;
  /** The group and version as in an object's `apiVersion`: `apps/v1`. */
  readonly apiVersion: string;
  /**
   * Reports whether the server prefers this version of the group. If the version that the server
   * prefers could not be discovered, this is true for the first version that could be.
   */
  readonly preferred: boolean;
  /** The resources of the API version, in the order of the server. */
  readonly resources: readonly ApiResource[];
}

/** An API group that the server serves, with its versions. */
export interface ApiGroup {
  /** The name of the API group; empty for the core group. */
  readonly name: string;
  /**
   * The versions of the API group that could be discovered: the preferred one first, the others in
   * the order of the server.
   */
  readonly versions: readonly ApiVersion[];
}

/**
 * A version of an API group that could not be discovered; most often because its aggregated API is
 * down.
 */
export type DiscoveryFailure = ServerResources["failures"][number];

/** The resources that a server serves: the result of discovery. */
export interface ServerResources {
  /** The API groups of the server: the core group first, then by the priority of the server. */
  readonly groups: readonly ApiGroup[];
  /** The API groups and versions that could not be discovered. */
  readonly failures: readonly {
    /** The group and version that could not be discovered: `metrics.k8s.io/v1beta1`. */
    readonly apiVersion: string;
    /** The error because of which that group and version could not be discovered. */
    readonly error: Error;
  }[];
  /**
   * The form in which the server answered: by aggregated discovery, or (in part) group by group.
   */
  readonly format: "aggregated" | "legacy";
}

/** The argument of {@linkcode apiResource}, which creates a discovered resource. */
export interface ApiResourceInit extends GroupVersionKind {
  readonly plural: string;
  readonly singular: string | undefined;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[] | undefined;
  readonly categories: readonly string[] | undefined;
  readonly verbs: readonly string[] | undefined;
  readonly subresources: readonly ApiSubresource[];
}

/**
 * Creates a discovered resource. The singular defaults to the kind in lower case, as in kubectl.
 */
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

/**
 * Creates an API group with its versions, the preferred one first; if `preferredVersion` is absent
 * or not among the versions, the first of them is preferred.
 */
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

/**
 * Returns the group, version and kind of the objects of a subresource from a discovery response. If
 * the response states neither group nor version, both are those of the resource; if only the group,
 * the version is that of the resource; if only the version, the group is the core group. A kind
 * that the response does not state is empty.
 */
export function responseKindOf(
  own: { readonly group: string; readonly version: string },
  told: Partial<GroupVersionKind> | undefined,
): GroupVersionKind {
  const kind = told?.kind ?? "";
  if (!told?.group && !told?.version) return { ...own, kind };
  return { group: told.group ?? "", version: told.version || own.version, kind };
}

/** Returns the `apiVersion` of a group and version. */
export function apiVersionOf(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}

/**
 * Returns all resources of discovery ordered by the priority of their group and version; the core
 * group comes first.
 */
export function resourcesOf(server: ServerResources): readonly ApiResource[] {
  return server.groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
}

/**
 * Returns each resource of discovery once, in the preferred version of its group if that version
 * has it, otherwise in the first version that does; `kubectl api-resources` prints the same.
 */
export function preferredResources(server: ServerResources): ApiResource[] {
  const found = new Map<string, ApiResource>();
  for (const resource of resourcesOf(server)) {
    const key = `${resource.plural}.${resource.group}`;
    if (!found.has(key)) found.set(key, resource);
  }
  return [...found.values()];
}
