/** The names of the counters: those of controller-runtime, and one more at the end. */
export type ControllerCounter =
  | "controller_runtime_reconcile_total"
  | "controller_runtime_reconcile_errors_total"
  | "controller_runtime_terminal_reconcile_errors_total"
  | "controller_runtime_reconcile_timeouts_total"
  | "xca_reconcile_deferred_total";

/** The names of the gauges: those of controller-runtime, and one more at the end. */
export type ControllerGauge =
  | "controller_runtime_active_workers"
  | "controller_runtime_max_concurrent_reconciles"
  | "xca_stuck_reconciles";

/** Labels of a metric. */
export interface ControllerLabels {
  /** The name of the controller. */
  readonly controller: string;
  /** The outcome of the run; on `reconcile_total` only. */
  readonly result?: "success" | "requeue_after" | "error";
}

/** Provider of controllers' metrics, to be implemented over any metrics library. */
export interface ControllerMetrics {
  /** Adds 1 to a counter. */
  increment(name: ControllerCounter, labels: ControllerLabels): void;
  /** Sets a gauge. */
  set(name: ControllerGauge, value: number, labels: ControllerLabels): void;
  /** Adds one duration, in seconds, to a histogram. */
  observe(
    name: "controller_runtime_reconcile_time_seconds",
    seconds: number,
    labels: ControllerLabels,
  ): void;
}
