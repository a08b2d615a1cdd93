import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import type { CreatableType, KubeObject, ResourceType } from "@xca/apimachinery/meta";
import type { ResourceConversion } from "./resource_conversion.ts";

/**
 * A version of a resource that {@linkcode defineResource} created: the resource type of the
 * version, with the CustomResourceDefinition of the resource.
 *
 * @typeParam T The type of the version's objects as the API server stores them.
 * @typeParam I The type of the version's objects as users create them.
 */
export interface DefinedVersion<T extends KubeObject = KubeObject, I extends KubeObject = T>
  extends CreatableType<T, I> {
  /** The CustomResourceDefinition of all versions of the resource; frozen. */
  readonly crd: V1CustomResourceDefinition;
}

/** A record of the resource types of a defined resource's versions, by the name of the version. */
export type DefinedVersions = Readonly<Record<string, ResourceType>>;

/**
 * A custom resource that {@linkcode defineResource} created. The resource is also the resource type
 * of the stored version, for controllers, clients and caches; {@linkcode StoredOf} and {@linkcode
 * InputOf} name the types of its objects.
 *
 * @typeParam T The type of the resource's objects as the API server stores them.
 * @typeParam I The type of the resource's objects as users create them.
 * @typeParam V The versions of the resource by name.
 */
export interface DefinedResource<
  T extends KubeObject = KubeObject,
  I extends KubeObject = T,
  V extends DefinedVersions = DefinedVersions,
> extends DefinedVersion<T, I> {
  /** The resource types of all versions by name, such as `Widget.versions.v1beta1`. */
  readonly versions: V;
  /**
   * The conversion between the versions of the resource; absent where the versions have no
   * conversion functions. A webhook server accepts the conversion directly.
   */
  readonly conversion?: ResourceConversion;
}

/**
 * The type of a resource's objects as the API server stores them: fields with defaults are always
 * present.
 *
 * @example
 * ```ts
 * import { defineResource, s, type StoredOf } from "@xca/operator/resource";
 *
 * const Lock = defineResource({
 *   group: "example.org",
 *   version: "v1",
 *   kind: "Lock",
 *   spec: s.object({ seconds: s.integer({ default: 30 }) }),
 * });
 * type Lock = StoredOf<typeof Lock>;
 * const lock: Lock = { metadata: { name: "a" }, spec: { seconds: 10 } };
 * ```
 */
export type StoredOf<R extends ResourceType> = NonNullable<R["objectType"]>;

/**
 * The type of a resource's objects as users create them: fields with defaults are optional.
 *
 * @example
 * ```ts
 * import { defineResource, type InputOf, s } from "@xca/operator/resource";
 *
 * const Lock = defineResource({
 *   group: "example.org",
 *   version: "v1",
 *   kind: "Lock",
 *   spec: s.object({ seconds: s.integer({ default: 30 }) }),
 * });
 * const lock: InputOf<typeof Lock> = { metadata: { name: "a" }, spec: {} };
 * ```
 */
export type InputOf<R extends CreatableType<KubeObject, KubeObject>> = NonNullable<R["inputType"]>;
