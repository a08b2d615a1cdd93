import type { V1JSONSchemaProps } from "../kubernetes_types/kinds.ts";
import { SCHEMA_FACTS } from "./schema_facts.ts";
import type { SchemaTypes } from "./schema_types.ts";

/**
 * A schema in the compact form of `schema_facts.ts`: the name of another schema, or keywords. Among
 * the keywords are `fields` (required ones end with `!`), `items`, `values` (of a map), `list` (the
 * list type, or the keys of a list of type `map`), `atomic`, and `of`, the schema that the other
 * keywords extend.
 */
type Compact = string | {
  readonly fields?: Readonly<Record<string, Compact>>;
  readonly items?: Compact;
  readonly values?: Compact;
  readonly of?: Compact;
  readonly list?: "atomic" | "set" | readonly string[];
  readonly atomic?: true;
};

const INTEGER_OR_STRING = [{ type: "integer" }, { type: "string" }];

/** The regular expression of quantities that controller-gen writes to schemas. */
export const QUANTITY_PATTERN: string =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

/**
 * A record of the schemas of the basic types of the compact form by name, such as `int32`,
 * `quantity` and `objectMeta`.
 */
const BASIC: Readonly<Record<string, V1JSONSchemaProps>> = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int: { type: "integer" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  bytes: { type: "string", format: "byte" },
  dateTime: { type: "string", format: "date-time" },
  intOrString: { anyOf: INTEGER_OR_STRING, "x-kubernetes-int-or-string": true },
  quantity: {
    anyOf: INTEGER_OR_STRING,
    pattern: QUANTITY_PATTERN,
    "x-kubernetes-int-or-string": true,
  },
  // The metadata that a template may have, as controller-gen's generateEmbeddedObjectMeta generates
  // it.
  objectMeta: {
    type: "object",
    properties: {
      annotations: { type: "object", additionalProperties: { type: "string" } },
      finalizers: { type: "array", items: { type: "string" } },
      labels: { type: "object", additionalProperties: { type: "string" } },
      name: { type: "string" },
      namespace: { type: "string" },
    },
  },
};

let facts: Readonly<Record<string, Compact>> | undefined;

/**
 * Returns the structural schema of one of Kubernetes' own types, for a field of a custom resource:
 * like controller-gen's, without descriptions. Metadata within the type has name, namespace,
 * labels, annotations and finalizers.
 *
 * @throws {RangeError} When there is no schema of that name.
 */
export function kubernetesSchema(name: keyof SchemaTypes): V1JSONSchemaProps {
  facts ??= JSON.parse(SCHEMA_FACTS) as Record<string, Compact>;
  if (!Object.hasOwn(facts, name)) {
    throw new RangeError(
      `Cannot find a schema of Kubernetes' type ${name}: the names are those of ` +
        "@xca/operator/kubernetes-types, such as V1PodTemplateSpec; whole kinds have none",
    );
  }
  return expand(name, facts);
}

function expand(schema: Compact, facts: Readonly<Record<string, Compact>>): V1JSONSchemaProps {
  if (typeof schema === "string") {
    return structuredClone(BASIC[schema]) ?? expand(facts[schema]!, facts);
  }
  const { fields, items, values, of, list, atomic, ...keywords } = schema;
  return {
    ...(of !== undefined && expand(of, facts)),
    ...(fields && objectSchema(fields, facts)),
    ...(items !== undefined && { type: "array", items: expand(items, facts) }),
    ...(values !== undefined && { type: "object", additionalProperties: expand(values, facts) }),
    ...keywords,
    ...(typeof list === "object" && { "x-kubernetes-list-map-keys": [...list] }),
    ...(list && { "x-kubernetes-list-type": typeof list === "string" ? list : "map" }),
    ...(atomic && { "x-kubernetes-map-type": "atomic" }),
  };
}

function objectSchema(
  fields: Readonly<Record<string, Compact>>,
  facts: Readonly<Record<string, Compact>>,
): V1JSONSchemaProps {
  const names = Object.keys(fields);
  const required = names.filter((name) => name.endsWith("!")).map((name) => name.slice(0, -1));
  const properties = names.map((name) => [name.replace("!", ""), expand(fields[name]!, facts)]);
  return {
    type: "object",
    ...(names.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required }),
  };
}
