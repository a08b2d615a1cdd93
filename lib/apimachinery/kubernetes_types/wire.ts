/**
 * A model of `@kubernetes/client-node` as JSON carries it, for kinds that have no type here, such as
 * those of beta versions: its dates are RFC 3339 strings, and its fields have the names that they have
 * on the wire (`continue` where the model says `_continue`, `x-kubernetes-validations` where it says
 * `x_kubernetes_validations`).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { V1Pod } from "@kubernetes/client-node";
 * import type { Wire } from "@xca/apimachinery/kubernetes-types";
 *
 * const started: Wire<V1Pod>["status"] = { startTime: "2026-01-02T03:04:05Z" };
 * assert(started.startTime?.endsWith("Z"));
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
 * A kind's model as an object of this package: {@linkcode Wire}, and its metadata always there.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { V1beta1ServiceCIDR } from "@kubernetes/client-node";
 * import { resourceType } from "@xca/apimachinery/meta";
 * import type { WireObject } from "@xca/apimachinery/kubernetes-types";
 *
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
 * A field's name on the wire, given the names of all fields of its model: `ref` and `schema` are
 * `$ref` and `$schema` in JSON schemas alone.
 */
export type WireName<Field, Fields> = Field extends "ref" | "schema"
  ? "x_kubernetes_validations" extends Fields ? `$${Field}` : Field
  : Field extends `x_kubernetes_${string}` ? Dashed<Field>
  : Field extends `_${infer Rest}` ? Rest
  : Field extends PropertyKey ? Field
  : never;

/** A name with `-` in place of each `_`. */
export type Dashed<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}-${Dashed<Rest>}`
  : Name;
