/** A number that goes up and down by one. */
export interface GaugeMetric {
  /** Adds one. */
  inc(): void;
  /** Takes one away. */
  dec(): void;
}

/** A number that is set. */
export interface SettableGaugeMetric {
  /** Sets the number. */
  set(value: number): void;
}

/** A number that only grows. */
export interface CounterMetric {
  /** Adds one. */
  inc(): void;
}

/** A distribution of observed values. */
export interface HistogramMetric {
  /** Notes one value. */
  observe(value: number): void;
}

/**
 * Makes a queue's instruments: the seam between the queue and whatever registry is in use. Each
 * method is called once per queue, with the queue's name; the names in brackets are those under
 * which client-go and controller-runtime publish the same figures, labelled `name`.
 *
 * The instruments are called on the queue's hot path and must not throw. All times are in seconds.
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
  /** Keys that need work and have no worker yet (`workqueue_depth`). */
  depth(name: string): GaugeMetric;
  /** Adds that were not merged with an earlier one (`workqueue_adds_total`). */
  adds(name: string): CounterMetric;
  /** From add to get (`workqueue_queue_duration_seconds`). */
  latency(name: string): HistogramMetric;
  /** From get to done (`workqueue_work_duration_seconds`). */
  workDuration(name: string): HistogramMetric;
  /** How long all keys in work have been worked on, summed (`workqueue_unfinished_work_seconds`). */
  unfinishedWorkSeconds(name: string): SettableGaugeMetric;
  /** The longest of them (`workqueue_longest_running_processor_seconds`). */
  longestRunningProcessorSeconds(name: string): SettableGaugeMetric;
  /** Adds with a delay asked for, zero or not (`workqueue_retries_total`). */
  retries(name: string): CounterMetric;
}

/**
 * The name under which a queue's metrics are recorded.
 *
 * @throws {TypeError} When metrics are wanted but the queue has no name to publish them under.
 */
export function requireName(name: string | undefined): string {
  if (name) return name;
  throw new TypeError("Cannot record metrics of a queue without a name: set the option `name`");
}
