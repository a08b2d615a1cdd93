/**
 * The type of a model of `@kubernetes/client-node` in JSON, for kinds without a type in this
 * package, such as those of beta versions. Dates are RFC 3339 strings, and fields have their names
 * in JSON: `continue` where the model has `_continue`, `x-kubernetes-validations` where it has
 * `x_kubernetes_validations`. This package does not depend on `@kubernetes/client-node`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { Wire } from "@xca/apimachinery/kubernetes-types";
 *
 * // As client-node declares it; import it from there.
 * interface V1PodStatus {
 *   startTime?: Date;
 * }
 * const status: Wire<V1PodStatus> = { startTime: "2026-01-02T03:04:05Z" };
 * assert(status.startTime?.endsWith("Z"));
 * ```
 */
export type Wire<Model> = 0 extends 1 & Model ? unknown
  : Model extends Date ? string
  : Model extends readonly (infer Item)[] ? Wire<Item>[]
  : Model extends object ? {
      [Field in keyof Model as WireName<Field, keyof Model>]: Wire<Model[Field]>;
    }
  : Model;

/**
 * The type of the objects of a kind, made from its model in `@kubernetes/client-node`: {@linkcode
 * Wire}, with its metadata required.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { resourceType } from "@xca/apimachinery/meta";
 * import type { WireObject } from "@xca/apimachinery/kubernetes-types";
 *
 * // As client-node declares it; import it from there.
 * interface V1beta1ServiceCIDR {
 *   metadata?: { name?: string };
 *   spec?: { cidrs?: string[] };
 * }
 * const ServiceCIDR = resourceType<WireObject<V1beta1ServiceCIDR>>({
 *   group: "networking.k8s.io",
 *   version: "v1beta1",
 *   kind: "ServiceCIDR",
 *   plural: "servicecidrs",
 *   scope: "Cluster",
 * });
 * assert(ServiceCIDR.apiVersion === "networking.k8s.io/v1beta1");
 * ```
 */
export type WireObject<Model extends { metadata?: unknown }> =
  & Omit<Wire<Model>, "metadata">
  & { metadata: Wire<NonNullable<Model["metadata"]>> };

/**
 * The type of a field's name in JSON, given the names of all fields of its model: in models of JSON
 * schemas alone, `ref` and `schema` become `$ref` and `$schema`.
 */
export type WireName<Field, Fields> = Field extends "ref" | "schema"
  ? "x_kubernetes_validations" extends Fields ? `$${Field}` : Field
  : Field extends `x_kubernetes_${string}` ? Dashed<Field>
  : Field extends `_${infer Rest}` ? Rest
  : Field extends PropertyKey ? Field
  : never;

/** The string literal type `Name` with each `_` replaced by `-`. */
export type Dashed<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}-${Dashed<Rest>}`
  : Name;
