/** Mirrors sigs.k8s.io/controller-runtime/pkg/manager/manager.go, Options. */
import { type Clock, MAX_TIMER_MS, type Random } from "@xca/apimachinery/base";
import type { Client } from "../client/typed/client.ts";
import type { runOperator, RunOperatorOptions } from "../controller/operator/run_operator.ts";
import type { ControllerMetrics } from "../controller/ports/controller_metrics.ts";
import type { MetricsProvider } from "@xca/apimachinery/workqueue";
import { type CacheChoice, checkNames } from "./caches/cache_choice.ts";
import type { ManagerHealthServer, ManagerMetricsServer } from "./endpoints/manager_servers.ts";
import type { ElectionTiming } from "./leader_election/election_timing.ts";
import type { ElectionMetrics } from "./leader_election/leader_elector_options.ts";
import type { CoordinatedElection } from "./leader_election/lease_candidacy.ts";

/** The election of a leader. */
export interface LeaderElectionOptions extends ElectionTiming {
  /** The name of the Lease. @default the name of the manager or operator */
  readonly name?: string | undefined;
  /** The namespace of the Lease. @default {ClientConfig.namespace}, else `default` */
  readonly namespace?: string | undefined;
  /** The identity of this process, which no other process may have. @default a random UUID */
  readonly identity?: string | undefined;
  /** Labels that each write of the Lease sets. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Called with the identity of each new leader, this process included. */
  readonly onNewLeader?: ((identity: string) => void) | undefined;
  /**
   * Lets the API server choose the leader by the versions of the candidates. A server without coordinated
   * election leaves the choice to the candidates.
   *
   * @default {the candidates elect the leader among themselves}
   */
  readonly coordinated?: CoordinatedElection | undefined;
  /** Receives the figures of the election. @default none */
  readonly metrics?: ElectionMetrics | undefined;
}

/** Options for {@linkcode createManager}. */
export interface ManagerOptions {
  /** The client of the manager and its operators. It is not closed at the end. */
  readonly client: Client;
  /** The name of the manager in logs, and that of its Lease. @default {"manager"} */
  readonly name?: string | undefined;
  /** The namespaces that operators watch whose sources name none. @default all */
  readonly namespaces?: readonly string[] | undefined;
  /** The cached objects of single kinds. @default whole objects, all that operators and readers want */
  readonly caches?: readonly CacheChoice[] | undefined;
  /** The election of one leader among several replicas. @default none: this process works alone */
  readonly leaderElection?: LeaderElectionOptions | undefined;
  /**
   * The time that each runnable has to be set up, and those of a group to become ready, in milliseconds;
   * `Infinity` for no limit. The caches of operators have the `syncTimeoutMs` of their controllers instead.
   *
   * @default {120_000}
   */
  readonly startTimeoutMs?: number | undefined;
  /**
   * The time that all runnables together have to end after a stop, in milliseconds. 0 waits for none,
   * `Infinity` for ever. Then `run` rejects and names those that have not ended, and the process should
   * end. Reconciler runs are aborted when five sixths of it have passed.
   *
   * @default {30_000}
   */
  readonly gracePeriodMs?: number | undefined;
  /**
   * Whether the server is asked before anything starts that operators and election have the rights that
   * they need, and that the resources of operators are as they describe them. @default {true}
   */
  readonly check?: boolean | undefined;
  /** The server of `/metrics` and `/debug`. @default none */
  readonly metricsServer?: ManagerMetricsServer | undefined;
  /** The server of `/healthz` and `/readyz`. @default none */
  readonly healthServer?: ManagerHealthServer | undefined;
  /** The provider of the controllers' metrics. @default that of the metrics server */
  readonly metrics?: ControllerMetrics | undefined;
  /** The provider of the work queues' metrics. @default that of the metrics server */
  readonly queueMetrics?: MetricsProvider | undefined;
  /** The source of time. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The source of randomness. @default {systemRandom} */
  readonly random?: Random | undefined;
}

/** Options of an operator in a manager. */
export interface AddOperatorOptions
  extends Pick<RunOperatorOptions, "namespace" | "workers" | "gracePeriodMs" | "missingResources"> {
  /**
   * Informers of the operator that the caller starts and stops. @default those of the manager
   */
  readonly informers?: RunOperatorOptions["informers"];
  /**
   * Runs the operator: {@linkcode runOperator}, of the copy of the library that defined the operator.
   *
   * @default {runOperator}
   */
  readonly run?: typeof runOperator | undefined;
}

/**
 * Checks the options of a manager.
 *
 * @throws {TypeError} When the client is missing, or a namespace cannot be.
 * @throws {RangeError} When a duration cannot be.
 */
export function checkManagerOptions(options: ManagerOptions): void {
  const failure = "Cannot create a manager";
  if (!options?.client) {
    throw new TypeError(`${failure} without a client: pass { client: createClient(...) }`);
  }
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
  if (options.namespaces) checkNames(options.namespaces, failure);
}
