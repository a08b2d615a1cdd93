/**
 * Custom resources from TypeScript: schemas whose static types are inferred, and resources with
 * their CustomResourceDefinitions.
 *
 * @module
 */
export type { SchemaTypes } from "@xca/apimachinery/internal/kubernetes-schemas";
export { crdYaml, type WithCrd } from "./crd/crd_yaml.ts";
export { problemsOfCrd } from "./crd/problems_of_crd.ts";
export { defineResource } from "./define_resource.ts";
export type {
  DefinedResource,
  DefinedVersion,
  DefinedVersions,
  InputOf,
  StoredOf,
} from "./definition/defined_resource.ts";
export { ResourceDefinitionError } from "./definition/definition_error.ts";
export type { InputResource, ObjectHead, StoredResource } from "./definition/object_types.ts";
export type { ResourceConversion, VersionConversion } from "./definition/resource_conversion.ts";
export type {
  MetadataInit,
  PrinterColumn,
  ResourceInit,
  ResourceNamesInit,
  ScalePathsInit,
  SpecIn,
  StatusIn,
  SubresourcesInit,
  VersionedResourceInit,
  VersionInit,
  VersionOptions,
} from "./definition/resource_init.ts";
export type { EnumValue } from "./schema/builders/choice.ts";
export type {
  ArrayBounds,
  ArrayOptions,
  MapArrayOptions,
  MapOptions,
  PlainArrayOptions,
} from "./schema/builders/collection.ts";
export type { IntegerOptions, NumberBounds, NumberOptions } from "./schema/builders/number.ts";
export type { ObjectOptions } from "./schema/builders/object.ts";
export type { CommonOptions, Rule, WithDefault } from "./schema/options.ts";
export * as s from "./schema/s.ts";
export type {
  AnySchema,
  DefaultedSchema,
  Fields,
  Flat,
  Input,
  InputObject,
  OptionalInInput,
  OptionalInStored,
  OptionalSchema,
  Schema,
  Stored,
  StoredObject,
} from "./schema/schema.ts";
export { SchemaError, type SchemaProblem } from "./schema/schema_error.ts";
export type { EmbeddedResource, Quantity } from "./schema/builders/special.ts";
export type { StringOptions } from "./schema/builders/text.ts";
export type { StringFormat } from "./schema/text_formats.ts";
export { checkSchema } from "./schema/check_schema.ts";
export type { InputExactlyOne, NoneOf, StoredExactlyOne } from "./schema/builders/one_of_fields.ts";
export type {
  Absent,
  FieldsOfMembers,
  InputUnion,
  Members,
  StoredUnion,
} from "./schema/builders/union.ts";
export { fromJsonSchema } from "./convert/from_json_schema.ts";
export { fromStandardSchema, type StandardJsonSchemaLike } from "./convert/from_standard_schema.ts";
export type { ObjectProblem } from "./validation/object_problem.ts";
export {
  type AnyObject,
  applyDefaults,
  prune,
  type Pruned,
  validate,
  type ValidateOptions,
} from "./validation/validate.ts";
export type { VersionWithCrd } from "./validation/version_with_crd.ts";
export { checkConversion, type CheckConversionOptions } from "./validation/check_conversion.ts";
export { ConversionError, type ConversionLoss } from "./validation/conversion_error.ts";
export { createScheme, type KindName, type Scheme, type SchemeOptions } from "./scheme/scheme.ts";
export { SchemeError } from "./scheme/scheme_error.ts";
