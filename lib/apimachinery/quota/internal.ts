/**
 * Internals that calculate the usage of ResourceQuotas, for the other packages of this repository.
 * Not public API: no compatibility is promised.
 *
 * @module
 */
export {
  type Amounts,
  amountsText,
  exceeded,
  increase,
  only,
  sum,
  withoutZeros,
} from "./amounts.ts";
export { claimClass } from "./claim_class.ts";
export {
  type Evaluator,
  inScopes,
  objectCount,
  type QuotaReader,
  type ScopeRequirement,
  type UsageContext,
} from "./evaluator.ts";
export { evaluatorOf } from "./evaluators.ts";
export { isTerminating } from "./pod_evaluator.ts";
