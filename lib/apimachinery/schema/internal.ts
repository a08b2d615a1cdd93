/**
 * Internals of the schema code for other packages of this repository. Not public API: no
 * compatibility is promised.
 *
 * @module
 */
export { approvalCondition } from "./definition/api_approval.ts";
export { caBundleProblem } from "./definition/ca_bundle.ts";
export { pruneDefaults } from "./definition/default_rules.ts";
export {
  CLEANUP_FINALIZER,
  conditionOf,
  type CustomResourceDefinition,
  DEFINITION_GROUP,
  DEFINITION_RESOURCE,
  type DefinitionCondition,
  type DefinitionConversion,
  type DefinitionNames,
  type DefinitionSpec,
  type DefinitionSubresources,
  type DefinitionVersion,
  isTrue,
  noNames,
  type ScalePaths,
  setCondition,
} from "./definition/definition.ts";
export {
  definitionErrors,
  definitionUpdateErrors,
  statusErrors,
} from "./definition/definition_rules.ts";
export { structuralErrors } from "./definition/structural_rules.ts";
export {
  checkCustomObject,
  checkCustomStatus,
  type CheckedKind,
  customRulesOf,
  typeErrors,
} from "./objects/custom_object.ts";
export { AccessorError, nestedField, nestedText } from "./objects/nested_field.ts";
export { coerceInSteps, coerceObject } from "./structural/coerce.ts";
export { SCHEMA_CODE, type SchemaCode } from "./schema_code.ts";
export { applyDefaults, dropNulls } from "./structural/defaults.ts";
export { checkEmbedded, hasEmbedded } from "./structural/embedded.ts";
export { checkAnnotations, checkEmbeddedMetadata } from "./structural/embedded_metadata.ts";
export { ShapeError } from "./structural/go_decode.ts";
export {
  hasDefault,
  itemsOf,
  type JsonSchema,
  propertiesOf,
  propertyOf,
  someSchema,
  valuesOf,
} from "./structural/json_schema.ts";
export { checkListTypes } from "./structural/list_types.ts";
export { prune } from "./structural/prune.ts";
export { type SettledTest, settledTest } from "./structural/settled.ts";
export { checkValue } from "./validation/check_value.ts";
export { checkerOf } from "./validation/checker.ts";
export { Correlation } from "./validation/correlation.ts";
export { supportedFormat } from "./validation/formats.ts";
export { surelyValid } from "./validation/surely_valid.ts";
export { toFieldErrors } from "./validation/violation.ts";
