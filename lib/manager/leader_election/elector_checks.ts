import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import type { LeaderElectorOptions } from "./leader_elector_options.ts";

/** The names of the options that an elector and the leader election of a manager have in common. */
export const ELECTION_OPTIONS = {
  namespace: true,
  name: true,
  identity: true,
  coordinated: { binaryVersion: true, emulationVersion: true, strategy: true },
  labels: true,
  onNewLeader: true,
  metrics: true,
  leaseDurationMs: true,
  renewDeadlineMs: true,
  retryPeriodMs: true,
} as const;

/** The names of all options of {@linkcode LeaderElector}. */
const ELECTOR_OPTIONS: OptionNames<LeaderElectorOptions> = {
  ...ELECTION_OPTIONS,
  client: true,
  clock: true,
  random: true,
};

/**
 * Checks the options of an elector, except for the durations and a coordinated election.
 *
 * @throws {TypeError} When an option is unknown, or the name, the namespace or the identity is empty.
 */
export function checkElectorOptions(options: LeaderElectorOptions): void {
  const failure = "Cannot elect a leader";
  checkOptionNames(failure, options, ELECTOR_OPTIONS);
  for (const field of ["namespace", "name", "identity"] as const) {
    if (!options[field]) throw new TypeError(`${failure}: ${field} is empty`);
  }
}
