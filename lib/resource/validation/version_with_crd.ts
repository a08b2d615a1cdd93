import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import type { KubeObject } from "@xca/apimachinery/meta";

/** A version of a resource with its CustomResourceDefinition, as `defineResource` creates it. */
export interface VersionWithCrd<T extends KubeObject = KubeObject, I extends KubeObject = T> {
  /** The CustomResourceDefinition of the resource. */
  readonly crd: V1CustomResourceDefinition;
  /** The name of the API version by whose schema objects are validated, such as `v1`. */
  readonly version: string;
  /** The TypeScript type of stored objects, for type inference only; never set at run time. */
  readonly objectType?: T;
  /** The TypeScript type of objects to create, for type inference only; never set at run time. */
  readonly inputType?: I | undefined;
}
