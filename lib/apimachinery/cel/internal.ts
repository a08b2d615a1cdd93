/**
 * Internals of the CEL implementation for other packages of this repository: types of CEL, and of
 * its rules in CustomResourceDefinitions. Not public API: no compatibility is promised.
 *
 * @module
 */
export type { CelSchema } from "./cel_schema.ts";
export type { CustomRules } from "./custom_rules.ts";
export { BOOL, type CelType, DYN, listOf, NULL, STRING, structType } from "./types/cel_type.ts";
