import type { Condition } from "@xca/apimachinery/meta";
import { kubernetesSchema, type SchemaTypes } from "@xca/apimachinery/internal/kubernetes-schemas";
import { type CommonOptions, define, type WithDefault } from "../options.ts";
import type { DefaultedSchema, Schema } from "../schema.ts";

/**
 * Creates the schema of one of Kubernetes' own types, such as `V1PodTemplateSpec`,
 * `V1LabelSelector`, `V1ResourceRequirements` or `V1Condition`. The schema is as controller-gen
 * writes it, without descriptions; metadata within it has name, namespace, labels, annotations and
 * finalizers.
 *
 * `V1PodTemplateSpec` takes 64 KB in a CustomResourceDefinition: about twenty of them reach the
 * maximum size of an object that the API server stores.
 *
 * @param name The name of the type in `@xca/operator/kubernetes-types`.
 * @throws {RangeError} When there is no schema of that name, such as for a whole kind.
 *
 * @example
 * ```ts
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const spec = s.object({
 *   template: s.kubernetes("V1PodTemplateSpec"),
 *   resources: s.optional(s.kubernetes("V1ResourceRequirements")),
 * });
 * const value: Stored<typeof spec> = {
 *   template: { spec: { containers: [{ name: "web", image: "nginx" }] } },
 * };
 * ```
 */
export function kubernetes<N extends keyof SchemaTypes>(
  name: N,
  options: CommonOptions & WithDefault<SchemaTypes[N]>,
): DefaultedSchema<SchemaTypes[N]>;
export function kubernetes<N extends keyof SchemaTypes>(
  name: N,
  options?: CommonOptions,
): Schema<SchemaTypes[N]>;
export function kubernetes<N extends keyof SchemaTypes>(
  name: N,
  options: CommonOptions & Partial<WithDefault<SchemaTypes[N]>> = {},
): Schema<SchemaTypes[N]> {
  return define({ json: kubernetesSchema(name), options });
}

/**
 * Creates the schema of a status' conditions: an array with one `V1Condition` for each type, merged
 * by type in server-side apply. `setCondition` and `setSummary` of `@xca/operator/meta` write them.
 *
 * @example
 * ```ts
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const status = s.object({ conditions: s.optional(s.conditions()) });
 * const value: Stored<typeof status> = {};
 * ```
 */
export function conditions(options: CommonOptions = {}): Schema<Condition[]> {
  return define({
    json: {
      type: "array",
      items: kubernetesSchema("V1Condition"),
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
    },
    options,
  });
}
