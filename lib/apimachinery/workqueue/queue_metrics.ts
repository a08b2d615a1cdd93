import type { Clock, Timer } from "../base/time/clock.ts";
import type { Lease } from "./lease.ts";
import {
  type CounterMetric,
  type GaugeMetric,
  type HistogramMetric,
  type MetricsProvider,
  requireName,
  type SettableGaugeMetric,
} from "./metrics.ts";
import type { StepClock } from "./step_clock.ts";
import type { LinkedList } from "../base/linked_list.ts";

/**
 * Interval at which a queue's metrics of unfinished work are updated, in milliseconds; that of
 * client-go.
 */
export const UNFINISHED_WORK_UPDATE_MS = 500;

/**
 * Maximum number of priorities with a gauge of their own, since each is a series of metrics
 * (pkg/internal/metrics/workqueue.go, priorityCardinalityExceededPlaceholder).
 */
const MOST_DEPTHS = 25;

/**
 * The recorder of one queue's metrics.
 *
 * The metrics of unfinished work change with time, so a timer updates them: it starts with the
 * first key taken and ends with the first tick without a key that is being processed.
 */
export class QueueMetrics<K> {
  readonly #clock: Clock;
  readonly #time: StepClock;
  /** The leases of the keys that the work queue's workers process, the first taken first. */
  readonly #processing: LinkedList<Lease<K>>;
  readonly #depth: GaugeMetric;
  /**
   * A function that returns the gauge of the queue's depth at one priority; `undefined` when all
   * priorities share a gauge.
   */
  readonly #newDepth: ((priority: number) => GaugeMetric) | undefined;
  /** The gauges of the queue's depth, by priority. */
  readonly #depths = new Map<number, GaugeMetric>();
  /** A function that returns the gauge that all priorities without a gauge of their own share. */
  readonly #sharedDepth: () => GaugeMetric;
  readonly #adds: CounterMetric;
  readonly #latency: HistogramMetric;
  readonly #workDuration: HistogramMetric;
  readonly #unfinished: SettableGaugeMetric;
  readonly #longestRunning: SettableGaugeMetric;
  #ticker: Timer | undefined;
  #stopped = false;

  constructor(
    provider: MetricsProvider,
    options: {
      name: string | undefined;
      clock: Clock;
      time: StepClock;
      processing: LinkedList<Lease<K>>;
    },
  ) {
    const name = requireName(options.name);
    this.#clock = options.clock;
    this.#time = options.time;
    this.#processing = options.processing;
    this.#newDepth = provider.depthOfPriority &&
      ((priority) => provider.depthOfPriority!(name, priority));
    this.#depth = this.#newDepth?.(0) ?? provider.depth(name);
    this.#depths.set(0, this.#depth);
    let shared: GaugeMetric | undefined;
    this.#sharedDepth = () => shared ??= provider.depth(name);
    this.#adds = provider.adds(name);
    this.#latency = provider.latency(name);
    this.#workDuration = provider.workDuration(name);
    this.#unfinished = provider.unfinishedWorkSeconds(name);
    this.#longestRunning = provider.longestRunningProcessorSeconds(name);
  }

  /** Records in the queue's metrics an add that was not merged with an earlier one. */
  added(priority: number): void {
    this.#adds.inc();
    this.#depthOf(priority).inc();
  }

  /** Records in the queue's metrics that the priority of a waiting key was raised. */
  raised(from: number, to: number): void {
    this.#depthOf(from).dec();
    this.#depthOf(to).inc();
  }

  /**
   * Records in the queue's metrics that a worker took a key that was added at `sinceMs`, and sets
   * the time of its lease.
   */
  taken(lease: Lease<K>, sinceMs: number): void {
    const now = this.#time.now();
    this.#depthOf(lease.priority).dec();
    this.#latency.observe((now - sinceMs) / 1000);
    lease.takenMs = now;
    if (!this.#ticker && !this.#stopped) this.#arm();
  }

  /** Records in the queue's metrics that a worker is done with a key. */
  finished(lease: Lease<K>): void {
    this.#workDuration.observe((this.#time.read() - lease.takenMs) / 1000);
  }

  /** Stops the timer of the metrics of unfinished work, which keep their values. */
  stop(): void {
    this.#stopped = true;
    this.#ticker?.[Symbol.dispose]();
    this.#ticker = undefined;
  }

  #depthOf(priority: number): GaugeMetric {
    if (priority === 0 || !this.#newDepth) return this.#depth;
    const known = this.#depths.get(priority);
    if (known) return known;
    if (this.#depths.size >= MOST_DEPTHS) return this.#sharedDepth();
    const depth = this.#newDepth(priority);
    this.#depths.set(priority, depth);
    return depth;
  }

  #arm(): void {
    this.#ticker = this.#clock.after(UNFINISHED_WORK_UPDATE_MS, () => this.#tick()).unref();
  }

  #tick(): void {
    const now = this.#clock.monotonicMs();
    let sumMs = 0;
    let longestMs = 0;
    for (const { takenMs } of this.#processing) {
      sumMs += now - takenMs;
      longestMs = Math.max(longestMs, now - takenMs);
    }
    this.#unfinished.set(sumMs / 1000);
    this.#longestRunning.set(longestMs / 1000);
    this.#ticker = undefined;
    if (!this.#processing.isEmpty) this.#arm();
  }
}
