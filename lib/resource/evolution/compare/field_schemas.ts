import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";

/** The schema of a value that the API server preserves although its fields are not known. */
export const ANYTHING: V1JSONSchemaProps = { "x-kubernetes-preserve-unknown-fields": true };

/**
 * The schemas, by name, of the fields `apiVersion`, `kind` and `metadata`, which every Kubernetes
 * object has. The API server keeps these fields even if the schema of the resource does not name
 * them.
 */
const OF_RESOURCES: Readonly<Record<string, V1JSONSchemaProps>> = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata: {
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    properties: { name: { type: "string" }, generateName: { type: "string" } },
  },
};

/** The schemas by which an API server validates and prunes the fields of an object. */
export class FieldSchemas {
  readonly #schema: V1JSONSchemaProps;
  readonly #isResource: boolean;

  constructor(schema: V1JSONSchemaProps, isResource: boolean) {
    this.#schema = schema;
    this.#isResource = isResource;
  }

  /**
   * The names of the object's fields that have a schema; of a resource, `apiVersion`, `kind` and
   * `metadata` in any case.
   */
  get names(): readonly string[] {
    const own = Object.keys(this.#schema.properties ?? {});
    return this.#isResource ? [...new Set([...own, ...Object.keys(OF_RESOURCES)])] : own;
  }

  /** Reports whether the object's own schema names a field. */
  declares(name: string): boolean {
    return Object.hasOwn(this.#schema.properties ?? {}, name);
  }

  /**
   * Returns the schema of the object's field with a name; `undefined` if the API server drops the
   * field.
   */
  of(name: string): V1JSONSchemaProps | undefined {
    const own = this.declares(name) ? this.#schema.properties![name]! : undefined;
    if (!this.#isResource || !Object.hasOwn(OF_RESOURCES, name)) return own ?? this.rest;
    const general = OF_RESOURCES[name]!;
    if (own === undefined || name !== "metadata") return own ?? general;
    return { ...general, ...own, properties: { ...general.properties, ...own.properties } };
  }

  /** The schema of the object's fields that no schema names; `undefined` when they are dropped. */
  get rest(): V1JSONSchemaProps | undefined {
    const { additionalProperties: values } = this.#schema;
    if (typeof values === "object") return values;
    if (values === true) return {};
    return this.#schema["x-kubernetes-preserve-unknown-fields"] ? ANYTHING : undefined;
  }
}
