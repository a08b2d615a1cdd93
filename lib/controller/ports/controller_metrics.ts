/**
 * The name of a counter metric of a controller: the names of controller-runtime,
 * `xca_reconcile_deferred_total` for runs that waited for the cache to show earlier writes, and
 * `xca_hot_loops_total` for hot loops that were found.
 */
export type ControllerCounter =
  | "controller_runtime_reconcile_total"
  | "controller_runtime_reconcile_errors_total"
  | "controller_runtime_terminal_reconcile_errors_total"
  | "controller_runtime_reconcile_timeouts_total"
  | "xca_reconcile_deferred_total"
  | "xca_hot_loops_total";

/**
 * The name of a gauge metric of a controller: the names of controller-runtime, and
 * `xca_stuck_reconciles` for the number of runs that are stuck now.
 */
export type ControllerGauge =
  | "controller_runtime_active_workers"
  | "controller_runtime_max_concurrent_reconciles"
  | "xca_stuck_reconciles";

/** The labels of a controller's metric, by name. */
export interface ControllerLabels {
  /** The name of the controller. */
  readonly controller: string;
  /**
   * The outcome of the reconcile run; on `controller_runtime_reconcile_total` only, absent on other
   * metrics.
   */
  readonly result?: "success" | "requeue_after" | "error";
}

/**
 * The port through which controllers publish metrics; `managerMetrics()` returns an implementation,
 * and a program may implement it over another metrics library.
 */
export interface ControllerMetrics {
  /** Adds 1 to a counter metric of a controller. */
  increment(name: ControllerCounter, labels: ControllerLabels): void;
  /** Sets a gauge metric of a controller to `value`, in place of its last value. */
  set(name: ControllerGauge, value: number, labels: ControllerLabels): void;
  /**
   * Records the duration of one reconcile run, in seconds, in a histogram metric of a controller.
   */
  observe(
    name: "controller_runtime_reconcile_time_seconds",
    seconds: number,
    labels: ControllerLabels,
  ): void;
}
