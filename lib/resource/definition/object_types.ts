import type { KubeObject, ObjectMeta } from "@xca/apimachinery/meta";
import type { AnySchema, Input, Stored } from "../schema/schema.ts";

/** The fields that every object of a defined resource has. */
export interface ObjectHead extends KubeObject {
  /** The API group and version of the object of a defined resource. */
  apiVersion?: string;
  /** The kind of the object of a defined resource. */
  kind?: string;
  /** The metadata of the object of a defined resource. */
  metadata: ObjectMeta;
}

/**
 * The type of a resource's stored objects, from the schemas of their `spec` and `status`; a type
 * parameter that is not a schema means that the field is not in the type. The `status` is optional,
 * and so is a `spec` whose schema is of `s.optional`.
 */
export type StoredResource<Spec, Status> =
  & ObjectHead
  & (Spec extends AnySchema
    ? Spec extends { readonly presence: "optional" } ? { spec?: Stored<Spec> }
    : { spec: Stored<Spec> }
    : unknown)
  & (Status extends AnySchema ? { status?: Stored<Status> } : unknown);

/**
 * The type of a resource's objects as users create them, from the schemas of their `spec` and
 * `status`; a type parameter that is not a schema means that the field is not in the type. The
 * `status` is optional, and so is a `spec` whose schema is of `s.optional` or has a default.
 */
export type InputResource<Spec, Status> =
  & ObjectHead
  & (Spec extends AnySchema
    ? Spec extends { readonly presence: "optional" | "defaulted" } ? { spec?: Input<Spec> }
    : { spec: Input<Spec> }
    : unknown)
  & (Status extends AnySchema ? { status?: Input<Status> } : unknown);
