import { QUANTITY_PATTERN } from "@xca/apimachinery/internal/kubernetes-schemas";
import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";
import { type CommonOptions, define, type WithDefault } from "../options.ts";
import type { DefaultedSchema, Schema } from "../schema.ts";

/** A resource quantity, an exact number of bytes, cores or other units: `500m`, `2Gi`, `3`. */
export type Quantity = string | number;

const INTEGER_OR_STRING = [{ type: "integer" }, { type: "string" }];

/**
 * Creates the schema of a value that is an integer or a text, such as a port by number or by name.
 *
 * @example
 * ```ts
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const port = s.intOrString({ default: "http" });
 * const value: Stored<typeof port> = 8080;
 * ```
 */
export function intOrString(
  options: CommonOptions & WithDefault<number | string>,
): DefaultedSchema<number | string>;
export function intOrString(options?: CommonOptions): Schema<number | string>;
export function intOrString(
  options: CommonOptions & Partial<WithDefault<number | string>> = {},
): Schema<number | string> {
  const json = { anyOf: INTEGER_OR_STRING, "x-kubernetes-int-or-string": true };
  return define({ json, options });
}

/**
 * Creates the schema of a quantity: an exact number, perhaps with a suffix, such as `500m`, `2Gi`
 * or `3`. CEL rules compare quantities by `quantity(string(self.memory))`.
 *
 * @example
 * ```ts
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const memory = s.quantity({ default: "1Gi" });
 * const value: Stored<typeof memory> = "512Mi";
 * ```
 */
export function quantity(
  options: CommonOptions & WithDefault<Quantity>,
): DefaultedSchema<Quantity>;
export function quantity(options?: CommonOptions): Schema<Quantity>;
export function quantity(
  options: CommonOptions & Partial<WithDefault<Quantity>> = {},
): Schema<Quantity> {
  const json = {
    anyOf: INTEGER_OR_STRING,
    pattern: QUANTITY_PATTERN,
    "x-kubernetes-int-or-string": true,
  };
  return define({ json, options });
}

/**
 * Creates the schema of any value except `null`; the API server stores the value unchanged.
 *
 * @example
 * ```ts
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const values = s.unknown({ description: "The values of the Helm chart" });
 * const value: Stored<typeof values> = { replicas: 3 };
 * ```
 */
export function unknown(options: CommonOptions & WithDefault<unknown>): DefaultedSchema<unknown>;
export function unknown(options?: CommonOptions): Schema<unknown>;
export function unknown(
  options: CommonOptions & Partial<WithDefault<unknown>> = {},
): Schema<unknown> {
  return define({ json: { "x-kubernetes-preserve-unknown-fields": true }, options });
}

/** The TypeScript type of an embedded object with its own `apiVersion` and `kind`. */
export type EmbeddedResource<T extends KubeObject = KubeObject> = T & {
  /** The API group and version of the embedded object. */
  apiVersion: string;
  /** The kind of the embedded object. */
  kind: string;
};

/**
 * Creates the schema of a whole Kubernetes object as the value of a field, such as a template. The
 * API server checks its `apiVersion`, `kind` and `metadata`, and stores the other fields as they
 * are.
 *
 * @param type The resource type of the object; without it, the object can be of every type.
 *
 * @example
 * ```ts
 * import { ConfigMap } from "@xca/operator";
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const template = s.embeddedResource(ConfigMap);
 * const value: Stored<typeof template> = {
 *   apiVersion: "v1",
 *   kind: "ConfigMap",
 *   metadata: { name: "settings" },
 *   data: { mode: "fast" },
 * };
 * ```
 */
export function embeddedResource<T extends KubeObject = KubeObject>(
  type?: ResourceType<T>,
  options: CommonOptions = {},
): Schema<EmbeddedResource<T>> {
  const names = type && {
    properties: {
      apiVersion: { type: "string", enum: [type.apiVersion] },
      kind: { type: "string", enum: [type.kind] },
    },
  };
  return define({
    json: {
      type: "object",
      ...names,
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
    options,
  });
}
