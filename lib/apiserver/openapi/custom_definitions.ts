// Mirrors `controller/openapi/builder/builder.go, builder.buildKubeNative`.
import type { JsonObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";
import type { Definition, SchemaStyle } from "./definitions.ts";
import { definitionName } from "./names.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";

/**
 * Returns the OpenAPI definitions of the custom resources in a list, by name: those of each kind
 * and of its list. Built-in resources in the list are skipped.
 */
export function customDefinitions(
  resources: Iterable<ApiResource>,
  style: SchemaStyle,
): Map<string, Definition> {
  const definitions = new Map<string, Definition>();
  for (const resource of resources) {
    if (resource.customResourceDefinition === undefined) continue;
    const name = definitionName(resource);
    definitions.set(name, kindDefinition(resource, style));
    definitions.set(`${name}List`, listDefinition(resource, style));
  }
  return definitions;
}

/**
 * Returns the OpenAPI definition of a custom kind: the schema of its author, with the standard
 * schemas of `apiVersion`, `kind` and `metadata`. A kind without a schema, or with one that the
 * OpenAPI version cannot express, is an object without properties.
 */
function kindDefinition(resource: ApiResource, style: SchemaStyle): Definition {
  const extensions = { ...kindExtension(resource, resource.kind), ...selectableFields(resource) };
  const given = resource.openApiSchema;
  // Version 2 cannot express a schema that preserves unknown fields.
  if (!given || (!style.full && given[PRESERVES] === true)) {
    return { schema: { type: "object", ...extensions }, references: [] };
  }
  const schema = restyled(given, style) as JsonObject;
  const typed = {
    ...schema,
    properties: {
      ...schema.properties as JsonObject | undefined,
      ...typeMeta(TYPE_META),
      metadata: objectMeta(style),
    },
    ...extensions,
  };
  return { schema: typed as JsonObject, references: [`${META}.ObjectMeta`] };
}

const PRESERVES = "x-kubernetes-preserve-unknown-fields";
const CONVENTIONS =
  "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";
/** The standard OpenAPI descriptions of an object's `apiVersion` and `kind`. */
const TYPE_META = {
  apiVersion: "APIVersion defines the versioned schema of this representation of an object. " +
    "Servers should convert recognized schemas to the latest internal value, and may reject " +
    `unrecognized values. More info: ${CONVENTIONS}#resources`,
  kind: "Kind is a string value representing the REST resource this object represents. Servers " +
    "may infer this from the endpoint the client submits requests to. Cannot be updated. In " +
    `CamelCase. More info: ${CONVENTIONS}#types-kinds`,
};
/** The standard OpenAPI descriptions of `apiVersion` and `kind` of an embedded object. */
const EMBEDDED_TYPE_META = {
  apiVersion: "apiVersion defines the versioned schema of this representation of an object. " +
    `More info: ${CONVENTIONS}#resources`,
  kind: "kind is a string value representing the type of this object. In CamelCase. " +
    `More info: ${CONVENTIONS}#types-kinds`,
};

function typeMeta({ apiVersion, kind }: typeof TYPE_META): JsonObject {
  return {
    apiVersion: { description: apiVersion, type: "string" },
    kind: { description: kind, type: "string" },
  };
}

function objectMeta(style: SchemaStyle): JsonObject {
  const description = `Standard object's metadata. More info: ${CONVENTIONS}#metadata`;
  return { description, ...reference(`${META}.ObjectMeta`, style) };
}

/**
 * Returns the OpenAPI schema of an embedded resource with the standard schemas of its type and
 * metadata; any other schema unchanged, and in OpenAPI 2 also an embedded one that preserves
 * unknown fields.
 */
function embedded(schema: JsonObject, style: SchemaStyle): JsonObject {
  if (schema["x-kubernetes-embedded-resource"] !== true) return schema;
  if (!style.full && schema[PRESERVES] === true) return schema;
  const required = schema.required as readonly string[] | undefined ?? [];
  const more = ["kind", "apiVersion"].filter((name) => !required.includes(name));
  return {
    ...schema,
    required: [...required, ...more],
    properties: {
      ...schema.properties as JsonObject | undefined,
      ...typeMeta(EMBEDDED_TYPE_META),
      metadata: objectMeta(style),
    },
  };
}

function selectableFields({ selectableFieldPaths = [] }: ApiResource): JsonObject {
  if (selectableFieldPaths.length === 0) return {};
  const fields = selectableFieldPaths.map((path) => ({ fieldPath: path.replace(/^\./, "") }));
  return { "x-kubernetes-selectable-fields": fields };
}

/** The schema keywords that OpenAPI 2 lacks. */
const ONLY_V3 = new Set(["allOf", "anyOf", "oneOf", "not", "nullable"]);

/**
 * Returns a copy of a custom resource's schema in the style of an OpenAPI version. With `names`,
 * `value` is a record of schemas by property name.
 */
function restyled(value: unknown, style: SchemaStyle, names = false): unknown {
  if (Array.isArray(value)) return value.map((item) => restyled(item, style));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value)
    .filter(([key]) => names || style.full || !ONLY_V3.has(key))
    .map(([key, inner]) => [key, restyled(inner, style, key === "properties" && !names)]);
  if (names) return Object.fromEntries(entries);
  const made = Object.fromEntries(entries);
  if (!style.full) dropUntyped(made, value as JsonObject);
  if (style.full && made["x-kubernetes-int-or-string"] === true) {
    made.anyOf ??= [{ type: "integer" }, { type: "string" }];
  }
  return embedded(made, style);
}

/**
 * Removes from an OpenAPI 2 schema, `made` from `given`, in place, what kubectl cannot read where
 * `null` or unknown fields are allowed: `type`, `items`, `properties`, or names in `required`.
 *
 * @see k8s.io/apiextensions-apiserver/pkg/controller/openapi/v2, ToStructuralOpenAPIV2
 */
function dropUntyped(made: JsonObject, given: JsonObject): void {
  const { nullable, type } = given;
  const preserves = given[PRESERVES] === true;
  if (nullable === true || preserves) {
    delete made.items;
    delete made.properties;
  }
  const untyped = type === "array" ? made.items === undefined : type === "object" && preserves;
  if (nullable === true || untyped) delete made.type;
  const values = given.additionalProperties as JsonObject | undefined;
  if (values?.nullable === true) delete made.required;
  if (!Array.isArray(made.required)) return;
  const properties = made.properties === undefined ? {} : given.properties as JsonObject;
  const required = made.required.filter((name) =>
    (properties[String(name)] as JsonObject | undefined)?.nullable !== true
  );
  if (required.length > 0) made.required = required;
  else delete made.required;
}

function listDefinition(resource: ApiResource, style: SchemaStyle): Definition {
  const name = definitionName(resource);
  const { kind, listKind, plural } = resource;
  const schema = {
    description: `${listKind} is a list of ${kind}`,
    type: "object",
    required: ["items"],
    properties: {
      ...typeMeta(TYPE_META),
      items: {
        description: `List of ${plural}. More info: ${CONVENTIONS}`,
        type: "array",
        items: { $ref: style.prefix + name },
      },
      metadata: {
        description: `Standard list metadata. More info: ${CONVENTIONS}#types-kinds`,
        ...reference(`${META}.ListMeta`, style),
      },
    },
    ...kindExtension(resource, listKind),
    ...selectableFields(resource),
  };
  return { schema: schema as JsonObject, references: [name, `${META}.ListMeta`] };
}

function reference(name: string, style: SchemaStyle): JsonObject {
  const plain = { $ref: style.prefix + name };
  return style.full ? { allOf: [plain] } : plain;
}

function kindExtension({ group, version }: ApiResource, kind: string): JsonObject {
  return { "x-kubernetes-group-version-kind": [{ group, kind, version }] };
}
