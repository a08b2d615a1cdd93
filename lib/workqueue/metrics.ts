/** A metric that goes up and down by one. */
export interface GaugeMetric {
  /** Adds 1. */
  inc(): void;
  /** Subtracts 1. */
  dec(): void;
}

/** A metric that is set. */
export interface SettableGaugeMetric {
  /** Sets the value. */
  set(value: number): void;
}

/** A metric that only grows. */
export interface CounterMetric {
  /** Adds 1. */
  inc(): void;
}

/** A distribution of observed values. */
export interface HistogramMetric {
  /** Adds a value. */
  observe(value: number): void;
}

/**
 * Provider of a queue's metrics, to be implemented over any metrics library. Each method is called
 * once per queue, with its name; the names in parentheses are those under which client-go and
 * controller-runtime publish the same metrics, with the label `name`.
 *
 * The metrics are updated on the queue's hot path and must not throw. Times are in seconds.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { type MetricsProvider, Queue } from "@xca/operator/workqueue";
 *
 * let adds = 0;
 * const ignored = { inc() {}, dec() {}, set() {}, observe() {} };
 * const metrics: MetricsProvider = {
 *   depth: () => ignored,
 *   adds: () => ({ inc: () => adds++ }),
 *   latency: () => ignored,
 *   workDuration: () => ignored,
 *   unfinishedWorkSeconds: () => ignored,
 *   longestRunningProcessorSeconds: () => ignored,
 *   retries: () => ignored,
 * };
 *
 * const queue = new Queue<string>({ name: "pods", metrics });
 * queue.add("default/web");
 * queue.add("default/web");
 * assert(adds === 1);
 * ```
 */
export interface MetricsProvider {
  /** Returns the gauge of keys that wait for a worker (`workqueue_depth`). */
  depth(name: string): GaugeMetric;
  /**
   * Returns the gauge of keys of one priority that wait for a worker (`workqueue_depth` with the
   * label `priority`). It stands in for `depth`. Called once per queue and priority, so that a
   * caller who uses many priorities pays for as many gauges.
   *
   * @default `depth`, for all priorities
   */
  depthOfPriority?(name: string, priority: number): GaugeMetric;
  /**
   * Returns the counter of adds that were not merged with an earlier one (`workqueue_adds_total`).
   */
  adds(name: string): CounterMetric;
  /** Returns the histogram of times from add to get (`workqueue_queue_duration_seconds`). */
  latency(name: string): HistogramMetric;
  /** Returns the histogram of times from get to done (`workqueue_work_duration_seconds`). */
  workDuration(name: string): HistogramMetric;
  /**
   * Returns the gauge of the total time that the keys in work have been processed so far
   * (`workqueue_unfinished_work_seconds`).
   */
  unfinishedWorkSeconds(name: string): SettableGaugeMetric;
  /**
   * Returns the gauge of the longest of these times
   * (`workqueue_longest_running_processor_seconds`).
   */
  longestRunningProcessorSeconds(name: string): SettableGaugeMetric;
  /** Returns the counter of adds with a delay, zero included (`workqueue_retries_total`). */
  retries(name: string): CounterMetric;
}

/**
 * Returns the name under which a queue's metrics are recorded.
 *
 * @throws {TypeError} When the queue has none.
 */
export function requireName(name: string | undefined): string {
  if (name) return name;
  throw new TypeError("Cannot record metrics of a queue without a name: set the option `name`");
}
