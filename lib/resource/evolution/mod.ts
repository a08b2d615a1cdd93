/**
 * Tools for CustomResourceDefinitions: they grade changes by their effect, plan and run the
 * migration of stored objects to another version, and generate TypeScript. For checks in CI and for
 * generators; an operator does not need them at run time.
 *
 * @module
 */
export { CHANGE_LEVELS, type ChangeLevel, type CrdChange, worstLevel } from "./change.ts";
export { diffCrd, diffCrds } from "./compare/diff_crds.ts";
export { definitionProblems } from "./definition_problems.ts";
export { DefinitionError, readDefinitions } from "./read_definitions.ts";
export {
  migrateStorage,
  type MigrateStorageOptions,
  type StorageMigration,
} from "./plan/migrate_storage.ts";
export {
  planStorage,
  STORAGE_STEPS,
  type StoragePlan,
  type StorageStep,
  type StorageStepName,
} from "./plan/storage_plan.ts";
export { withWitnesses } from "./witness/witness.ts";
export { definitionModule, type DefinitionModuleOptions } from "../types/definition_module.ts";
export { interfaceModule, type InterfaceModuleOptions } from "../types/interface_module.ts";
