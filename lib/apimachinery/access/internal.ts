/**
 * Internals of `@xca/apimachinery/access` for the other packages of this repository. Not public
 * API: no compatibility is promised.
 *
 * @module
 */
export type { AccessAttributes, AccessDecision, Authorizer, RequestUser } from "./authorizer.ts";
export { type Verb, VERB_METHODS, verbOfMethod, VERBS, verbsOfMethod } from "./verbs.ts";
