/**
 * The evolution of CustomResourceDefinitions: which changes are safe, and how stored objects move to
 * another version. For checks in CI and for tools; an operator does not need it at run time.
 *
 * @module
 */
export { CHANGE_LEVELS, type ChangeLevel, type CrdChange, worstLevel } from "./change.ts";
export { diffCrd, diffCrds } from "./diff_crds.ts";
export { definitionProblems } from "./definition_problems.ts";
export { withWitnesses } from "./witness.ts";
