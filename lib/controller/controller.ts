import { getLogger, type Logger } from "@logtape/logtape";
import {
  type Clock,
  errorText,
  type Random,
  systemClock,
  systemRandom,
  type Timer,
} from "@xca/apimachinery/base";
import { TimeSlice } from "@xca/apimachinery/internal/base";
import { type ObjectKey, parseKey } from "@xca/apimachinery/meta";
import type { CacheReader } from "../cache/readers/cache_reader.ts";
import type { KeyLease } from "../workqueue/key_lease.ts";
import { RateLimitingQueue } from "../workqueue/rate_limiting_queue.ts";
import { RecoveringLimiter } from "../workqueue/recovering_limiter.ts";
import { type SyncingSource, waitForSync } from "./cache_sync.ts";
import type { ControllerDefinition } from "./controller_definition.ts";
import {
  checkControllerOptions,
  type CheckedControllerOptions,
  DEFAULT_CONTROLLER_OPTIONS,
} from "./controller_options.ts";
import type { ControllerPorts } from "./controller_ports.ts";
import { EventIntake } from "./event_intake.ts";
import { GuardedLimiter } from "./guarded_limiter.ts";
import { KeyBook } from "./key_book.ts";
import type { OperatorProgress, ScheduledKey } from "./operator_progress.ts";
import { reconcileContext } from "./reconcile_context.ts";
import { type Outcome, ReconcileRun } from "./reconcile_run.ts";
import { FailureLog, isNamespaceGoing, keysText } from "./run_log.ts";
import { RunMetrics } from "./run_metrics.ts";
import { cacheReaderOf, type View, type Views, viewsOf } from "./view.ts";
import { WriteLedger } from "./write_ledger.ts";

/**
 * An event does not run a key that just failed sooner than this after the failure, in milliseconds: it
 * may be the echo of what the failed run wrote, or a rival's answer to that.
 */
const EVENT_AFTER_FAILURE_MS = 1_000;

/** The least delay of a run that a reconciler asks for: with none, the queue would never be empty. */
const MIN_REQUEUE_MS = 1;

/** The outcome of a run that failed and is tried again. */
type Failed = Extract<Outcome, { readonly type: "error" }>;

/** A run under way, and what it belongs to. */
interface Active {
  readonly run: ReconcileRun;
  readonly lease: KeyLease<ObjectKey>;
  readonly reconcileID: string;
  readonly attempt: number;
  readonly log: Logger;
}

/**
 * Runs one {@linkcode ControllerDefinition}: events to keys, keys to runs, outcomes back to the queue.
 *
 * - No run starts before every source has handed on what was there at the start.
 * - A key never has two runs at once. What changes during a run leads to another one after it.
 * - An event runs a failing key before its retry is due, but a second after the failure at the earliest:
 *   a run that writes what it watches, and then fails, does not drive itself.
 * - A run that outlives its time-out by the abort grace is stuck: its worker takes other keys, its own
 *   key waits for it, and it is counted and shown until it settles.
 */
export class Controller {
  /** The controller's name. */
  readonly name: string;
  readonly #definition: ControllerDefinition;
  readonly #ports: ControllerPorts;
  readonly #options: CheckedControllerOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: Logger;
  readonly #failures: FailureLog;
  readonly #queue: RateLimitingQueue<ObjectKey>;
  readonly #book = new KeyBook();
  readonly #intake: EventIntake;
  readonly #active = new Map<ObjectKey, Active>();
  readonly #views: Views;
  readonly #cache: CacheReader;
  readonly #ledger: WriteLedger;
  readonly #metrics: RunMetrics;
  readonly #ready = Promise.withResolvers<void>();
  #sources: readonly SyncingSource[] = [];
  #turns = 0;
  /** Runs from the stop on; ends the patience with what still runs. */
  #graceTimer: Timer | undefined;
  #state: "new" | "syncing" | "working" | "stopping" | "stopped" = "new";

  /**
   * Makes a controller that does nothing yet; its informers are asked for.
   *
   * @throws {RangeError} When the number of workers is out of range.
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
    this.#options = { ...DEFAULT_CONTROLLER_OPTIONS, ...definition.options };
    this.#log = getLogger(["xca", "controller", name]).with({ controller: name });
    // A test's stand-in for a client may have no configuration.
    this.#failures = new FailureLog(ports.client.config?.impersonate);
    const limiterPorts = { clock: this.#clock, random: this.#random };
    const own = definition.options.rateLimiter?.(limiterPorts);
    this.#queue = new RateLimitingQueue<ObjectKey>({
      name,
      clock: this.#clock,
      metrics: ports.queueMetrics,
      rateLimiter: own ? new GuardedLimiter(own, this.#log) : new RecoveringLimiter(limiterPorts),
    });
    const { informers, namespace } = ports;
    this.#views = viewsOf({ controller: name, sources: definition.sources, informers, namespace });
    this.#cache = cacheReaderOf(name, this.#views);
    this.#ledger = new WriteLedger({
      views: this.#views,
      timeoutMs: this.#options.staleCacheTimeoutMs,
      release: (key, overdue) => this.#caughtUp(key, overdue),
      clock: this.#clock,
    });
    this.#intake = new EventIntake({
      definition,
      views: this.#views,
      cache: this.#cache,
      sinkOf: (view) => ({
        observed: (objectKey, deletedUid) => this.#ledger.observed(view, objectKey, deletedUid),
        enqueue: (key, isInInitialList) => {
          if (isInInitialList && this.#state === "syncing") this.#book.initial(key);
          this.#queue.add(key);
        },
      }),
      timeoutMs: this.#options.timeoutMs,
      resyncPeriodMs: this.#options.resyncPeriodMs,
      onChange: () => this.#ports.onChange?.(),
      log: this.#log,
      clock: this.#clock,
    });
    this.#metrics = new RunMetrics(name, this.#workers, ports.metrics);
    // Whoever does not ask is not to be told by an unhandled rejection.
    this.#ready.promise.catch(() => {});
  }

  /** Resolves when its caches have synced and its workers work; rejects when it ends before. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get #workers(): number {
    return this.#ports.workers ?? this.#options.workers;
  }

  /**
   * Runs until the signal is aborted; then lets running ones end, aborts those that outlive the grace
   * period, and resolves. The informers must be started and stopped by someone else.
   *
   * @throws {CacheSyncError} When the caches did not sync in time.
   * @throws {Error} When it was started before.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#state !== "new") {
      throw new Error(`Cannot start controller ${this.name} twice; make a new one`);
    }
    this.#state = "syncing";
    const stop = (): void => this.#stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      signal.throwIfAborted();
      this.#log.info("Controller {controller} waits for its caches", {
        resources: [...this.#views.byType.keys()],
      });
      this.#sources = this.#intake.listen(signal);
      const { syncTimeoutMs: timeoutMs } = this.#options;
      await waitForSync(this.name, this.#sources, { timeoutMs, signal, clock: this.#clock });
      await this.#ports.verify?.(signal);
      signal.throwIfAborted();
      await this.#work();
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
      await this.#runsEnd();
      for (const { registration } of this.#sources) registration.remove();
      this.#state = "stopped";
      this.#log.info("Controller {controller} has stopped");
    }
  }

  /** Where it stands. */
  progress(): OperatorProgress {
    const now = this.#clock.monotonicMs();
    const controller = this.name;
    const nextTryInMs = (key: ObjectKey): number | undefined => {
      const readyAtMs = this.#queue.readyAtMs(key);
      return readyAtMs === undefined ? undefined : Math.max(0, readyAtMs - now);
    };
    return {
      initialKeys: this.#book.initialKeys,
      ran: this.#book.initialKeys - this.#book.awaited,
      queued: this.#queue.len,
      processing: this.#active.size,
      delayed: this.#queue.waiting + this.#ledger.held,
      failing: [
        ...[...this.#book.failing].map(([key, { error, attempts }]) => ({
          controller,
          key,
          error,
          attempts,
          nextTryInMs: nextTryInMs(key),
        })),
        ...this.#intake.failing(),
      ],
      stuck: [...this.#active].filter(([, { run }]) => run.state === "stuck")
        .map(([key, { run, reconcileID }]) => ({
          controller,
          key,
          reconcileID,
          forMs: now - run.startedMs,
        })),
    };
  }

  /** Keys that wait for a later run, and do not fail. */
  scheduled(): ScheduledKey[] {
    const now = this.#clock.monotonicMs();
    const keys = this.#queue.waitingKeys().filter((key) => !this.#book.failing.has(key));
    return keys.map((key) => ({
      controller: this.name,
      key,
      inMs: Math.max(0, (this.#queue.readyAtMs(key) ?? now) - now),
    }));
  }

  /** The number of runs begun and of runs ended: while it stays the same, no run wrote anything. */
  get turns(): number {
    return this.#turns;
  }

  /** Its informers. */
  get views(): readonly View[] {
    return [...this.#views.byType.values()].flat();
  }

  /** Reports whether every event that the informers delivered has been processed. */
  get hasHeardAll(): boolean {
    return this.#sources.every(({ registration }) => registration.pending === 0);
  }

  /** Whether every initial key had a run, and nothing is left to do but what failed or is for later. */
  get settled(): boolean {
    return this.#state === "working" && this.#book.awaited === 0 && this.#queue.len === 0 &&
      this.#ledger.held === 0 && this.#intake.settled &&
      [...this.#active.values()].every(({ run }) => run.state === "stuck") &&
      this.#queue.waitingKeys().every((key) => this.#book.isWorkedOff(key));
  }

  async #work(): Promise<void> {
    this.#state = "working";
    this.#log.info("Controller {controller} works", {
      workers: this.#workers,
      initialKeys: this.#book.initialKeys,
    });
    this.#ready.resolve();
    const workers = Array.from({ length: this.#workers }, () => this.#worker());
    this.#ports.onChange?.();
    await Promise.all(workers);
  }

  async #worker(): Promise<void> {
    const slice = new TimeSlice(this.#clock);
    while (true) {
      const next = this.#queue.get();
      const lease = next instanceof Promise ? await next : next;
      if (!lease) return;
      if (next instanceof Promise) slice.restart();
      const pauseMs = this.#pauseMs(lease.key);
      if (this.#state !== "working") lease.done();
      else if (pauseMs > 0) this.#postpone(lease, pauseMs);
      else if (this.#ledger.admits(lease.key)) await this.#start(lease).released;
      else this.#defer(lease);
      if (slice.used && this.#state === "working") await slice.next();
    }
  }

  /**
   * How long a key that failed has to wait yet, when an event and not its retry brought it here, in
   * milliseconds: until its retry, but no longer than {@linkcode EVENT_AFTER_FAILURE_MS}.
   */
  #pauseMs(key: ObjectKey): number {
    const failure = this.#book.failing.get(key);
    const retryAtMs = this.#queue.readyAtMs(key);
    if (!failure || (retryAtMs === undefined && !failure.terminal)) return 0;
    const untilMs = Math.min(retryAtMs ?? Infinity, failure.atMs + EVENT_AFTER_FAILURE_MS);
    return untilMs - this.#clock.monotonicMs();
  }

  #postpone(lease: KeyLease<ObjectKey>, pauseMs: number): void {
    this.#queue.addAfter(lease.key, pauseMs);
    lease.done();
  }

  #defer(lease: KeyLease<ObjectKey>): void {
    this.#metrics.deferred();
    this.#log.debug("{key} waits for the cache to show what its last run wrote", {
      key: lease.key,
    });
    lease.done();
  }

  /** A held key may run; `overdue` is what the cache did not show in time. */
  #caughtUp(key: ObjectKey, overdue: readonly string[]): void {
    if (overdue.length > 0) {
      this.#log.warn(
        "{key} runs although the cache has not shown its own write of {overdue} for {ms} ms",
        { key, overdue: overdue.join(", "), ms: this.#options.staleCacheTimeoutMs },
      );
    }
    this.#queue.add(key);
  }

  #start(lease: KeyLease<ObjectKey>): ReconcileRun {
    const { key } = lease;
    const { namespace = "", name } = parseKey(key);
    const reconcileID = this.#random.uuid();
    const attempt = this.#book.attempt(key);
    const log = this.#log.with({ namespace, name, reconcileID });
    const run: ReconcileRun = new ReconcileRun({
      reconcile: (signal) =>
        this.#definition.reconcile(
          reconcileContext({
            key,
            client: this.#ports.client,
            ledger: this.#ledger,
            cache: this.#cache,
            signal,
            log,
            reconcileID,
            attempt,
            clock: this.#clock,
            random: this.#random,
          }),
        ),
      timeoutMs: this.#options.timeoutMs,
      warnAfterMs: this.#options.warnAfterMs,
      abortGraceMs: this.#options.abortGraceMs,
      onSlow: (abortInMs) => this.#slow(active, abortInMs),
      onSettled: (outcome) => this.#finish(active, outcome),
      onStuck: () => this.#stuck(active),
      clock: this.#clock,
    });
    const active: Active = { run, lease, reconcileID, attempt, log };
    this.#active.set(key, active);
    this.#turns++;
    this.#metrics.began();
    log.debug("Reconcile of {key} began", { key, attempt });
    return run;
  }

  /** The run takes long. At a stop it was told already that it is waited for. */
  #slow({ run, lease: { key }, log }: Active, abortInMs: number): void {
    if (this.#state !== "working") return;
    const ms = Math.round(this.#clock.monotonicMs() - run.startedMs);
    log.warn(
      "Reconcile of {key} is still running after {ms} ms; " +
        (abortInMs === Infinity
          ? "nothing ends it, since timeoutMs is Infinity"
          : "it will be aborted in {abortInMs} ms"),
      { key, ms, ...(abortInMs === Infinity ? {} : { abortInMs: Math.round(abortInMs) }) },
    );
  }

  /** The run does not end although it was asked to: its worker is freed. */
  #stuck({ run, lease: { key }, log }: Active): void {
    const ms = Math.round(this.#clock.monotonicMs() - run.startedMs);
    this.#metrics.released();
    this.#metrics.stuck(1);
    this.#book.failed(key, new Error(`stuck: it ignores its aborted signal for ${ms} ms`), {
      terminal: true,
      atMs: this.#clock.monotonicMs(),
    });
    log.error(
      "Reconcile is stuck: it runs for {ms} ms and ignores its aborted signal. Its worker goes on; " +
        "{key} is not reconciled again until it ends",
      { key, ms },
    );
    this.#ports.onChange?.();
  }

  /** All in one synchronous step. Whatever the run came to, its worker, its key and its lease are freed. */
  #finish(active: Active, outcome: Outcome): void {
    const { run, lease, log } = active;
    const { key } = lease;
    const seconds = (this.#clock.monotonicMs() - run.startedMs) / 1000;
    if (run.state === "stuck") this.#metrics.stuck(-1);
    else this.#metrics.released();
    this.#active.delete(key);
    this.#turns++;
    try {
      this.#metrics.finished(outcome, seconds);
      log.debug("Reconcile of {key} ended: {outcome}", { key, outcome: outcome.type, seconds });
      this.#decide(active, outcome);
    } finally {
      lease.done();
      this.#ports.onChange?.();
    }
  }

  /** The one place where outcomes are decided. */
  #decide(active: Active, outcome: Outcome): void {
    const { lease: { key }, log } = active;
    switch (outcome.type) {
      case "done":
        this.#book.succeeded(key);
        this.#queue.forget(key);
        break;
      case "requeueAfter":
        this.#book.succeeded(key);
        this.#queue.forget(key);
        this.#queue.addAfter(key, Math.max(MIN_REQUEUE_MS, outcome.ms));
        break;
      case "error":
        this.#fail(active, outcome);
        break;
      case "terminal":
        this.#book.failed(key, outcome.error, { terminal: true, atMs: this.#clock.monotonicMs() });
        this.#failures.terminal(log, outcome.error);
        break;
      case "aborted":
        log.debug("Reconcile was aborted because the operator stops");
    }
  }

  #fail({ lease: { key }, attempt, log }: Active, { error, retryInMs }: Failed): void {
    if (isNamespaceGoing(error)) {
      this.#book.succeeded(key);
      this.#queue.forget(key);
      return log.info("The namespace of {key} is being deleted, nothing more to do", { key });
    }
    const atMs = this.#clock.monotonicMs();
    this.#book.failed(key, error, { terminal: false, retryInMs, atMs });
    if (!retryInMs) this.#queue.addRateLimited(key);
    else this.#queue.addAfter(key, retryInMs);
    const readyAtMs = this.#queue.readyAtMs(key) ?? this.#clock.monotonicMs();
    const nextTryInMs = Math.round(readyAtMs - this.#clock.monotonicMs());
    this.#failures.retrying(log, error, { attempt, nextTryInMs });
  }

  /** No run starts from now on. */
  #stop(): void {
    if (this.#state === "stopping" || this.#state === "stopped") return;
    this.#state = "stopping";
    this.#log.info("Controller {controller} stops", { running: this.#active.size });
    this.#queue.shutDown();
    this.#intake.stop();
    this.#ledger.clear();
    const { gracePeriodMs = 30_000 } = this.#ports;
    const awaited = [...this.#active].filter(([, { run }]) => run.state !== "stuck");
    if (awaited.length > 0) {
      this.#log.info(
        "Controller {controller} waits for its runs of {keys}; what has not ended in " +
          "{gracePeriodMs} ms will be aborted",
        { keys: keysText(awaited.map(([key]) => key)), gracePeriodMs },
      );
    }
    this.#graceTimer = this.#clock.after(gracePeriodMs, () => {
      const reason = new DOMException("the operator stops", "AbortError");
      for (const { run } of this.#active.values()) run.abort(reason);
    });
  }

  /** Waits for what runs, and gives up on what ignores its aborted signal. */
  async #runsEnd(): Promise<void> {
    await Promise.all([...this.#active.values()].map(({ run }) => run.released));
    this.#graceTimer?.[Symbol.dispose]();
    for (const [key, { reconcileID }] of this.#active) {
      this.#log.error("The run of {key} ignores its aborted signal and is left behind", {
        key,
        reconcileID,
      });
    }
  }
}
