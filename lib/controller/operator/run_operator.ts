import { getLogger } from "@logtape/logtape";
import {
  type Clock,
  delay,
  type LinkedAbort,
  linkedAbort,
  type Random,
  systemClock,
  systemRandom,
} from "@xca/apimachinery/base";
import { InformerFactory } from "../../cache/informer/informer_factory.ts";
import type { EventRecorder } from "../../events/event_recorder.ts";
import { recorderOf } from "../run/recorder_of.ts";
import type { Client } from "../../client/typed/client.ts";
import type { MetricsProvider } from "@xca/apimachinery/workqueue";
import { cacheReport } from "../sources/cache_report.ts";
import { hasCaughtUp, type ServerState, serverStateOf } from "../sources/cache_lag.ts";
import { checkRun } from "./run_checks.ts";
import { Controller } from "../run/controller.ts";
import type { ControllerMetrics } from "../ports/controller_metrics.ts";
import type { Informers } from "../ports/informers.ts";
import type { Operator } from "../definition/operator_definition.ts";
import { ResourceGuard } from "./resource_guard.ts";
import type { WriteGate } from "../ports/write_gate.ts";
import type { OnceReport, OperatorHandle, OperatorProgress } from "../ports/operator_progress.ts";
import type { OperatorReport, ReportQuery } from "../ports/operator_report.ts";

/** Options of {@linkcode runOperator}, which runs an operator in this process. */
export interface RunOperatorOptions {
  /** The client of the operator, which `runOperator` does not close. */
  readonly client: Client;
  /**
   * The namespace that the operator watches, except for sources with `namespaces` of their own.
   *
   * @default all namespaces
   */
  readonly namespace?: string | undefined;
  /**
   * The number of workers of each controller.
   *
   * @default the number of the controller's own options
   */
  readonly workers?: number | undefined;
  /** The signal that stops the operator, as {@linkcode OperatorHandle.stop} does. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The time that reconcile runs have to end after a stop, in milliseconds. After that time their
   * signals are aborted; with `Infinity` a stop aborts none. There is no grace period once the gate
   * is closed.
   *
   * @default {30_000}
   */
  readonly gracePeriodMs?: number | undefined;
  /**
   * The provider of shared informers, which the caller starts and stops, and which must watch
   * `namespace`.
   *
   * @default informers of the operator's own
   */
  readonly informers?: Informers | undefined;
  /**
   * The gate that decides when the operator may reconcile and write, such as leader election: the
   * caches sync, then runs start when the gate opens, and each write passes the gate.
   *
   * @default {none}
   */
  readonly gate?: WriteGate | undefined;
  /**
   * A function that delays the operator's start: until its promise resolves, nothing is requested,
   * listed or watched. An error that it throws, or with which its promise rejects, ends the
   * operator.
   *
   * @default starts at once
   */
  readonly startWhen?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /**
   * The reaction of a controller whose resource the server still lacks when `syncTimeoutMs` is
   * over: `fail` ends the operator, `wait` logs a warning and continues to wait, while the other
   * controllers work.
   *
   * @default {"fail"}
   */
  readonly missingResources?: "fail" | "wait" | undefined;
  /** The port that receives the controllers' metrics. @default none */
  readonly metrics?: ControllerMetrics | undefined;
  /** The provider of the metrics that the controllers' work queues update. @default none */
  readonly queueMetrics?: MetricsProvider | undefined;
  /** The clock of the operator. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The random number source of the operator. @default {systemRandom} */
  readonly random?: Random | undefined;
}

/**
 * Runs the controllers of an operator, and returns the operator's handle at once: starts one cache
 * per resource, namespace and selectors, shared by all controllers, and each controller as soon as
 * its caches have synced. When one controller cannot start, all stop. Webhooks are not served, and
 * CustomResourceDefinitions not installed.
 *
 * A manager (`createManager` of `@xca/operator/manager`) runs each of its operators by this
 * function, and adds checks of rights before the start, leader election, servers of metrics and
 * health, and caches that operators share. Programs use a manager; the function alone is for tests,
 * and for programs with one operator that need none of these additions.
 *
 * The operator's resources are compared with the server's discovery: a wrong kind, scope or plural
 * fails the start with a {@linkcode ResourceMismatchError}. The operator waits for a resource that
 * the server does not serve yet, and compares it then. When discovery fails or is forbidden, a
 * warning says that resources were not compared.
 *
 * At a stop the controllers end first, then the recorders of events write their last events, then
 * the caches end.
 *
 * @throws {RangeError} When an option is out of range.
 * @throws {TypeError} When `operator` was not made by {@linkcode defineOperator}, `client` is
 * missing, an option is unknown or of the wrong type, or two sources of a controller declare one
 * index differently or have different transforms.
 *
 * @example on one ConfigMap, from a server in memory
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap, controllerFor, createClient, defineOperator, runOperator } from "@xca/operator";
 *
 * const map = { metadata: { namespace: "default", name: "web", uid: "1", resourceVersion: "1" } };
 * const annotations = { "k8s.io/initial-events-end": "true" };
 * const events = [
 *   { type: "ADDED", object: map },
 *   { type: "BOOKMARK", object: { metadata: { resourceVersion: "1", annotations } } },
 * ];
 * const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
 * const fetch = () => Promise.resolve(new Response(lines));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 *
 * const seen: string[] = [];
 * const operator = defineOperator({
 *   name: "namer",
 *   controllers: [controllerFor(ConfigMap).reconcile(({ key }) => void seen.push(key))],
 * });
 * await using running = runOperator(operator, { client });
 * await running.settled(); // a program that runs on awaits `running.done` instead
 * assert.deepEqual(seen, ["default/web"]);
 * ```
 */
export function runOperator(operator: Operator, options: RunOperatorOptions): OperatorHandle {
  checkRun(operator, options);
  return new RunningOperator(operator, options);
}

/**
 * The interval at which {@linkcode OperatorHandle.idle} checks the caches and the controllers, in
 * milliseconds.
 */
const IDLE_POLL_MS = 10;

/**
 * The implementation of {@linkcode OperatorHandle}: a running operator, as {@linkcode runOperator}
 * returns it.
 */
class RunningOperator implements OperatorHandle {
  readonly ready: Promise<void>;
  readonly done: Promise<void>;
  readonly #name: string;
  readonly #stop: LinkedAbort;
  readonly #controllers: readonly Controller[];
  /** The recorders of events, one per controller. */
  readonly #recorders: EventRecorder[] = [];
  /** The informer factory of the operator's own caches; absent when the caller passed informers. */
  readonly #factory: InformerFactory | undefined;
  readonly #guard: ResourceGuard;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #startWhen: RunOperatorOptions["startWhen"];
  readonly #settled = Promise.withResolvers<OnceReport>();
  #asksSettled = false;

  constructor(operator: Operator, options: RunOperatorOptions) {
    const { signal, clock = systemClock, random = systemRandom, namespace, informers } = options;
    this.#name = operator.name;
    this.#client = options.client;
    this.#clock = clock;
    this.#startWhen = options.startWhen;
    if (!informers) {
      this.#factory = new InformerFactory(options.client, { namespace, clock, random });
    }
    this.#guard = new ResourceGuard({ operator, client: options.client, clock });
    const ports = {
      ...options,
      verify: (signal: AbortSignal) => this.#guard.verify(signal),
      clock,
      random,
      informers: informers ?? this.#factory!,
      onChange: () => this.#changed(),
    };
    this.#controllers = operator.controllers.map((each) => {
      const events = recorderOf(each, ports);
      this.#recorders.push(events);
      return new Controller(each, { ...ports, events });
    });
    this.#stop = linkedAbort({ signals: [signal] });
    this.done = this.#run();
    this.ready = Promise.all(this.#controllers.map(({ ready }) => ready)).then(() => {});
    // Without a caller of these promises, their rejections must not count as unhandled.
    for (const each of [this.done, this.ready, this.#settled.promise]) each.catch(() => {});
  }

  stop(): Promise<void> {
    this.#stop.abort(new DOMException(`operator ${this.#name} was asked to stop`, "AbortError"));
    return this.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  progress(): OperatorProgress {
    const all = this.#controllers.map((controller) => controller.progress());
    const sum = (count: (each: OperatorProgress) => number): number =>
      all.reduce((total, each) => total + count(each), 0);
    return {
      initialKeys: sum((each) => each.initialKeys),
      ran: sum((each) => each.ran),
      queued: sum((each) => each.queued),
      processing: sum((each) => each.processing),
      delayed: sum((each) => each.delayed),
      failing: all.flatMap((each) => each.failing),
      stuck: all.flatMap((each) => each.stuck),
    };
  }

  report({ controller, key }: ReportQuery = {}): OperatorReport {
    const nowMs = this.#clock.monotonicMs();
    const wanted = this.#controllers.filter(({ name }) => !controller || name === controller);
    const views = new Map(
      wanted.flatMap((each) => each.views).map((view) => [view.informer, view]),
    );
    return {
      operator: this.#name,
      controllers: wanted.map((each) => each.report(key)),
      caches: [...views.values()].map((view) => cacheReport(view, nowMs)),
    };
  }

  settled(): Promise<OnceReport> {
    this.#asksSettled = true;
    this.#changed();
    return this.#settled.promise;
  }

  idle(): Promise<OnceReport> {
    const idle = this.#whenIdle();
    idle.catch(() => {}); // The caller may have stopped the operator instead of awaiting the promise.
    return idle;
  }

  async #whenIdle(): Promise<OnceReport> {
    const { signal } = this.#stop;
    try {
      await this.ready;
      while (true) {
        const before = this.#turns();
        const views = new Set(this.#controllers.flatMap((each) => each.views));
        const states = await Promise.all(
          [...views].map((view) => serverStateOf(this.#client, view, signal)),
        );
        while (!this.#isIdle(states)) await delay(IDLE_POLL_MS, { clock: this.#clock, signal });
        if (this.#turns() === before) return this.#report();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      throw this.#stoppedEarly(signal.reason);
    }
  }

  #isIdle(states: readonly ServerState[]): boolean {
    return states.every(hasCaughtUp) &&
      this.#controllers.every((each) => each.hasHeardAll && each.settled);
  }

  #turns(): number {
    return this.#controllers.reduce((total, { turns }) => total + turns, 0);
  }

  #report(): OnceReport {
    const { initialKeys, failing } = this.progress();
    const scheduled = this.#controllers.flatMap((each) => each.scheduled());
    return { initialKeys, failed: failing, scheduled };
  }

  #stoppedEarly(cause: unknown): Error {
    return new Error(`Operator ${this.#name} stopped before everything was done`, { cause });
  }

  #changed(): void {
    if (!this.#asksSettled || !this.#controllers.every((each) => each.settled)) return;
    this.#settled.resolve(this.#report());
  }

  async #run(): Promise<void> {
    const log = getLogger(["xca", "controller"]);
    const operator = this.#name;
    const caches = new AbortController();
    let failure: { readonly error: unknown } | undefined;
    const fail = (error: unknown): void => {
      failure ??= { error };
      this.#stop.abort(error);
    };
    const { signal } = this.#stop;
    // A stop also ends the comparison with discovery, which is not a failure.
    const failUnlessStopped = (error: unknown): void => signal.aborted ? undefined : fail(error);
    try {
      await this.#startWhen?.(signal);
    } catch (error) {
      failUnlessStopped(error);
    }
    const isStarted = !signal.aborted;
    if (isStarted) log.info("Operator {operator} starts", { operator });
    if (isStarted) this.#guard.begin(signal).catch(failUnlessStopped);
    const runs = this.#controllers.map((each) => each.run(signal).catch(fail));
    // An operator of webhooks alone runs until it is stopped, too.
    if (runs.length === 0) await aborted(signal);
    const ended = this.#runCaches(caches.signal).catch(fail);
    await Promise.all(runs);
    await Promise.all(this.#recorders.map((each) => each.close()));
    caches.abort(new DOMException(`operator ${operator} has stopped`, "AbortError"));
    await ended;
    const cause = failure?.error ?? this.#stop.signal.reason;
    this.#settled.reject(this.#stoppedEarly(cause));
    this.#stop[Symbol.dispose]();
    if (isStarted) log.info("Operator {operator} has stopped", { operator });
    if (failure) throw failure.error;
  }

  /**
   * Runs the operator's own caches. A cache that ends by itself fails the operator, whose
   * controllers would see no changes.
   */
  async #runCaches(signal: AbortSignal): Promise<void> {
    if (!this.#factory || this.#controllers.length === 0 || this.#stop.signal.aborted) return;
    this.#factory.start(signal);
    await this.#factory.done;
    if (!signal.aborted) {
      throw new Error(`The caches of operator ${this.#name} ended by themselves`);
    }
  }
}

/** Returns a promise that resolves when the signal is aborted, at once if it is already. */
function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
