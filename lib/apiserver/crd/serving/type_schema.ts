// Mirrors `pkg/schemaconv/openapi.go, ToSchemaFromOpenAPI`.
import type { TypeSchema } from "../../machinery/type_schema.ts";
import { structType } from "../../types/builtin_type.ts";
import {
  hasDefault,
  itemsOf,
  type JsonSchema,
  propertiesOf,
  valuesOf,
} from "@xca/apimachinery/internal/schema";

const OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const TEXT: TypeSchema = { type: "string" };

/**
 * Returns the {@linkcode TypeSchema} of a custom resource (fields, list types and keys), for
 * patches and field management; `undefined` for a resource without a schema.
 */
export function typeSchemaOf(schema: JsonSchema | undefined): TypeSchema | undefined {
  if (schema === undefined) return undefined;
  const { type: _, ...rest } = convert(schema, true);
  return { type: "object", ...rest };
}

function convert(schema: JsonSchema, isRoot = false): TypeSchema {
  if (schema["x-kubernetes-int-or-string"]) return { type: "any", format: "int-or-string" };
  const isResource = isRoot || schema["x-kubernetes-embedded-resource"] === true;
  const preserves = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const items = itemsOf(schema);
  const values = valuesOf(schema);
  const listType = schema["x-kubernetes-list-type"] as TypeSchema["listType"];
  const mapKeys = schema["x-kubernetes-list-map-keys"];
  const mapType = schema["x-kubernetes-map-type"] as TypeSchema["mapType"];
  return {
    type: (schema.type as TypeSchema["type"]) || "any",
    ...(schema.format && { format: schema.format }),
    ...fields(schema, isResource),
    ...(values && { values: convert(values) }),
    ...(schema.additionalProperties === true && { values: { type: "any" } as TypeSchema }),
    ...(items && { items: convert(items) }),
    ...(listType && { listType }),
    ...(mapKeys && { mapKeys }),
    ...(mapType && { mapType }),
    ...(schema.required && { required: schema.required }),
    ...(hasDefault(schema) && { default: schema.default }),
    ...(preserves && { preserveUnknown: true }),
    ...(schema.nullable && { nullable: true }),
  };
}

function fields(schema: JsonSchema, isResource: boolean): Pick<TypeSchema, "fields"> {
  const properties = propertiesOf(schema).map(([name, each]) => [name, convert(each)] as const);
  if (properties.length === 0 && !isResource) return {};
  const made: Record<string, TypeSchema> = Object.fromEntries(properties);
  if (isResource) {
    made.apiVersion = TEXT;
    made.kind = TEXT;
    made.metadata = structType(OBJECT_META)!;
  }
  return { fields: made };
}
