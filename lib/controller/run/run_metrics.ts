import { attempt } from "@xca/apimachinery/internal/base";
import type {
  ControllerCounter,
  ControllerGauge,
  ControllerMetrics,
} from "../ports/controller_metrics.ts";
import type { Outcome } from "./reconcile_run.ts";

/**
 * The recorder of one controller's metrics: counts reconcile runs, and passes the counts to the
 * {@linkcode ControllerMetrics} port, if there is one. Errors of the port are ignored.
 */
export class RunMetrics {
  readonly #controller: string;
  readonly #metrics: ControllerMetrics | undefined;
  #active = 0;
  #stuck = 0;

  constructor(controller: string, workers: number, metrics: ControllerMetrics | undefined) {
    this.#controller = controller;
    this.#metrics = metrics;
    this.#set("controller_runtime_max_concurrent_reconciles", workers);
    this.#set("controller_runtime_active_workers", 0);
  }

  /** Counts a worker that started a reconcile run. */
  began(): void {
    this.#set("controller_runtime_active_workers", ++this.#active);
  }

  /** Counts a worker that became free, since its run settled or is stuck. */
  released(): void {
    this.#set("controller_runtime_active_workers", --this.#active);
  }

  /** Counts a reconcile run that became stuck (1), or a stuck one that settled (-1). */
  stuck(change: 1 | -1): void {
    this.#stuck += change;
    this.#set("xca_stuck_reconciles", this.#stuck);
  }

  /**
   * Counts a deferred reconcile run, which waits until the cache shows the writes of the last run
   * of the same key.
   */
  deferred(): void {
    this.#increment("xca_reconcile_deferred_total");
  }

  /** Counts a hot loop that was newly found: a key whose reconcile runs cause each other. */
  hotLoop(): void {
    this.#increment("xca_hot_loops_total");
  }

  /**
   * Records the duration of a reconcile run that settled, in seconds, and counts the run by its
   * outcome; a timeout and a terminal error also in counters of their own. A run that failed after
   * a stop of the operator had aborted it is not counted; its duration is recorded.
   */
  finished(outcome: Outcome, seconds: number): void {
    const labels = { controller: this.#controller };
    attempt(() =>
      this.#metrics?.observe("controller_runtime_reconcile_time_seconds", seconds, labels)
    );
    switch (outcome.type) {
      case "done":
        return this.#increment("controller_runtime_reconcile_total", "success");
      case "requeueAfter":
        return this.#increment("controller_runtime_reconcile_total", "requeue_after");
      case "error":
        if (outcome.timedOut) this.#increment("controller_runtime_reconcile_timeouts_total");
        break;
      case "terminal":
        this.#increment("controller_runtime_terminal_reconcile_errors_total");
        break;
      case "aborted":
        return;
    }
    this.#increment("controller_runtime_reconcile_errors_total");
    this.#increment("controller_runtime_reconcile_total", "error");
  }

  #increment(name: ControllerCounter, result?: "success" | "requeue_after" | "error"): void {
    const controller = this.#controller;
    attempt(() => this.#metrics?.increment(name, result ? { controller, result } : { controller }));
  }

  #set(name: ControllerGauge, value: number): void {
    attempt(() => this.#metrics?.set(name, value, { controller: this.#controller }));
  }
}
