import type { Clock } from "@xca/apimachinery/base";
import type { SharedInformer } from "../../cache/informer/shared_informer.ts";
import type { RestCalls } from "../../client/calls/rest.ts";
import type { OperatorHandle } from "../../controller/ports/operator_progress.ts";
import type { CacheReport } from "../../controller/ports/operator_report.ts";
import type { DebugSource } from "../debug/debug_source.ts";
import { type DebugElector, operatorDebugSources } from "../debug/operator_sources.ts";
import {
  cacheSyncCheck,
  type CheckedInformer,
  type HealthCheck,
  leaderElectionCheck,
  ping,
  watchHealthCheck,
} from "../health/health_check.ts";
import { healthServer, type HealthServerOptions } from "../health/health_server.ts";
import type { LeaderElector } from "../leader_election/leader_elector.ts";
import type { ManagerHealth } from "../manager_handle.ts";
import { informerMetrics } from "../metrics/informer_metrics.ts";
import { type OperatorMetrics, operatorMetrics } from "../metrics/operator_metrics.ts";
import { MetricsRegistry } from "../metrics/registry.ts";
import type { RunnableServer } from "./endpoint_server.ts";
import { metricsServer, type MetricsServerOptions } from "./metrics_server.ts";

/** The metrics providers of a process, and the registry in which they record. */
export interface ManagerMetrics extends OperatorMetrics {
  /** The registry of the process's metrics. */
  readonly registry: MetricsRegistry;
}

/**
 * Returns a new registry with the metrics of controllers, queues, requests, election, certificates
 * and webhooks, and their providers. Pass the field `client` to the client of a manager, and the
 * whole object to the option `metricsServer.metrics` of the manager.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createManager, managerMetrics } from "@xca/operator/manager";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * const metrics = managerMetrics();
 * using client = clientOf(server, { metrics: metrics.client });
 * const metricsServer = { bindAddress: "127.0.0.1:0", metrics };
 * await using running = createManager({ client, metricsServer }).start();
 * await running.ready;
 * assert.match(metrics.registry.text(), /^process_cpu_seconds_total /m);
 * ```
 */
export function managerMetrics(): ManagerMetrics {
  const registry = new MetricsRegistry();
  return { registry, ...operatorMetrics(registry) };
}

/**
 * The options of a manager's metrics server, which uses the manager's client and clock. By default
 * its certificate metrics are those of `metrics`; the sources of `debug` come in addition to the
 * manager's own.
 */
export interface ManagerMetricsServer
  extends Omit<MetricsServerOptions, "registry" | "client" | "clock"> {
  /**
   * The metrics that the server exposes: a registry and its providers.
   *
   * @default new ones, without those of the client's requests
   */
  readonly metrics?: ManagerMetrics | undefined;
  /**
   * The memory budget of the cached objects, in bytes; above it `/debug/caches` has advice. No
   * object is refused or dropped.
   *
   * @default none
   */
  readonly cacheBudgetBytes?: number | undefined;
}

/**
 * The options of a manager's health server. `/healthz` also checks the election, and `/readyz` that
 * the groups before the leader's have started, that the caches of the operators are complete, that
 * none of their watches has failed for long, that no runnable has a problem, and that this process
 * leads or observes a leader. A check of `live` or `ready` must not have the name of one of these: `ping` and
 * `leaderElection`, or `started`, `caches`, `watches`, `runnables` and `leader`.
 */
export type ManagerHealthServer = Omit<HealthServerOptions, "clock">;

/** The members of a manager that its servers report on. */
export interface ReportedManager {
  /** The client that sends the access reviews for the metrics server. */
  readonly client: RestCalls;
  /** The leader elector of the manager; absent without an election. */
  readonly elector:
    | Parameters<typeof leaderElectionCheck>[0]
      & DebugElector
      & Pick<
        LeaderElector,
        "candidateProblem"
      >
    | undefined;
  /** The manager's operators that have not stopped. */
  readonly operators: readonly OperatorHandle[];
  /** The present informers of the manager. */
  readonly informers: readonly SharedInformer[];
  /** The reports on the caches of the manager's informers. */
  readonly cacheReports: readonly CacheReport[];
  /** The health of the manager. */
  readonly health: ManagerHealth;
  /** Returns the first problem of a running runnable, as `name: problem`; `undefined` for none. */
  runnableProblem(signal: AbortSignal): Promise<string | undefined>;
}

/**
 * Returns the metrics server of a manager, and registers the metrics of its informers.
 *
 * @throws {TypeError} When its address cannot be parsed, or two sources of `/debug` have one name.
 * @throws {RangeError} When the budget of the caches is not a positive number.
 */
export function managerMetricsServer(
  manager: ReportedManager,
  { metrics, debug = [], cacheBudgetBytes, ...options }: ManagerMetricsServer & {
    readonly metrics: ManagerMetrics;
  },
  clock: Clock,
): RunnableServer {
  informerMetrics(metrics.registry, () => manager.informers, { clock });
  return metricsServer({
    ...options,
    certificateMetrics: options.certificateMetrics ?? metrics.certificates,
    registry: metrics.registry,
    client: manager.client,
    debug: [
      managerSection(manager),
      ...operatorDebugSources({
        operators: () => manager.operators,
        elector: manager.elector,
        caches: () => manager.cacheReports,
        cacheBudgetBytes,
      }),
      ...debug,
    ],
    clock,
  });
}

/**
 * The time beyond the lease duration for which a candidate may observe no leader before it is not
 * ready, in milliseconds.
 */
const CANDIDATE_TOLERANCE_MS = 20_000;

/**
 * Returns the health server of a manager.
 *
 * @throws {TypeError} When its address cannot be parsed, or a check of `live` or `ready` has the
 * name of one of the manager's own.
 */
export function managerHealthServer(
  manager: ReportedManager,
  { live, ready, ...options }: ManagerHealthServer,
  clock: Clock,
): RunnableServer {
  const { elector } = manager;
  const informers = (): readonly CheckedInformer[] =>
    manager.health.caches.filter(({ required }) => required)
      .map(({ informer, watch }) => ({ name: informer, health: watch }));
  return healthServer({
    ...options,
    live: joined("/healthz", live, {
      ping,
      ...(elector && { leaderElection: leaderElectionCheck(elector) }),
    }),
    ready: joined("/readyz", ready, {
      started: () => {
        const { stage } = manager.health;
        return stage === "warm" ? undefined : `the manager is at the stage ${stage}`;
      },
      caches: cacheSyncCheck(informers),
      watches: watchHealthCheck(informers, { clock }),
      runnables: (signal) => manager.runnableProblem(signal),
      ...(elector && { leader: () => elector.candidateProblem(CANDIDATE_TOLERANCE_MS) }),
    }),
    clock,
  });
}

/**
 * Returns the manager's own checks of one path and those of the user.
 *
 * @throws {TypeError} When a check of the user has the name of one of the manager's, which it would
 * replace.
 */
function joined(
  path: string,
  ofUser: Readonly<Record<string, HealthCheck>> = {},
  own: Readonly<Record<string, HealthCheck>>,
): Readonly<Record<string, HealthCheck>> {
  const taken = Object.keys(ofUser).find((name) => Object.hasOwn(own, name));
  if (taken === undefined) return { ...own, ...ofUser };
  throw new TypeError(
    `Cannot add the check ${taken} of ${path}: the manager has a check of that name; give it ` +
      `another one than ${Object.keys(own).join(", ")}`,
  );
}

/**
 * Returns the source of the section of `/debug` about a manager: its stage, its leader and the
 * condition of its caches.
 */
function managerSection(manager: ReportedManager): DebugSource {
  return {
    name: "manager",
    report: () => {
      const { caches, ...health } = manager.health;
      return { ...health, caches: caches.map(({ watch: _, ...cache }) => cache) };
    },
  };
}
