import { type LinkedAbort, linkedAbort, systemRandom } from "@xca/apimachinery/base";
import type { Operator } from "../controller/definition/operator_definition.ts";
import type {
  OnceReport,
  OperatorHandle,
  OperatorProgress,
} from "../controller/ports/operator_progress.ts";
import { runOperator, type RunOperatorOptions } from "../controller/operator/run_operator.ts";
import type { ElectionTiming } from "./leader_election/election_timing.ts";
import {
  type ElectionMetrics,
  LeaderElector,
  type Term,
} from "./leader_election/leader_elector.ts";
import { LeaseGate } from "./leader_election/lease_gate.ts";

/** The election of an operator's leader. */
export interface LeaderElectionOptions extends ElectionTiming {
  /** The name of the Lease. @default the operator's name */
  readonly name?: string | undefined;
  /** The namespace of the Lease. @default {ClientConfig.namespace}, else `default` */
  readonly namespace?: string | undefined;
  /** The identity of this process, which no other process may have. @default a random UUID */
  readonly identity?: string | undefined;
  /** Labels that each write of the Lease sets. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Called with the identity of each new leader, this process included. */
  readonly onNewLeader?: ((identity: string) => void) | undefined;
  /** Receives the figures of the election. @default none */
  readonly metrics?: ElectionMetrics | undefined;
}

/** Options for {@linkcode runElectedOperator}. */
export interface RunElectedOperatorOptions extends Omit<RunOperatorOptions, "gate"> {
  /** The election. @default all of its defaults */
  readonly leaderElection?: LeaderElectionOptions | undefined;
  /**
   * Runs the operator: {@linkcode runOperator}, of the copy of the library that defined the operator.
   *
   * @default {runOperator}
   */
  readonly run?: typeof runOperator | undefined;
}

/** A running operator that takes part in an election. */
export interface ElectedOperatorHandle extends OperatorHandle {
  /** The elector: who leads, and for how long. */
  readonly elector: LeaderElector;
}

/**
 * Runs an operator of which several replicas run, one of them as the leader.
 *
 * - The caches of each replica are in sync before it leads, so that a hand-over takes no list.
 * - The reconcilers of the leader alone run. No write of theirs *starts* once either clock says that the
 *   lease may be lost: the check and the writing of the request to its connection are one synchronous
 *   step, and a write takes at most the time that is left.
 * - At a stop the runs end first; then the lease is released. When the lease is lost the runs are
 *   aborted, and `done` rejects; the process should end then.
 *
 * `ready` resolves when this replica leads. The client needs get, create and update of
 * `leases.coordination.k8s.io` in the namespace of the Lease.
 *
 * @throws {RangeError} When a duration of the election cannot be.
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

/** See {@linkcode runElectedOperator}. */
class ElectedOperator implements ElectedOperatorHandle {
  readonly elector: LeaderElector;
  readonly ready: Promise<void>;
  readonly done: Promise<void>;
  readonly #name: string;
  readonly #operator: OperatorHandle;
  readonly #gate: LeaseGate;
  readonly #stop: LinkedAbort;

  constructor(operator: Operator, options: RunElectedOperatorOptions) {
    const { client, leaderElection = {}, signal, run = runOperator, ...rest } = options;
    const { clock, random = systemRandom } = options;
    this.#name = operator.name;
    this.elector = new LeaderElector({
      ...leaderElection,
      client,
      clock,
      random,
      name: leaderElection.name ?? operator.name,
      namespace: leaderElection.namespace ?? client.config.namespace ?? "default",
      identity: leaderElection.identity ?? random.uuid(),
    });
    this.#gate = new LeaseGate(this.elector.lease);
    this.#operator = run(operator, { ...rest, client, gate: this.#gate });
    this.#stop = linkedAbort({ signals: [signal] });
    this.ready = this.#operator.ready;
    this.done = this.#run();
    this.done.catch(() => {}); // Without a caller of `done`, its rejection must not count as unhandled.
  }

  stop(): Promise<void> {
    this.#stop.abort(new DOMException(`operator ${this.#name} was asked to stop`, "AbortError"));
    return this.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  progress(): OperatorProgress {
    return this.#operator.progress();
  }

  settled(): Promise<OnceReport> {
    return this.#operator.settled();
  }

  idle(): Promise<OnceReport> {
    return this.#operator.idle();
  }

  async #run(): Promise<void> {
    const ended = this.#operator.done.then(() => {}, () => {});
    void ended.then(() => this.#stop.abort(new Error(`operator ${this.#name} has ended`)));
    try {
      await this.elector.run((term) => this.#lead(term), { signal: this.#stop.signal });
    } finally {
      this.#operator.stop().catch(() => {}); // The failure of the operator is thrown below.
      await ended;
      this.#stop[Symbol.dispose]();
    }
    await this.#operator.done;
  }

  /** Works until the term or the operator ends, and returns when all runs have ended. */
  async #lead(term: Term): Promise<void> {
    this.#gate.open(term);
    const ended = this.#operator.done.then(() => {}, () => {});
    await Promise.race([ended, aborted(term.signal)]);
    this.#operator.stop().catch(() => {});
    await ended;
  }
}

/** Resolves when a signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
