/** What is counted, by controller-runtime's names; the last one is ours. */
export type ControllerCounter =
  | "controller_runtime_reconcile_total"
  | "controller_runtime_reconcile_errors_total"
  | "controller_runtime_terminal_reconcile_errors_total"
  | "controller_runtime_reconcile_timeouts_total"
  | "xca_reconcile_deferred_total";

/** What has a value, by controller-runtime's names; the last one is ours. */
export type ControllerGauge =
  | "controller_runtime_active_workers"
  | "controller_runtime_max_concurrent_reconciles"
  | "xca_stuck_reconciles";

/** Where the measured controller stands. */
export interface ControllerLabels {
  /** The controller's name. */
  readonly controller: string;
  /** On `reconcile_total` alone: how the run ended. */
  readonly result?: "success" | "requeue_after" | "error";
}

/** Where controllers' figures go: a narrow port that any metrics library can be put behind. */
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
