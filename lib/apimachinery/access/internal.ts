/**
 * Shared by the packages of `@xca` alone: no promise of compatibility is made.
 *
 * @module
 */
export type { AccessAttributes, AccessDecision, Authorizer, RequestUser } from "./authorizer.ts";
export { type Verb, VERB_METHODS, verbOfMethod, VERBS, verbsOfMethod } from "./verbs.ts";
