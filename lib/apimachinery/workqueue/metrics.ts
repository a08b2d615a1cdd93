/** A gauge metric of a work queue that goes up and down by one. */
export interface GaugeMetric {
  /** Adds 1 to the gauge. */
  inc(): void;
  /** Subtracts 1 from the gauge. */
  dec(): void;
}

/** A gauge metric of a work queue that is set to a value. */
export interface SettableGaugeMetric {
  /** Sets the value of the gauge. */
  set(value: number): void;
}

/** A counter metric of a work queue, which only grows. */
export interface CounterMetric {
  /** Adds 1 to the counter. */
  inc(): void;
}

/** A histogram metric of a work queue: a distribution of observed values. */
export interface HistogramMetric {
  /** Adds a value to the histogram. */
  observe(value: number): void;
}

/**
 * The interface through which a work queue publishes metrics, to be implemented over any metrics
 * library. Each method except `depthOfPriority` is called at most once per queue, with its name;
 * the names in parentheses are those under which client-go and controller-runtime publish the same
 * metrics, with the label `name`.
 *
 * The metrics are updated on the queue's hot path and must not throw. Times are in seconds.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { type MetricsProvider, Queue } from "@xca/apimachinery/workqueue";
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
  /**
   * Returns the gauge of the number of keys that wait for a worker, without delayed keys
   * (`workqueue_depth`).
   */
  depth(name: string): GaugeMetric;
  /**
   * Returns the gauge of keys of one priority that wait for a worker (`workqueue_depth` with the
   * label `priority`), in place of `depth`. Called once per queue and priority, for the first 25
   * priorities; the keys of further priorities share the gauge of `depth`.
   *
   * @default `depth`, for all priorities
   */
  depthOfPriority?(name: string, priority: number): GaugeMetric;
  /**
   * Returns the counter of adds that were not merged with an earlier one (`workqueue_adds_total`).
   */
  adds(name: string): CounterMetric;
  /**
   * Returns the histogram of the times in seconds that keys waited in the queue, from add to get,
   * without their delay (`workqueue_queue_duration_seconds`).
   */
  latency(name: string): HistogramMetric;
  /**
   * Returns the histogram of the times in seconds for which workers processed a key, from get to
   * done (`workqueue_work_duration_seconds`).
   */
  workDuration(name: string): HistogramMetric;
  /**
   * Returns the gauge of the sum, in seconds, of the times that the keys in work have been
   * processed so far (`workqueue_unfinished_work_seconds`).
   */
  unfinishedWorkSeconds(name: string): SettableGaugeMetric;
  /**
   * Returns the gauge of the longest time, in seconds, that a key in work has been processed so far
   * (`workqueue_longest_running_processor_seconds`).
   */
  longestRunningProcessorSeconds(name: string): SettableGaugeMetric;
  /**
   * Returns the counter of the calls of `addAfter` and of `addRateLimited` before a shutdown, zero
   * delays included (`workqueue_retries_total`). Adds that wait for the end of a back-off, and
   * delays that the rate limiter shortens, count too.
   */
  retries(name: string): CounterMetric;
}

/**
 * Returns the name under which a queue's metrics are recorded.
 *
 * @throws {TypeError} When the queue has no name.
 */
export function requireName(name: string | undefined): string {
  if (name) return name;
  throw new TypeError("Cannot record metrics of a queue without a name: set the option `name`");
}
