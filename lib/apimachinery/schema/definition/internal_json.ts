/**
 * Converts parts of a CustomResourceDefinition to the form that they have in the memory of
 * kube-apiserver, with all fields and the names of Go structs, since a few error messages show it.
 *
 * @module
 */
import { isMap } from "../../values/json_values.ts";
import { itemsOf, type JsonSchema, tupleOf } from "../structural/json_schema.ts";
import type { DefinitionVersion } from "./definition.ts";
import { sortedEntries } from "../../values/go_order.ts";

type Plain = Record<string, unknown>;

/**
 * Returns the versions of a CustomResourceDefinition in kube-apiserver's internal form, which error
 * messages show.
 */
export function internalVersions(versions: readonly DefinitionVersion[]): Plain[] {
  return versions.map((version) => ({
    Name: version.name ?? "",
    Served: version.served ?? false,
    Storage: version.storage ?? false,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: version.schema
      ? { OpenAPIV3Schema: optional(version.schema.openAPIV3Schema, internalSchema) }
      : null,
    Subresources: optional(version.subresources, ({ status, scale }) => ({
      Status: status ? {} : null,
      Scale: optional(scale, (paths) => ({
        SpecReplicasPath: paths.specReplicasPath ?? "",
        StatusReplicasPath: paths.statusReplicasPath ?? "",
        LabelSelectorPath: paths.labelSelectorPath ?? null,
      })),
    })),
    AdditionalPrinterColumns: optional(
      version.additionalPrinterColumns,
      (columns) =>
        columns.map((column) => ({
          Name: column.name ?? "",
          Type: column.type ?? "",
          Format: column.format ?? "",
          Description: column.description ?? "",
          Priority: column.priority ?? 0,
          JSONPath: column.jsonPath ?? "",
        })),
    ),
    SelectableFields: optional(
      version.selectableFields,
      (fields) => fields.map(({ jsonPath }) => ({ JSONPath: jsonPath ?? "" })),
    ),
  }));
}

function optional<T>(value: T | undefined, show: (value: T) => unknown): unknown {
  return value === undefined ? null : show(value);
}

function each<T>(
  values: Readonly<Record<string, T>> | undefined,
  show: (value: T) => unknown,
): unknown {
  return optional(values, (map) =>
    Object.fromEntries(
      sortedEntries(map).map(([key, value]) => [
        key,
        show(value),
      ]),
    ));
}

function schemaOrBool(value: JsonSchema | boolean | undefined): unknown {
  return optional(value, (given) => ({
    Allows: given !== false,
    Schema: isMap(given) ? internalSchema(given as JsonSchema) : null,
  }));
}

function list(schemas: readonly JsonSchema[] | undefined): unknown {
  return optional(schemas, (given) => given.map(internalSchema));
}

/** Returns a schema in kube-apiserver's internal form, which error messages show. */
export function internalSchema(schema: JsonSchema): Plain {
  return {
    ID: schema.id ?? "",
    Schema: schema.$schema ?? "",
    Ref: schema.$ref ?? null,
    Description: schema.description ?? "",
    Type: schema.type ?? "",
    Nullable: schema.nullable ?? false,
    Format: schema.format ?? "",
    Title: schema.title ?? "",
    Default: schema.default ?? null,
    Maximum: schema.maximum ?? null,
    ExclusiveMaximum: schema.exclusiveMaximum ?? false,
    Minimum: schema.minimum ?? null,
    ExclusiveMinimum: schema.exclusiveMinimum ?? false,
    MaxLength: schema.maxLength ?? null,
    MinLength: schema.minLength ?? null,
    Pattern: schema.pattern ?? "",
    MaxItems: schema.maxItems ?? null,
    MinItems: schema.minItems ?? null,
    UniqueItems: schema.uniqueItems ?? false,
    MultipleOf: schema.multipleOf ?? null,
    Enum: schema.enum ?? null,
    MaxProperties: schema.maxProperties ?? null,
    MinProperties: schema.minProperties ?? null,
    Required: schema.required ?? null,
    Items: internalItems(schema),
    AllOf: list(schema.allOf),
    OneOf: list(schema.oneOf),
    AnyOf: list(schema.anyOf),
    Not: optional(schema.not, internalSchema),
    Properties: each(schema.properties, internalSchema),
    AdditionalProperties: schemaOrBool(schema.additionalProperties),
    PatternProperties: each(schema.patternProperties, internalSchema),
    Dependencies: each(schema.dependencies, (dependency) => ({
      Schema: isMap(dependency) ? internalSchema(dependency as JsonSchema) : null,
      Property: Array.isArray(dependency) ? dependency : null,
    })),
    AdditionalItems: schemaOrBool(schema.additionalItems),
    Definitions: each(schema.definitions, internalSchema),
    ExternalDocs: optional(schema.externalDocs as Plain | undefined, (docs) => ({
      Description: docs.description ?? "",
      URL: docs.url ?? "",
    })),
    Example: schema.example ?? null,
    ...internalExtensions(schema),
  };
}

/**
 * Returns the schema of a list's items in kube-apiserver's internal form, which error messages
 * show; `null` if there is none.
 */
export function internalItems(schema: JsonSchema): unknown {
  if (schema.items === undefined) return null;
  const tuple = tupleOf(schema);
  return {
    Schema: optional(itemsOf(schema), internalSchema),
    JSONSchemas: tuple.length === 0 ? null : tuple.map(internalSchema),
  };
}

function internalExtensions(schema: JsonSchema): Plain {
  return {
    XPreserveUnknownFields: schema["x-kubernetes-preserve-unknown-fields"] ?? null,
    XEmbeddedResource: schema["x-kubernetes-embedded-resource"] ?? false,
    XIntOrString: schema["x-kubernetes-int-or-string"] ?? false,
    XListMapKeys: schema["x-kubernetes-list-map-keys"] ?? null,
    XListType: schema["x-kubernetes-list-type"] ?? null,
    XMapType: schema["x-kubernetes-map-type"] ?? null,
    XValidations: optional(schema["x-kubernetes-validations"], (rules) =>
      rules.map((rule) => ({
        Rule: rule.rule ?? "",
        Message: rule.message ?? "",
        MessageExpression: rule.messageExpression ?? "",
        Reason: rule.reason ?? null,
        FieldPath: rule.fieldPath ?? "",
        OptionalOldSelf: rule.optionalOldSelf ?? null,
      }))),
  };
}
