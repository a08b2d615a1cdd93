import type { JsonObject } from "../machinery/api_object.ts";
import type { ApiResource } from "../machinery/resource.ts";
import type { Definition, SchemaStyle } from "./definitions.ts";
import { definitionName } from "./names.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";

/** The definitions of the custom resources among some resources, by name: each kind and its list. */
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

function kindDefinition(resource: ApiResource, style: SchemaStyle): Definition {
  const schema = restyled(resource.openApiSchema ?? { type: "object" }, style) as JsonObject;
  const properties = schema.properties as JsonObject | undefined;
  // Version 2 cannot say enough of a schema that keeps what it does not name.
  const opaque = !resource.openApiSchema || schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (opaque && !properties) {
    return { schema: { ...schema, ...kindExtension(resource, resource.kind) }, references: [] };
  }
  const typed = {
    ...schema,
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      ...properties,
      metadata: reference(`${META}.ObjectMeta`, style),
    },
    ...kindExtension(resource, resource.kind),
  };
  return { schema: typed as JsonObject, references: [`${META}.ObjectMeta`] };
}

/** What version 2 has no words for. */
const ONLY_V3 = new Set(["allOf", "anyOf", "oneOf", "not", "nullable"]);

/** A copy of a schema in the words of a version. */
function restyled(value: unknown, style: SchemaStyle, names = false): unknown {
  if (Array.isArray(value)) return value.map((item) => restyled(item, style));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value)
    .filter(([key]) => names || style.full || !ONLY_V3.has(key))
    .map(([key, inner]) => [key, restyled(inner, style, key === "properties" && !names)]);
  const made = Object.fromEntries(entries);
  if (!names && style.full && made["x-kubernetes-int-or-string"] === true) {
    made.anyOf ??= [{ type: "integer" }, { type: "string" }];
  }
  return made;
}

function listDefinition(resource: ApiResource, style: SchemaStyle): Definition {
  const name = definitionName(resource);
  const schema = {
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: { type: "string" },
      items: { type: "array", items: { $ref: style.prefix + name } },
      kind: { type: "string" },
      metadata: reference(`${META}.ListMeta`, style),
    },
    ...kindExtension(resource, resource.listKind),
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
