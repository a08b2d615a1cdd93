import type { KubeObject } from "./object.ts";

/** Whether objects of a resource live in namespaces. */
export type Scope = "Namespaced" | "Cluster";

/** How a resource is named in the API. */
export interface ResourceTypeInit {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The version, as `v1`. */
  readonly version: string;
  /** The kind, as `Deployment`. */
  readonly kind: string;
  /** The plural as in URLs, as `deployments`. */
  readonly plural: string;
  /** Whether its objects live in namespaces. @default {"Namespaced"} */
  readonly scope?: Scope;
}

/**
 * A resource of the API (group, version, kind, plural, scope), and the TypeScript type of its objects.
 *
 * Two of them mean the same resource when their {@linkcode ResourceType.id} are equal.
 */
export interface ResourceType<T extends KubeObject = KubeObject>
  extends Required<ResourceTypeInit> {
  /** Group and version as objects carry them: `apps/v1`, or `v1` of the core group. */
  readonly apiVersion: string;
  /** The whole name, as `deployments.v1.apps` or `pods.v1`: one string per resource. */
  readonly id: string;
  /**
   * Whether only the objects' metadata is requested; see {@linkcode metadataOf}. @default {false}
   */
  readonly metadataOnly?: boolean;
  /** Never present: carries the object's type for the compiler alone. */
  readonly objectType?: T;
}

/**
 * The names that a resource may have whose objects are of type `T`: one each, where the type has one
 * `apiVersion` and one `kind`, as those of `@xca/apimachinery/kubernetes-types` do.
 */
export interface NamesOf<T extends KubeObject> {
  /** The API group; empty for the core group. */
  readonly group: GroupOf<NonNullable<T["apiVersion"]>>;
  /** The version, as `v1`. */
  readonly version: VersionOf<NonNullable<T["apiVersion"]>>;
  /** The kind, as `Deployment`. */
  readonly kind: NonNullable<T["kind"]>;
}

/** `apps` of `apps/v1`, nothing of `v1`. */
export type GroupOf<ApiVersion extends string> = string extends ApiVersion ? string
  : ApiVersion extends `${infer Group}/${string}` ? Group
  : "";

/** `v1` of `apps/v1`, and of `v1`. */
export type VersionOf<ApiVersion extends string> = ApiVersion extends `${string}/${infer Version}`
  ? Version
  : ApiVersion;

/**
 * Names a resource and the type of its objects. Names that are not the type's do not compile.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { type KubeObject, resourceType } from "@xca/apimachinery/meta";
 *
 * interface Lock extends KubeObject {
 *   spec: { holder: string };
 * }
 * const Lock = resourceType<Lock>({
 *   group: "example.org",
 *   version: "v1",
 *   kind: "Lock",
 *   plural: "locks",
 * });
 * assert(Lock.apiVersion === "example.org/v1");
 * ```
 */
export function resourceType<T extends KubeObject = KubeObject>(
  init: ResourceTypeInit & NamesOf<T>,
): ResourceType<T> {
  const { group, version, kind, plural, scope = "Namespaced" } = init;
  return Object.freeze({
    group,
    version,
    kind,
    plural,
    scope,
    apiVersion: group === "" ? version : `${group}/${version}`,
    id: group === "" ? `${plural}.${version}` : `${plural}.${version}.${group}`,
  });
}

/** The type of an object that the server reduces to its metadata. */
const PARTIAL_OBJECT = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata" };

/**
 * Names the same resource, of which only the objects' metadata is watched and cached: the server sends
 * nothing else, as `PartialObjectMetadata`. For what is looked at by name, labels or owners alone:
 * the cache of ten thousand Secrets then holds no secret, and takes a fraction of the memory.
 *
 * It is another cache than that of the whole objects: what is watched as `metadataOf(Secret)` is read as
 * `metadataOf(Secret)`. It cannot be used to create or update, since what is left out would be lost;
 * patches and deletions work.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap, controllerFor, metadataOf, Secret } from "@xca/operator";
 *
 * const controller = controllerFor(ConfigMap).owns(metadataOf(Secret)).reconcile(({ key, cache }) => {
 *   const secret = cache.get(metadataOf(Secret), key);
 *   return secret?.metadata.labels?.ready ? undefined : { requeueAfterMs: 60_000 };
 * });
 * assert.equal(controller.sources[1]?.type.metadataOnly, true);
 * ```
 */
export function metadataOf(type: ResourceType): ResourceType<KubeObject> {
  return Object.freeze({ ...type, metadataOnly: true });
}

/** Returns the type that cached objects of a resource carry. */
export function storedAs(
  type: ResourceType,
): { readonly apiVersion: string; readonly kind: string } {
  const { apiVersion, kind } = type.metadataOnly ? PARTIAL_OBJECT : type;
  return { apiVersion, kind };
}
