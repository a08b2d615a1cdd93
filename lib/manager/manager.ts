// Mirrors sigs.k8s.io/controller-runtime/pkg/manager/internal.go, controllerManager.
import { getLogger } from "@logtape/logtape";
import {
  type Clock,
  errorText,
  type LinkedAbort,
  linkedAbort,
  type Random,
  systemClock,
  systemRandom,
} from "@xca/apimachinery/base";
import { checkOptionNames, isInstance } from "@xca/apimachinery/internal/base";
import type { SharedInformer } from "../cache/informer/shared_informer.ts";
import type { Client } from "../client/typed/client.ts";
import { isOperator, type Operator } from "../controller/definition/operator_definition.ts";
import type { OperatorHandle } from "../controller/ports/operator_progress.ts";
import type { CacheReport } from "../controller/ports/operator_report.ts";
import { chosenOperator } from "./caches/chosen_operator.ts";
import { ManagedCaches } from "./caches/managed_caches.ts";
import { type ManagedReader, OnDemandReader } from "./caches/managed_reader.ts";
import {
  managerHealthServer,
  type ManagerMetrics,
  managerMetrics,
  managerMetricsServer,
} from "./endpoints/manager_servers.ts";
import { electionNeeds, leaseNameOf, MANAGER_NAME } from "../rbac/rules_of.ts";
import { LeaderElector } from "./leader_election/leader_elector.ts";
import { LeadershipLostError } from "./leader_election/leadership_lost_error.ts";
import { LeaseGate } from "./leader_election/lease_gate.ts";
import {
  type AddOperatorOptions,
  checkAdded,
  checkManagerOptions,
  type ManagerOptions,
} from "./manager_options.ts";
import type { ManagerHandle, ManagerHealth } from "./manager_handle.ts";
import type { Runnable } from "./runnable.ts";
import { aborted } from "./run/aborted.ts";
import { ManagedOperator } from "./run/managed_operator.ts";
import type { ManagedRunnable } from "./run/managed_runnable.ts";
import { lateError, settlesWithin } from "./run/grace_period.ts";
import { Names } from "./run/names.ts";
import { StartGate } from "./run/start_gate.ts";
import { checkOperator } from "./setup/operator_check.ts";
import { checkPart } from "./setup/runnable_check.ts";
import { RunnableSet } from "./setup/runnable_set.ts";

const logger = getLogger(["xca", "manager"]);

/** The fraction of the grace period after which the manager aborts reconcile runs. */
const RUNS_SHARE = 5 / 6;

/** The stage of a manager's life; the stages are listed in their order. */
type Stage = "new" | "settingUp" | "starting" | "warm" | "stopping" | "stopped";

/**
 * Creates a manager, which runs operators and other runnables over shared caches and one client.
 *
 * - Everything is set up before anything starts, so that a port in use or a missing right ends the
 *   manager with an error that names the runnable, before any other runs.
 * - Groups start in order, each when all of the one before are ready: servers; webhooks; caches;
 *   others; then, with an election once this replica leads, the reconcilers and other work of the
 *   leader. They stop in the reverse order. The lease is released only after the leader's work has
 *   ended.
 * - The error of one runnable stops all. A kind that the server lacks is no error: its controllers
 *   wait, {@linkcode Manager.health} says so, and the others work.
 *
 * @throws {TypeError} When an option is unknown or invalid, such as the name of the Lease, or the
 * choices of caches contradict each other.
 * @throws {RangeError} When a duration is not valid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap, controllerFor, defineOperator, Secret } from "@xca/operator";
 * import { createManager } from "@xca/operator/manager";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * await client.create(ConfigMap, { metadata: { namespace: "default", name: "web" } });
 *
 * const seen: string[] = [];
 * const operator = defineOperator({
 *   name: "namer",
 *   controllers: [controllerFor(ConfigMap).reconcile(({ key }) => void seen.push(key))],
 * });
 * const manager = createManager({ client, namespaces: ["default"] });
 * const handle = manager.add(operator);
 * await using running = manager.start(); // a program awaits `manager.run({ signal })` instead
 * await handle.settled();
 * assert(seen.includes("default/web"));
 * assert.deepEqual(await manager.cache.list(Secret), []);
 * ```
 */
export function createManager(options: ManagerOptions): Manager {
  return new Manager(options);
}

/**
 * A manager of operators and other runnables in one process; see {@linkcode createManager}.
 *
 * @example a runnable beside the operators
 * ```ts
 * import assert from "node:assert/strict";
 * import { createManager, type Manager } from "@xca/operator/manager";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const manager: Manager = createManager({ client });
 * const seen: string[] = [];
 * manager.add({ name: "once", group: "others", run: () => Promise.resolve(void seen.push("ran")) });
 * await using running = manager.start();
 * await running.ready;
 * assert.deepEqual(seen, ["ran"]);
 * assert(manager.health.ready);
 * ```
 */
export class Manager {
  /** The name of the manager in logs and errors. */
  readonly name: string;
  /** The client of the manager, which the manager does not close. */
  readonly client: Client;
  /** The reader of the manager's caches; it starts informers for kinds that no operator watches. */
  readonly cache: ManagedReader;
  /** The reader that bypasses the caches and reads from the server. */
  readonly apiReader: Pick<Client, "get" | "list">;
  /** The leader elector of the manager; `undefined` without an election. */
  readonly elector: LeaderElector | undefined;
  readonly #options: ManagerOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #gracePeriodMs: number;
  readonly #startTimeoutMs: number;
  readonly #caches: ManagedCaches;
  readonly #metrics: ManagerMetrics | undefined;
  readonly #reader: OnDemandReader;
  readonly #gate: LeaseGate | undefined;
  readonly #startGate = new StartGate();
  readonly #names = new Names();
  readonly #operators = new Set<OperatorHandle>();
  readonly #stop: LinkedAbort = linkedAbort();
  readonly #runnables: RunnableSet;
  readonly #started = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  #failure: { readonly error: unknown } | undefined;
  #electing: Promise<void> | undefined;
  #stage: Stage = "new";

  /** Creates a manager; see {@linkcode createManager}. */
  constructor(options: ManagerOptions) {
    checkManagerOptions(options);
    const { client, name = MANAGER_NAME, clock = systemClock, random = systemRandom } = options;
    this.name = name;
    this.client = client;
    this.apiReader = client;
    this.#options = options;
    this.#clock = clock;
    this.#random = random;
    this.#gracePeriodMs = options.gracePeriodMs ?? 30_000;
    this.#startTimeoutMs = options.startTimeoutMs ?? 120_000;
    const metrics = options.metricsServer &&
      { ...options.metricsServer, metrics: options.metricsServer.metrics ?? managerMetrics() };
    this.#metrics = metrics?.metrics;
    const { leaderElection: election, namespaces, caches: choices = [] } = options;
    this.#caches = new ManagedCaches({ client, choices, namespaces, clock, random });
    this.cache = this.#reader = new OnDemandReader(this.#caches, clock);
    if (election) {
      this.elector = new LeaderElector({
        ...election,
        metrics: election.metrics ?? this.#metrics?.election,
        client,
        clock,
        random,
        name: leaseNameOf(options),
        namespace: election.namespace ?? client.config.namespace ?? "default",
        identity: election.identity ?? random.uuid(),
      });
      this.#gate = new LeaseGate(this.elector.lease);
    }
    this.#runnables = new RunnableSet({
      client: options.check === false ? undefined : client,
      timeoutMs: this.#startTimeoutMs,
      signal: this.#stop.signal,
      clock,
      onFailure: (error) => this.#fail(error),
    });
    this.#take(this.#caches);
    if (metrics) this.#take(managerMetricsServer(this, metrics, clock));
    const { healthServer } = options;
    if (healthServer) this.#take(managerHealthServer(this, healthServer, clock));
    // Without a caller of these promises, their rejections must not count as unhandled.
    for (const { promise } of [this.#started, this.#ready]) promise.catch(() => {});
  }

  /**
   * Adds an operator, which shares informers with other operators, also while the manager runs. The
   * returned handle can stop it alone; its name and its controllers' are free once it has ended.
   *
   * @throws {RangeError} When `workers` or `gracePeriodMs` is out of range.
   * @throws {TypeError} When its name or that of a controller is in use, an option is wrong, or its
   * sources and the manager's cache choices exclude each other.
   * @throws {Error} When the manager stops or has stopped.
   */
  add(operator: Operator, options?: AddOperatorOptions): OperatorHandle;
  /**
   * Adds a runnable, also while the manager runs: the manager then sets it up and starts it at
   * once.
   *
   * @throws {TypeError} When the name of the runnable is empty or in use, the runnable has no
   * `run`, or its group does not exist.
   * @throws {Error} When the manager stops or has stopped.
   */
  add(runnable: Runnable): void;
  add(added: Operator | Runnable, options: AddOperatorOptions = {}): OperatorHandle | void {
    const isLate = this.#stage === "stopping" || this.#stage === "stopped";
    if (isLate) throw new Error(`Cannot add ${added?.name} to ${this.name}: it has been stopped`);
    if (!isOperator(added)) return void this.#take(added);
    checkAdded(added, options, this.client);
    this.#names.checkOperator(added);
    const managed = this.#operator(added, options);
    this.#names.addControllers(added);
    const taken = this.#take(managed);
    const { handle } = managed;
    this.#operators.add(handle);
    const forget = (): void => {
      this.#operators.delete(handle);
      this.#names.removeOperator(added);
      this.#runnables.remove(taken);
    };
    handle.done.then(forget, forget);
    return handle;
  }

  /** The manager's operators that have not stopped. */
  get operators(): readonly OperatorHandle[] {
    return [...this.#operators];
  }

  /** The present informers of the manager, for metrics and reports. */
  get informers(): readonly SharedInformer[] {
    return this.#caches.informers;
  }

  /** The reports on the caches of the manager's informers, as `/debug` shows them. */
  get cacheReports(): readonly CacheReport[] {
    return this.#caches.reports;
  }

  /** Returns the first problem of a running runnable, as `name: problem`; `undefined` for none. */
  runnableProblem(signal: AbortSignal): Promise<string | undefined> {
    return this.#runnables.problem(signal);
  }

  /** The state of the manager, for readiness checks and for users. */
  get health(): ManagerHealth {
    const caches = this.#caches.health;
    const isStarted = this.#stage === "warm";
    return {
      ready: isStarted && caches.every((each) => !each.required || each.condition === "synced"),
      stage: this.#stage,
      leads: this.elector ? this.elector.isLeader : isStarted,
      leader: this.elector?.leader ?? "",
      caches,
    };
  }

  /**
   * Runs the manager until the signal is aborted, then stops all in order and resolves. Runs once.
   *
   * @throws {RunnableError} When a runnable cannot be set up, does not start in time, or fails.
   * @throws {LeadershipLostError} When the lease was lost; the process should end then.
   * @throws {Error} When runnables outlast the grace period; the process should end then. Also when
   * the manager was run before.
   */
  async run(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    checkOptionNames(`Cannot run ${this.name}`, options, { signal: true });
    const { signal } = options;
    if (this.#stage !== "new") {
      throw new Error(`Cannot run ${this.name} twice; create another manager`);
    }
    const stop = (): void => this.#stop.abort(signal!.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      await this.#work();
    } catch (error) {
      if (isInstance(error, LeadershipLostError)) this.#failure ??= { error };
      this.#fail(error);
    } finally {
      signal?.removeEventListener("abort", stop);
      await this.#end();
    }
    if (this.#failure) throw this.#failure.error;
  }

  /** Starts {@linkcode Manager.run}, and returns a handle on the running manager. */
  start(options: { readonly signal?: AbortSignal | undefined } = {}): ManagerHandle {
    const done = this.run(options);
    // A run that fails at once, such as a second one, settles neither promise of the manager.
    const started = Promise.race([this.#started.promise, done]);
    const ready = Promise.race([this.#ready.promise, done]);
    // Without a caller of these promises, their rejections must not count as unhandled.
    for (const each of [done, started, ready]) each.catch(() => {});
    const stop = (): Promise<void> => {
      this.#stop.abort(new DOMException(`${this.name} was asked to stop`, "AbortError"));
      return done;
    };
    return { started, ready, done, stop, [Symbol.asyncDispose]: stop };
  }

  #operator(operator: Operator, options: AddOperatorOptions): ManagedOperator {
    const { informers, gracePeriodMs, ...given } = options;
    const { choices, namespaces } = this.#caches;
    const own = options.namespace === undefined ? namespaces : [options.namespace];
    const chosen = informers ? operator : chosenOperator(operator, choices, own);
    const use = informers ? undefined : this.#caches.use();
    const { client, check = true } = this.#options;
    const { metrics = this.#metrics?.controllers, queueMetrics = this.#metrics?.queues } =
      this.#options;
    const clock = this.#clock;
    try {
      return new ManagedOperator(chosen, {
        ...given,
        missingResources: given.missingResources ?? "wait",
        client,
        metrics,
        queueMetrics,
        clock,
        random: this.#random,
        informers: informers ?? use,
        gate: this.#gate ?? this.#startGate,
        gracePeriodMs: gracePeriodMs ?? this.#gracePeriodMs * RUNS_SHARE,
        check: check
          ? (signal) => checkOperator(chosen, { client, namespaces: own, signal, clock })
          : undefined,
        onStopped: () => use?.[Symbol.dispose](),
      });
    } catch (error) {
      use?.[Symbol.dispose]();
      throw error;
    }
  }

  #take(runnable: Runnable): ManagedRunnable {
    this.#names.addRunnable(runnable);
    return this.#runnables.add(runnable);
  }

  #fail(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.#failure ??= { error };
    // An error of the set-up is that of `run` alone: nothing has started.
    if (this.#stage !== "settingUp") {
      logger.error("{manager} stops: {error}", { manager: this.name, error: errorText(error) });
    }
    this.#stop.abort(error);
  }

  async #work(): Promise<void> {
    const { signal } = this.#stop;
    signal.throwIfAborted();
    this.#stage = "settingUp";
    await this.#setUp(signal);
    this.#stage = "starting";
    this.#started.resolve();
    const { servers, webhooks, caches, others, leader } = this.#runnables.groups;
    const limit = { timeoutMs: this.#startTimeoutMs, signal, clock: this.#clock };
    await servers.start(limit);
    // Before the caches: a list of objects may need the converter of their kind.
    await webhooks.start(limit);
    leader.warmUp();
    this.#reader.open(signal);
    // The caches have the deadlines of the controllers that need them.
    await caches.start({ ...limit, timeoutMs: Infinity });
    await others.start(limit);
    this.#stage = "warm";
    if (this.elector) await this.#elect(this.elector, signal);
    else {
      this.#startGate.open();
      await leader.start(limit);
      this.#ready.resolve();
      await aborted(signal);
    }
  }

  /** Sets up all runnables before any starts, including those that are added meanwhile. */
  async #setUp(signal: AbortSignal): Promise<void> {
    if (this.elector && this.#options.check !== false) {
      const [namespace = "", name = ""] = this.elector.lease.split("/");
      const coordinated = this.#options.leaderElection?.coordinated !== undefined;
      const needs = electionNeeds({ namespace, name, coordinated });
      await checkPart("the leader election", needs, this.client, signal);
    }
    await this.#runnables.setUp();
  }

  /**
   * Takes part in the election until the stop; runs the leader's group while this process leads.
   * Does not wait for the end of that group after a stop or the loss of the lease, since the grace
   * period applies to that end.
   */
  async #elect(elector: LeaderElector, signal: AbortSignal): Promise<void> {
    const { leader } = this.#runnables.groups;
    this.#electing = elector.run(async (term) => {
      this.#gate!.open(term);
      const limit = { timeoutMs: this.#startTimeoutMs, signal: term.signal, clock: this.#clock };
      try {
        await leader.start(limit);
        this.#ready.resolve();
        await aborted(term.signal);
      } catch (error) {
        if (!term.signal.aborted) this.#fail(error);
      }
      const { reason } = term.signal;
      if (isInstance(reason, LeadershipLostError)) this.#fail(reason);
      await leader.stop(reason); // The lease is released after this.
    }, { signal });
    await Promise.race([this.#electing, aborted(signal)]);
  }

  async #end(): Promise<void> {
    this.#stage = "stopping";
    const reason = this.#stop.signal.reason ?? new Error(`${this.name} has ended`);
    this.#stop.abort(reason);
    for (const each of [this.#started, this.#ready]) each.reject(this.#failure?.error ?? reason);
    const stopped = this.#stopInOrder(reason);
    if (this.#gracePeriodMs === Infinity) await stopped;
    else await this.#stopInTime(stopped, reason);
    this.#stage = "stopped";
    this.#stop[Symbol.dispose]();
  }

  /** Stops the groups of runnables in reverse order. Never rejects. */
  async #stopInOrder(reason: unknown): Promise<void> {
    // The lease may be lost while the work of the leader ends.
    await this.#electing?.catch((error) => {
      if (isInstance(error, LeadershipLostError)) this.#failure ??= { error };
    });
    await this.#runnables.stop(reason);
  }

  async #stopInTime(stopped: Promise<void>, reason: unknown): Promise<void> {
    const timeMs = this.#gracePeriodMs;
    if (timeMs > 0 && await settlesWithin(stopped, timeMs, this.#clock)) return;
    // A group that waits for the runnables that hang has not begun to end.
    const late = this.#runnables.ending;
    this.#runnables.abort(reason);
    if (timeMs > 0) this.#failure ??= { error: lateError(this.name, timeMs, late) };
  }
}
