/**
 * Parts of an operator in production beside its controllers: the election of one leader among several
 * replicas.
 *
 * @module
 */
export {
  type ElectionMetrics,
  LeaderElector,
  type LeaderElectorOptions,
  type Term,
} from "./leader_election/leader_elector.ts";
export type { ElectionTiming } from "./leader_election/election_timing.ts";
export { LeadershipLostError } from "./leader_election/leadership_lost_error.ts";
export {
  type ElectedOperatorHandle,
  type LeaderElectionOptions,
  runElectedOperator,
  type RunElectedOperatorOptions,
} from "./elected_operator.ts";
export { type Runnable, RUNNABLE_GROUPS, type RunnableGroup } from "./runnable.ts";
export { debugEndpoint } from "./debug/debug_endpoint.ts";
export type { DebugQuery, DebugSource } from "./debug/debug_source.ts";
