// Mirrors sigs.k8s.io/controller-runtime/pkg/manager/manager.go, Options.
import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import { type Clock, MAX_TIMER_MS, type Random } from "@xca/apimachinery/base";
import type { Client } from "../client/typed/client.ts";
import type { Operator } from "../controller/definition/operator_definition.ts";
import { checkRun } from "../controller/operator/run_checks.ts";
import type { runOperator, RunOperatorOptions } from "../controller/operator/run_operator.ts";
import type { ControllerMetrics } from "../controller/ports/controller_metrics.ts";
import type { MetricsProvider } from "@xca/apimachinery/workqueue";
import { type CacheChoice, checkNames } from "./caches/cache_choice.ts";
import { METRICS_SERVER_OPTIONS } from "./endpoints/metrics_server.ts";
import { HEALTH_SERVER_OPTIONS } from "./health/health_server.ts";
import type { ManagerHealthServer, ManagerMetricsServer } from "./endpoints/manager_servers.ts";
import type { ElectionTiming } from "./leader_election/election_timing.ts";
import { ELECTION_OPTIONS } from "./leader_election/elector_checks.ts";
import type { ElectionMetrics } from "./leader_election/leader_elector_options.ts";
import type { CoordinatedElection } from "./leader_election/lease_candidacy.ts";

/** The options of the leader election of a manager, or of an operator in `runElectedOperator()`. */
export interface LeaderElectionOptions extends ElectionTiming {
  /** The name of the election's Lease. @default the name of the manager or operator */
  readonly name?: string | undefined;
  /** The namespace of the election's Lease. @default {ClientConfig.namespace}, else `default` */
  readonly namespace?: string | undefined;
  /**
   * The identity of this process in the election, which must be unique; with `coordinated`, valid
   * as the name of an object.
   *
   * @default a random UUID
   */
  readonly identity?: string | undefined;
  /**
   * The labels that each write of the Lease sets; other labels of the Lease are kept.
   *
   * @default none
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * The callback that the elector calls with the identity of each new leader that it observes,
   * including this process. The elector logs an error of the callback, which has no other effect.
   *
   * @default none
   */
  readonly onNewLeader?: ((identity: string) => void) | undefined;
  /**
   * The options of a coordinated election, in which the API server chooses the leader by the
   * versions of the candidates. A server without coordinated election leaves the choice to the
   * candidates.
   *
   * @default {the candidates elect the leader among themselves}
   */
  readonly coordinated?: CoordinatedElection | undefined;
  /** The receiver of the leader election metrics. @default that of the metrics server, if any */
  readonly metrics?: ElectionMetrics | undefined;
}

/**
 * Options for {@linkcode createManager}, which creates a manager of operators and other runnables.
 */
export interface ManagerOptions {
  /** The client of the manager and its operators. The manager does not close it. */
  readonly client: Client;
  /** The name of the manager in logs, and that of its Lease. @default {"manager"} */
  readonly name?: string | undefined;
  /**
   * The namespaces that the manager's operators and its `cache` watch for kinds whose source or
   * cache choice names none.
   *
   * @default all
   */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * The choices of the objects to cache, each for one kind.
   *
   * @default whole objects, all that operators and readers need
   */
  readonly caches?: readonly CacheChoice[] | undefined;
  /**
   * The election of one leader among several replicas.
   *
   * @default none: this process runs without an election
   */
  readonly leaderElection?: LeaderElectionOptions | undefined;
  /**
   * The time that each runnable has to be set up, and that the runnables of a group have to become
   * ready, in milliseconds; `Infinity` for no limit. The caches of operators have the
   * `syncTimeoutMs` of their controllers instead.
   *
   * @default {120_000}
   */
  readonly startTimeoutMs?: number | undefined;
  /**
   * The time that all runnables together have to end after a stop, in milliseconds. When the time
   * is over, `run` rejects with an error that names the runnables that have not ended, and the
   * process should end. 0 waits for none and is no error, `Infinity` waits without limit. The
   * manager aborts the reconcile runs of an operator without a `gracePeriodMs` of its own when five
   * sixths of the time have passed.
   *
   * @default {30_000}
   */
  readonly gracePeriodMs?: number | undefined;
  /**
   * Sets whether the manager checks, before anything starts, that operators, runnables and election
   * have the permissions that they need, and that the server serves the resources as the operators
   * describe them.
   *
   * @default {true}
   */
  readonly check?: boolean | undefined;
  /** The options of the manager's server of `/metrics` and `/debug`. @default none */
  readonly metricsServer?: ManagerMetricsServer | undefined;
  /** The options of the manager's server of `/healthz` and `/readyz`. @default none */
  readonly healthServer?: ManagerHealthServer | undefined;
  /**
   * The provider of the metrics of the manager's controllers.
   *
   * @default that of the metrics server, if there is one
   */
  readonly metrics?: ControllerMetrics | undefined;
  /**
   * The provider of the metrics of the manager's work queues.
   *
   * @default that of the metrics server, if there is one
   */
  readonly queueMetrics?: MetricsProvider | undefined;
  /** The clock of the manager. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The random number source of the manager. @default {systemRandom} */
  readonly random?: Random | undefined;
}

/**
 * Options of an operator in a manager, for {@linkcode Manager.add}. The defaults differ from those
 * of {@linkcode runOperator}: the namespaces of the manager, `wait` for `missingResources`, and a
 * grace period of five sixths of that of the manager.
 */
export interface AddOperatorOptions
  extends Pick<RunOperatorOptions, "namespace" | "workers" | "gracePeriodMs" | "missingResources"> {
  /**
   * The informers of the operator, which the caller starts and stops. The manager's `namespaces`
   * and cache choices do not restrict what such an operator watches.
   *
   * @default those of the manager
   */
  readonly informers?: RunOperatorOptions["informers"];
  /**
   * The {@linkcode runOperator} that runs the operator: that of the copy of the library that
   * defined the operator.
   *
   * @default {runOperator}
   */
  readonly run?: typeof runOperator | undefined;
}

const { registry: _registry, client: _client, clock: _clock, ...ownMetricsServer } =
  METRICS_SERVER_OPTIONS;
const { clock: _healthClock, ...MANAGER_HEALTH_SERVER } = HEALTH_SERVER_OPTIONS;

/** The names of all options of a manager's metrics server. */
const MANAGER_METRICS_SERVER: OptionNames<ManagerMetricsServer> = {
  ...ownMetricsServer,
  metrics: true,
  cacheBudgetBytes: true,
};

/** The names of all options of {@linkcode createManager}. */
const MANAGER_OPTIONS: OptionNames<ManagerOptions> = {
  client: true,
  name: true,
  namespaces: true,
  caches: true,
  leaderElection: ELECTION_OPTIONS,
  startTimeoutMs: true,
  gracePeriodMs: true,
  check: true,
  metricsServer: MANAGER_METRICS_SERVER,
  healthServer: MANAGER_HEALTH_SERVER,
  metrics: true,
  queueMetrics: true,
  clock: true,
  random: true,
};

/** The names of all options of {@linkcode Manager.add}. */
const ADD_OPTIONS: OptionNames<AddOperatorOptions> = {
  namespace: true,
  workers: true,
  gracePeriodMs: true,
  missingResources: true,
  informers: true,
  run: true,
};

/**
 * Checks the options of an operator in a manager.
 *
 * @throws {TypeError} When an option is unknown or of the wrong type.
 * @throws {RangeError} When the grace period is not a valid time.
 */
export function checkAdded(operator: Operator, options: AddOperatorOptions, client: Client): void {
  checkOptionNames(`Cannot add operator ${operator.name}`, options, ADD_OPTIONS);
  const { run: _, ...rest } = options;
  checkRun(operator, { ...rest, client });
}

/**
 * Checks the options of a manager.
 *
 * @throws {TypeError} When the client is missing, an option is unknown, or a namespace is invalid.
 * @throws {RangeError} When a duration is invalid.
 */
export function checkManagerOptions(options: ManagerOptions): void {
  const failure = "Cannot create a manager";
  if (!options?.client) {
    throw new TypeError(`${failure} without a client: pass { client: createClient(...) }`);
  }
  checkOptionNames(failure, options, MANAGER_OPTIONS);
  for (const name of ["startTimeoutMs", "gracePeriodMs"] as const) {
    const value: unknown = options[name] ?? 0;
    const fits = typeof value === "number" &&
      (value === Infinity || (value >= 0 && value <= MAX_TIMER_MS));
    if (fits) continue;
    throw new RangeError(
      `${failure}: ${name} must be between 0 and ${MAX_TIMER_MS} milliseconds or Infinity, ` +
        `is ${String(value)}`,
    );
  }
  if (options.namespaces !== undefined) checkNames(options.namespaces, failure);
}
