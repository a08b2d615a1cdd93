import { checkOptionNames } from "@xca/apimachinery/internal/base";

/**
 * The names of the options of `rulesOf()`, `rbacManifests()` and `denoFlagsOf()`, with those of
 * `createManager()`: the options of a manager may be passed to all of them.
 */
export const SETUP_OPTIONS = {
  name: true,
  namespaces: true,
  caches: true,
  leaderElection: true,
  metricsServer: true,
  healthServer: true,
  webhookServer: true,
  namespace: true,
  uses: true,
  serviceAccount: true,
  labels: true,
  userRoles: true,
  aggregate: true,
  cluster: true,
  apiServer: true,
  env: true,
  net: true,
  read: true,
  client: true,
  startTimeoutMs: true,
  gracePeriodMs: true,
  check: true,
  metrics: true,
  queueMetrics: true,
  clock: true,
  random: true,
} as const;

/**
 * Checks the names of options that describe the setup of a manager; `failure` begins the message of
 * the error.
 *
 * @throws {TypeError} When an option is unknown.
 */
export function checkSetup(failure: string, options: unknown): void {
  checkOptionNames<typeof SETUP_OPTIONS>(failure, options, SETUP_OPTIONS);
}

/** Reports whether a manager has a server for a `bindAddress`: neither `0` nor the empty text. */
export function isServed(bindAddress: string): boolean {
  return bindAddress !== "0" && bindAddress !== "";
}
