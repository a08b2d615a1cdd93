/**
 * Shared by the packages of `@xca` alone: no promise of compatibility is made.
 *
 * @module
 */
export type { CelSchema } from "./cel_schema.ts";
export type { CustomRules } from "./custom_rules.ts";
export { BOOL, type CelType, DYN, listOf, NULL, STRING, structType } from "./types/cel_type.ts";
