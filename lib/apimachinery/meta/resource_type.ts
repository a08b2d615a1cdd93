// Mirrors `runtime/schema/group_version.go, GroupVersionResource`.
import type { KubeObject } from "./object.ts";

/** The scope of a resource: `Namespaced` if its objects are in namespaces, `Cluster` if not. */
export type Scope = "Namespaced" | "Cluster";

/**
 * The group, version, kind, plural and scope of a resource, from which {@linkcode resourceType}
 * creates its {@linkcode ResourceType}.
 */
export interface ResourceTypeInit {
  /** The API group of the resource; empty for the core group. */
  readonly group: string;
  /** The API version of the resource, such as `v1`. */
  readonly version: string;
  /**
   * The kind of the resource's objects, such as `Deployment`; may be empty if the program does not
   * know the kind.
   */
  readonly kind: string;
  /** The plural name of the resource in URLs, such as `deployments`. */
  readonly plural: string;
  /** The scope of the resource: `Namespaced` or `Cluster`. @default {"Namespaced"} */
  readonly scope?: Scope;
}

/**
 * A resource of the API (group, version, kind, plural, scope) with the TypeScript type of its
 * objects.
 *
 * Two resource types stand for the same resource when their {@linkcode ResourceType.id} are equal.
 */
export interface ResourceType<T extends KubeObject = KubeObject>
  extends Required<ResourceTypeInit> {
  /** The API group and version as in objects of the resource: `apps/v1`; `v1` in the core group. */
  readonly apiVersion: string;
  /** The unique name of the resource: `deployments.v1.apps`, or `pods.v1` in the core group. */
  readonly id: string;
  /**
   * Sets whether clients and caches request only the metadata of the resource's objects; see
   * {@linkcode metadataOf}.
   *
   * @default {false}
   */
  readonly metadataOnly?: boolean;
  /**
   * The TypeScript type of the resource's objects, for type inference only; never set at run time.
   */
  readonly objectType?: T;
}

/**
 * A resource type whose objects have different types for creation and in storage: fields with
 * defaults may be absent at creation. For a plain {@linkcode ResourceType}, the type of the stored
 * objects serves for creation too.
 *
 * @typeParam T The type of the resource's objects as the API server stores them.
 * @typeParam I The type of the resource's objects as users create them.
 */
export interface CreatableType<T extends KubeObject, I extends KubeObject> extends ResourceType<T> {
  /**
   * The TypeScript type of the resource's objects at creation, for type inference only; never set
   * at run time.
   */
  readonly inputType: I | undefined;
}

/**
 * The group, version and kind that a resource with objects of type `T` must have: those of the
 * `apiVersion` and `kind` of `T`, if these are literal types, as in
 * `@xca/apimachinery/kubernetes-types`.
 */
export interface NamesOf<T extends KubeObject> {
  /** The API group of the resource; empty for the core group. */
  readonly group: GroupOf<NonNullable<T["apiVersion"]>>;
  /** The API version of the resource, such as `v1`. */
  readonly version: VersionOf<NonNullable<T["apiVersion"]>>;
  /** The kind of the resource's objects, such as `Deployment`. */
  readonly kind: NonNullable<T["kind"]>;
}

/** The TypeScript type of the group in an `apiVersion`: `"apps"` for `apps/v1`, `""` for `v1`. */
export type GroupOf<ApiVersion extends string> = string extends ApiVersion ? string
  : ApiVersion extends `${infer Group}/${string}` ? Group
  : "";

/** The TypeScript type of the version in an `apiVersion`: `"v1"` for `apps/v1` and for `v1`. */
export type VersionOf<ApiVersion extends string> = ApiVersion extends `${string}/${infer Version}`
  ? Version
  : ApiVersion;

/**
 * Returns a resource type, frozen, made from the names of a resource. Names that differ from the
 * literal types in the object type are compile errors.
 *
 * @throws {TypeError} When a name is missing or not a string, the version or the plural is empty,
 * or the scope is unknown.
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
  checkNames(init);
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

/**
 * Checks the names and scope of a resource type.
 *
 * @throws {TypeError} When a name is missing or not a string, the version or the plural is empty,
 * or the scope is unknown.
 */
function checkNames(init: ResourceTypeInit): void {
  // The core group has no name, and the kind of a resource that is named at run time may be
  // unknown.
  const mayBeEmpty = ["group", "kind"];
  for (const name of ["group", "version", "kind", "plural"] as const) {
    const value: unknown = init?.[name];
    if (typeof value === "string" && (value !== "" || mayBeEmpty.includes(name))) continue;
    throw new TypeError(
      `Cannot name a resource: ${name} must be a text, ` +
        `is ${value === "" ? "empty" : value === null ? "null" : `of type ${typeof value}`}`,
    );
  }
  const { kind, scope = "Namespaced" } = init;
  if (scope === "Namespaced" || scope === "Cluster") return;
  throw new TypeError(`Cannot name resource ${kind}: scope must be "Namespaced" or "Cluster"`);
}

/** The apiVersion and kind of objects that have only metadata (PartialObjectMetadata). */
const PARTIAL_OBJECT = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata" };

/**
 * Returns a copy of a resource type for the metadata of its objects alone: the server sends no
 * other fields, as `PartialObjectMetadata`. The copy suits controllers that use only names, labels
 * or owners: a cache of ten thousand Secrets then contains no secret data, and takes a fraction of
 * the memory.
 *
 * The cache of metadata is separate from that of whole objects: objects watched as
 * `metadataOf(Secret)` are read as `metadataOf(Secret)`. Create and update refuse the type, since
 * the other fields would be lost; patches and deletions work.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { metadataOf, Secret } from "@xca/apimachinery/meta";
 *
 * const type = metadataOf(Secret);
 * assert.equal(type.metadataOnly, true);
 * assert.equal(type.plural, Secret.plural);
 * ```
 */
export function metadataOf(type: ResourceType): ResourceType<KubeObject> {
  return Object.freeze({ ...type, metadataOnly: true });
}

/**
 * Returns the apiVersion and kind of a resource's cached objects: those of `PartialObjectMetadata`
 * when only metadata is requested.
 */
export function storedAs(
  type: ResourceType,
): { readonly apiVersion: string; readonly kind: string } {
  const { apiVersion, kind } = type.metadataOnly ? PARTIAL_OBJECT : type;
  return { apiVersion, kind };
}
