import { checkOptionNames, isInstance, type OptionNames } from "@xca/apimachinery/internal/base";
import type { OperatorReport, ReportQuery } from "../controller/ports/operator_report.ts";
import type { Operator } from "../controller/definition/operator_definition.ts";
import type { runOperator, RunOperatorOptions } from "../controller/operator/run_operator.ts";
import type {
  OnceReport,
  OperatorHandle,
  OperatorProgress,
} from "../controller/ports/operator_progress.ts";
import { ELECTION_OPTIONS } from "./leader_election/elector_checks.ts";
import type { LeaderElector } from "./leader_election/leader_elector.ts";
import { createManager } from "./manager.ts";
import type { ManagerHandle } from "./manager_handle.ts";
import type { LeaderElectionOptions } from "./manager_options.ts";
import { RunnableError } from "./runnable_error.ts";

/** Options for {@linkcode runElectedOperator}, which runs an operator while this process leads. */
export interface RunElectedOperatorOptions extends Omit<RunOperatorOptions, "gate" | "startWhen"> {
  /** The options of the leader election. @default all of its defaults */
  readonly leaderElection?: LeaderElectionOptions | undefined;
  /**
   * The {@linkcode runOperator} that runs the operator: that of the copy of the library that
   * defined the operator.
   *
   * @default {runOperator}
   */
  readonly run?: typeof runOperator | undefined;
}

/** A handle on a running operator that takes part in a leader election. */
export interface ElectedOperatorHandle extends OperatorHandle {
  /** The leader elector of this process, which reports the last observed leader. */
  readonly elector: LeaderElector;
}

/** The names of all options of {@linkcode runElectedOperator}. */
const ELECTED_OPTIONS: OptionNames<RunElectedOperatorOptions> = {
  client: true,
  namespace: true,
  workers: true,
  signal: true,
  gracePeriodMs: true,
  informers: true,
  missingResources: true,
  metrics: true,
  queueMetrics: true,
  clock: true,
  random: true,
  leaderElection: ELECTION_OPTIONS,
  run: true,
};

/**
 * Runs an operator in one of several replicas, which elect one leader, and returns a handle on it.
 *
 * - The caches of each replica are in sync before it leads, so that a hand-over takes no list.
 * - A replica that does not lead keeps no keys. When it leads, it reconciles every object of its
 *   caches, as after a start. It does not learn of objects that were deleted before, as in
 *   controller-runtime by default: clean-up that must not be missed needs a finalizer.
 * - Only the reconcilers of the leader run. None of their writes *starts* once the monotonic clock
 *   or the wall clock says that the lease may be lost: the check and the writing of the request to
 *   its connection are one synchronous step, and a write takes at most the time that is left.
 * - At a stop the runs end first; then the lease is released. When the lease is lost the runs are
 *   aborted, and `done` rejects; the process should end then.
 *
 * `ready` resolves when this replica leads and its controllers have started. The client needs get,
 * create and update of `leases.coordination.k8s.io` in the namespace of the Lease, and in a
 * coordinated election get, create, update and delete of `leasecandidates`.
 *
 * @throws {RangeError} When a duration of the election, or the grace period, is not valid.
 * @throws {TypeError} When an option is unknown or invalid, such as the name of the Lease.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap, controllerFor, defineOperator, Lease } from "@xca/operator";
 * import { runElectedOperator } from "@xca/operator/manager";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const operator = defineOperator({
 *   name: "namer",
 *   controllers: [controllerFor(ConfigMap).reconcile(() => {})],
 * });
 * await using running = runElectedOperator(operator, { client });
 * await running.ready;
 * const lease = await client.get(Lease, "default/namer");
 * assert.equal(lease.spec?.holderIdentity, running.elector.leader);
 * ```
 */
export function runElectedOperator(
  operator: Operator,
  options: RunElectedOperatorOptions,
): ElectedOperatorHandle {
  return new ElectedOperator(operator, options);
}

/**
 * The implementation of {@linkcode runElectedOperator}, which runs an operator while this process
 * leads.
 */
class ElectedOperator implements ElectedOperatorHandle {
  readonly elector: LeaderElector;
  readonly ready: Promise<void>;
  readonly done: Promise<void>;
  readonly #operator: OperatorHandle;
  readonly #running: ManagerHandle;

  constructor(operator: Operator, options: RunElectedOperatorOptions) {
    checkOptionNames(`Cannot run operator ${operator.name}`, options, ELECTED_OPTIONS);
    const { leaderElection = {}, signal, client, clock, random, metrics, queueMetrics, ...rest } =
      options;
    const { gracePeriodMs = 30_000, missingResources = "fail", ...own } = rest;
    const ports = { client, clock, random, metrics, queueMetrics };
    const manager = createManager({
      ...ports,
      check: false,
      name: `operator ${operator.name}`,
      gracePeriodMs: Infinity, // The grace period of the runs ends a stop.
      leaderElection: { ...leaderElection, name: leaderElection.name ?? operator.name },
    });
    this.elector = manager.elector!;
    this.#operator = manager.add(operator, { ...own, gracePeriodMs, missingResources });
    this.#running = manager.start({ signal });
    this.ready = this.#operator.ready;
    this.done = this.#running.done.catch((error) => {
      throw isInstance(error, RunnableError) && error.runnable === operator.name
        ? error.cause
        : error;
    });
    this.done.catch(() => {}); // Without a caller of `done`, its rejection must not count as unhandled.
  }

  stop(): Promise<void> {
    this.#running.stop().catch(() => {}); // Its error is that of `done`.
    return this.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  progress(): OperatorProgress {
    return this.#operator.progress();
  }

  report(query?: ReportQuery): OperatorReport {
    return this.#operator.report(query);
  }

  settled(): Promise<OnceReport> {
    return this.#operator.settled();
  }

  idle(): Promise<OnceReport> {
    return this.#operator.idle();
  }
}
