import { getLogger, type Logger } from "@logtape/logtape";
import {
  type Clock,
  errorText,
  type Random,
  systemClock,
  systemRandom,
} from "@xca/apimachinery/base";
import { LiveList, TimeoutQueue } from "@xca/apimachinery/internal/base";
import { type ObjectKey, parseKey } from "@xca/apimachinery/meta";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import type { KeyLease, RateLimitingQueue } from "@xca/apimachinery/workqueue";
import { type SyncingSource, waitForSync, type WaitForSyncOptions } from "../sources/cache_sync.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import {
  checkControllerOptions,
  type CheckedControllerOptions,
  controllerOptionsOf,
} from "../definition/controller_options.ts";
import { type ActiveRun, logHotLoop, logSlow, logStuck } from "./active_run.ts";
import { controllerQueue } from "./controller_queue.ts";
import { progressOf, scheduledOf } from "./controller_progress.ts";
import { controllerReport, type ReportState } from "./controller_report.ts";
import type { ControllerPorts } from "../ports/controller_ports.ts";
import { EventIntake } from "../sources/event_intake.ts";
import { ExternalSources } from "../sources/external_sources.ts";
import { GracefulEnd } from "./graceful_end.ts";
import { HotLoops } from "./hot_loops.ts";
import { KeyHistories } from "./key_histories.ts";
import { KeyBook, retryPauseMs } from "./key_book.ts";
import { decideNextRun, type NextRunPorts } from "./next_run.ts";
import type { ControllerReport } from "../ports/operator_report.ts";
import type { OperatorProgress, ScheduledKey } from "../ports/operator_progress.ts";
import { reconcileContext } from "./reconcile_context.ts";
import { firstTimeoutMs, type Outcome, ReconcileRun } from "./reconcile_run.ts";
import { FailureLog } from "../log/run_log.ts";
import { RunMetrics } from "./run_metrics.ts";
import { RunTracing } from "../tracing/run_tracing.ts";
import { type Trigger, triggerEvent, triggerPriority } from "../sources/trigger.ts";
import { cacheReaderOf, type View, type Views, viewsOf } from "../sources/view.ts";
import { WorkerSlice } from "./worker_slice.ts";
import type { WriteGate } from "../ports/write_gate.ts";
import { WriteLedger } from "../writes/write_ledger.ts";

/**
 * The runtime of one {@linkcode ControllerDefinition}: turns events into keys, keys into runs, and
 * outcomes into further work for the queue.
 *
 * - No run starts before every source has delivered its initial objects.
 * - A key never has two runs at once. A change during a run leads to another run after it.
 * - An event may run a failing key before its retry is due, but not within a second of the failure,
 *   so that a run that writes an object it watches and then fails does not drive itself.
 * - Keys of changes go before keys of first lists and resyncs, which have a low priority.
 * - A key whose runs cause each other, without a foreign change, is reported and slowed.
 * - A run that ignores its aborted signal for longer than the abort grace period is stuck: its
 *   worker takes other keys, its own key waits for it, and it is counted and reported until it
 *   settles.
 */
export class Controller {
  /** The name of the controller. */
  readonly name: string;
  readonly #definition: ControllerDefinition;
  readonly #ports: ControllerPorts;
  readonly #options: CheckedControllerOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: Logger;
  readonly #nextRuns: NextRunPorts;
  readonly #queue: RateLimitingQueue<ObjectKey>;
  readonly #book = new KeyBook();
  readonly #histories = new KeyHistories();
  readonly #loops: HotLoops;
  readonly #intake: EventIntake;
  readonly #external: ExternalSources;
  readonly #active = new LiveList<ActiveRun>();
  readonly #views: Views;
  readonly #cache: CacheReader;
  readonly #ledger: WriteLedger;
  readonly #metrics: RunMetrics;
  readonly #tracing: RunTracing;
  readonly #end: GracefulEnd;
  /** The first timeouts of the runs; `undefined` when runs have none. */
  readonly #firstTimeouts: TimeoutQueue | undefined;
  readonly #ready = Promise.withResolvers<void>();
  #sources: readonly SyncingSource[] = [];
  #turns = 0;
  #state: "new" | "syncing" | "working" | "stopping" | "stopped" = "new";
  /** Reports whether the controller's caches are complete and its write gate is not open yet. */
  #isStandby = false;

  /**
   * Creates a controller and requests its informers; {@linkcode Controller.run} reconciles.
   *
   * @throws {RangeError} When an option is out of range.
   * @throws {TypeError} When an option is unknown, a selector cannot be parsed, or two sources
   * declare one index differently or have different transforms.
   */
  constructor(definition: ControllerDefinition, ports: ControllerPorts) {
    const { name } = definition;
    checkControllerOptions(name, definition.options);
    if (ports.workers !== undefined) checkControllerOptions(name, { workers: ports.workers });
    this.name = name;
    this.#definition = definition;
    this.#ports = ports;
    this.#clock = ports.clock ?? systemClock;
    this.#random = ports.random ?? systemRandom;
    this.#options = controllerOptionsOf(definition);
    this.#log = getLogger(["xca", "controller", name]).with({ controller: name });
    this.#queue = controllerQueue({
      name,
      options: definition.options,
      metrics: ports.queueMetrics,
      log: this.#log,
      clock: this.#clock,
      random: this.#random,
    });
    this.#loops = new HotLoops({ runs: this.#options.hotLoopRuns, clock: this.#clock });
    this.#nextRuns = {
      definition,
      queue: this.#queue,
      book: this.#book,
      histories: this.#histories,
      loops: this.#loops,
      // A fake client in a test may have no configuration.
      failures: new FailureLog(ports.client.config?.impersonate),
      clock: this.#clock,
    };
    this.#end = new GracefulEnd({ active: this.#active, log: this.#log, clock: this.#clock });
    const firstMs = firstTimeoutMs(this.#options);
    if (firstMs !== Infinity) {
      this.#firstTimeouts = new TimeoutQueue(this.#clock, firstMs, { holds: true });
    }
    const { informers, namespace } = ports;
    this.#views = viewsOf({ controller: name, sources: definition.sources, informers, namespace });
    this.#cache = cacheReaderOf(name, this.#views);
    this.#ledger = new WriteLedger({
      views: this.#views,
      timeoutMs: this.#options.staleCacheTimeoutMs,
      release: (key, overdue) => this.#caughtUp(key, overdue),
      wrote: (key, type, object) => this.#loops.wrote(key, type, object),
      deleted: (key, type, objectKey) => this.#loops.deleted(key, type, objectKey),
      clock: this.#clock,
    });
    const onChange = (): void => this.#ports.onChange?.();
    const own = { clock: this.#clock, random: this.#random, log: this.#log };
    const shared = { ...this.#options, definition, cache: this.#cache, onChange, ...own };
    this.#external = new ExternalSources({ ...shared, enqueue: this.#enqueueExternal });
    this.#intake = new EventIntake({
      ...shared,
      views: this.#views,
      sinkOf: (view) => ({
        observed: (objectKey, deletedUid) => this.#ledger.observed(view, objectKey, deletedUid),
        enqueue: (key, trigger) => this.#enqueue(key, trigger),
        dropped: (key, trigger, predicate) =>
          this.#histories.dropped(key, trigger, predicate, this.#clock.monotonicMs()),
      }),
    });
    this.#metrics = new RunMetrics(name, this.#workers, ports.metrics);
    this.#tracing = new RunTracing(name);
    // Without a caller of `ready`, its rejection must not count as unhandled.
    this.#ready.promise.catch(() => {});
  }

  /**
   * Resolves when the controller's caches have synced, its gate is open and its workers start;
   * rejects when the controller ends before.
   */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get #workers(): number {
    return this.#ports.workers ?? this.#options.workers;
  }

  /**
   * Runs the controller until the signal is aborted. Then reconcile runs in progress may end, those
   * that outlive the grace period are aborted, and the promise resolves. The caller starts and
   * stops the informers.
   *
   * @throws {CacheSyncError} When the caches did not sync in time.
   * @throws {unknown} The error of `verify` or of the gate, unless the signal is aborted.
   * @throws {Error} When the controller was started before.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#state !== "new") {
      throw new Error(`Cannot start controller ${this.name} twice; make a new one`);
    }
    if (signal.aborted) return this.#ready.reject(signal.reason);
    this.#state = "syncing";
    const stop = (): void => this.#stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      this.#log.info("Controller {controller} waits for its caches", {
        resources: [...this.#views.byType.keys()],
      });
      const { syncTimeoutMs: timeoutMs, missingResources } = { ...this.#options, ...this.#ports };
      const limit = { timeoutMs, missingResources, signal, clock: this.#clock, log: this.#log };
      if (this.#ports.gate) await this.#standBy(this.#ports.gate, limit);
      this.#sources = this.#intake.listen(signal);
      await waitForSync(this.name, this.#sources, limit);
      await this.#ports.verify?.(signal);
      signal.throwIfAborted();
      await this.#work(signal);
    } catch (error) {
      this.#ready.reject(error);
      if (!signal.aborted) {
        this.#log.error("Controller {controller} cannot run: {error}", {
          error: errorText(error),
        });
        throw error;
      }
    } finally {
      signal.removeEventListener("abort", stop);
      this.#stop();
      await this.#end.ended();
      this.#firstTimeouts?.[Symbol.dispose]();
      for (const { registration } of this.#sources) registration.remove();
      this.#state = "stopped";
      this.#log.info("Controller {controller} has stopped");
    }
  }

  /**
   * Resolves when the gate opens, once the controller's caches are complete. No handler is
   * registered until then, so that a standby keeps no keys; the replay of the caches to new handlers
   * leads to the keys of all objects (pkg/internal/controller/controller.go, Warmup, without
   * EnableWarmup).
   */
  async #standBy(gate: WriteGate, limit: WaitForSyncOptions): Promise<void> {
    const caches = this.views.map((view) => ({ view, registration: view.informer }));
    await waitForSync(this.name, caches, limit);
    await this.#ports.verify?.(limit.signal);
    this.#isStandby = true;
    await gate.opened(limit.signal);
    this.#isStandby = false;
  }

  /** Returns the controller's current counts, failing keys and stuck runs. */
  progress(): OperatorProgress {
    return progressOf(this.#standing());
  }

  /** Returns the controller's keys that are scheduled for later, except failing ones. */
  scheduled(): ScheduledKey[] {
    return scheduledOf(this.#standing());
  }

  /** Returns the report on the controller; with `key`, it includes a report on that key. */
  report(key?: ObjectKey): ControllerReport {
    return controllerReport(this.#standing(), key);
  }

  #standing(): ReportState {
    return {
      controller: this.name,
      definition: this.#definition,
      views: this.#views,
      stage: this.#state === "syncing" && this.#isStandby ? "standby" : this.#state,
      workers: this.#workers,
      histories: this.#histories,
      loops: this.#loops,
      awaitedWrites: (key) => this.#ledger.awaitedBy(key),
      queue: this.#queue,
      book: this.#book,
      active: this.#active,
      held: this.#ledger.held,
      unmapped: [...this.#intake.failing(), ...this.#external.failing()],
      nowMs: this.#clock.monotonicMs(),
    };
  }

  /**
   * The number of starts and ends of reconcile runs since the creation of the controller. While it
   * stays the same and no run is in progress, no run has written anything.
   */
  get turns(): number {
    return this.#turns;
  }

  /** The informers of the controller, each once and with its scope. */
  get views(): readonly View[] {
    return [...this.#views.byType.values()].flat();
  }

  /**
   * Reports whether no event of the controller's informers waits in a queue of its event handlers.
   * An event may still be in the course of being mapped to keys.
   */
  get hasHeardAll(): boolean {
    return this.#sources.every(({ registration }) => registration.pending === 0);
  }

  /**
   * Reports whether the controller has reconciled every initial key and has no work left, except
   * stuck runs, scheduled keys, and failing keys that need not be awaited (`KeyBook.isWorkedOff`).
   */
  get settled(): boolean {
    return this.#state === "working" && this.#book.awaited === 0 && this.#queue.len === 0 &&
      this.#ledger.held === 0 && this.#intake.settled && this.#external.settled &&
      [...this.#active].every(({ run }) => run.state === "stuck") &&
      this.#queue.waitingKeys().every((key) => this.#book.isWorkedOff(key));
  }

  /** Queues a key that an event led to, with the priority of the event. */
  #enqueue(key: ObjectKey, trigger: Trigger): void {
    const isListed = triggerEvent(trigger.event) === "listed";
    if (isListed && this.#state === "syncing") this.#book.initial(key);
    this.#histories.triggered(key, trigger, this.#clock.monotonicMs());
    this.#loops.triggered(key, trigger);
    this.#tracing.triggered(key, trigger);
    this.#queue.add(key, { priority: triggerPriority(trigger.event) });
  }

  readonly #enqueueExternal = (key: ObjectKey): void => {
    this.#histories.requeued(key, "externalSource", this.#clock.monotonicMs());
    this.#loops.triggeredOutside(key);
    this.#queue.add(key);
  };

  async #work(signal: AbortSignal): Promise<void> {
    this.#state = "working";
    this.#log.info("Controller {controller} works", {
      workers: this.#workers,
      initialKeys: this.#book.initialKeys,
    });
    this.#ready.resolve();
    const workers = Array.from({ length: this.#workers }, () => this.#worker());
    workers.push(this.#external.run(signal));
    this.#ports.onChange?.();
    await Promise.all(workers);
  }

  async #worker(): Promise<void> {
    const slice = new WorkerSlice(this.#clock);
    while (true) {
      const next = this.#queue.get();
      const lease = next instanceof Promise ? await next : next;
      if (!lease) return;
      if (next instanceof Promise) slice.restart();
      const pauseMs = this.#pauseMs(lease.key);
      if (this.#state !== "working") lease.done();
      else if (pauseMs > 0) {
        this.#queue.addAfter(lease.key, pauseMs, lease);
        lease.done();
      } else if (this.#ledger.admits(lease.key)) await this.#start(lease).released;
      else this.#defer(lease);
      if (slice.used && this.#state === "working") await slice.next();
    }
  }

  /** Returns the milliseconds until a failing or looping key may run; 0 or less for at once. */
  #pauseMs(key: ObjectKey): number {
    const retryAtMs = this.#queue.readyAtMs(key);
    const failure = this.#book.failing.get(key);
    return retryPauseMs(failure, retryAtMs, this.#clock.monotonicMs()) ?? this.#loops.pauseMs(key);
  }

  #defer(lease: KeyLease<ObjectKey>): void {
    this.#metrics.deferred();
    this.#log.debug("{key} waits for the cache to show what its last run wrote", {
      key: lease.key,
    });
    lease.done();
  }

  /**
   * Enqueues a key that waited for the cache to show its writes. `overdue` lists the writes that
   * the cache did not show in time.
   */
  #caughtUp(key: ObjectKey, overdue: readonly string[]): void {
    if (overdue.length > 0) {
      this.#log.warn(
        "{key} runs although the cache has not shown its own write of {overdue} for {ms} ms",
        { key, overdue: overdue.join(", "), ms: this.#options.staleCacheTimeoutMs },
      );
    }
    this.#histories.requeued(key, "cacheCaughtUp", this.#clock.monotonicMs());
    this.#queue.add(key);
  }

  #start(lease: KeyLease<ObjectKey>): ReconcileRun {
    const { key } = lease;
    const { namespace = "", name } = parseKey(key);
    const reconcileID = this.#random.uuid();
    const attempt = this.#book.attempt(key);
    const log = this.#log.with({ namespace, name, reconcileID });
    const loop = this.#loops.began(key);
    if (loop && !loop.isKnown) {
      this.#metrics.hotLoop();
      logHotLoop(log, key, loop);
    }
    const { client, gate, events } = this.#ports;
    const { timeoutMs, warnAfterMs, abortGraceMs } = this.#options;
    const run: ReconcileRun = new ReconcileRun({
      reconcile: (signal) => {
        const context = reconcileContext({
          key,
          namespace,
          name,
          controller: this.#definition.name,
          client,
          gate,
          ledger: this.#ledger,
          cache: this.#cache,
          events,
          signal,
          log,
          reconcileID,
          attempt,
          clock: this.#clock,
          random: this.#random,
        });
        return this.#tracing.run(this.#definition, context);
      },
      timeoutMs,
      warnAfterMs,
      abortGraceMs,
      onSlow: (abortInMs) => this.#slow(active, abortInMs),
      onSettled: (outcome) => {
        listed[Symbol.dispose]();
        this.#finish(active, outcome);
      },
      onStuck: () => this.#stuck(active),
      clock: this.#clock,
      firstTimeouts: this.#firstTimeouts,
    });
    const active: ActiveRun = { run, lease, reconcileID, attempt, log };
    const listed = this.#active.add(active);
    this.#turns++;
    this.#metrics.began();
    log.debug("Reconcile of {key} began", { key, attempt });
    return run;
  }

  /**
   * Logs a reconcile run that takes long, and the time until it is aborted, `abortInMs`
   * milliseconds. After a stop nothing is logged, since the log of the stop names the run.
   */
  #slow(active: ActiveRun, abortInMs: number): void {
    if (this.#state !== "working") return;
    const ms = Math.round(this.#clock.monotonicMs() - active.run.startedMs);
    logSlow(active, ms, abortInMs);
  }

  /** Records and logs a stuck run: its key counts as failing, and its worker becomes free. */
  #stuck(active: ActiveRun): void {
    const { run, lease: { key } } = active;
    const atMs = this.#clock.monotonicMs();
    const ms = Math.round(atMs - run.startedMs);
    this.#metrics.released();
    this.#metrics.stuck(1);
    const error = new Error(`stuck: it ignores its aborted signal for ${ms} ms`);
    this.#book.failed(key, error, { terminal: true, atMs });
    logStuck(active, ms);
    this.#ports.onChange?.();
  }

  /**
   * Completes a reconcile run in one synchronous step: its worker and its key are released whatever
   * the outcome is.
   */
  #finish(active: ActiveRun, outcome: Outcome): void {
    const { run, lease, log } = active;
    const { key } = lease;
    const atMs = this.#clock.monotonicMs();
    const seconds = (atMs - run.startedMs) / 1000;
    this.#histories.ran(key, outcome.type, atMs - run.startedMs, atMs);
    if (run.state === "stuck") this.#metrics.stuck(-1);
    else this.#metrics.released();
    this.#turns++;
    try {
      this.#metrics.finished(outcome, seconds);
      log.debug("Reconcile of {key} ended: {outcome}", { key, outcome: outcome.type, seconds });
      decideNextRun(this.#nextRuns, active, outcome);
    } finally {
      this.#loops.ended(key);
      lease.done();
      this.#ports.onChange?.();
    }
  }

  /** Stops the controller: no reconcile run starts any more, and the grace period begins. */
  #stop(): void {
    if (this.#state === "stopping" || this.#state === "stopped") return;
    this.#state = "stopping";
    this.#log.info("Controller {controller} stops", { running: this.#active.size });
    this.#queue.shutDown();
    this.#intake.stop();
    this.#ledger.clear();
    const gracePeriodMs = this.#ports.gate?.closed ? 0 : this.#ports.gracePeriodMs ?? 30_000;
    this.#end.begin(gracePeriodMs);
  }
}
