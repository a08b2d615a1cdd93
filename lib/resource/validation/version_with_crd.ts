import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import type { KubeObject } from "@xca/apimachinery/meta";

/** A version of a resource with its CustomResourceDefinition, as `defineResource` creates it. */
export interface VersionWithCrd<T extends KubeObject = KubeObject, I extends KubeObject = T> {
  /** The CustomResourceDefinition of the resource. */
  readonly crd: V1CustomResourceDefinition;
  /** The API version by whose schema objects are validated. */
  readonly version: string;
  /** The type of stored objects for the compiler; never set. */
  readonly objectType?: T;
  /** The type of objects to create, for the compiler; always undefined. */
  readonly inputType?: I | undefined;
}
