import { type Clock, systemClock, type Timer } from "@xca/apimachinery/base";
import type { Entry } from "./key_lease.ts";
import {
  type CounterMetric,
  type GaugeMetric,
  type HistogramMetric,
  type MetricsProvider,
  requireName,
  type SettableGaugeMetric,
} from "./metrics.ts";
import type { WorkList } from "./work_list.ts";

/** Interval at which the metrics of unfinished work are updated, in milliseconds. */
export const UNFINISHED_WORK_UPDATE_MS = 500;

/**
 * Records the metrics of one queue.
 *
 * The metrics of unfinished work change with time, so a timer updates them: it starts with the
 * first key taken and ends with the first tick without a key in work.
 */
export class QueueMetrics<K> {
  readonly #clock: Clock;
  /** The queue's list of entries being processed, the first taken first. */
  readonly #processing: WorkList<Entry<K>>;
  readonly #depth: GaugeMetric;
  readonly #adds: CounterMetric;
  readonly #latency: HistogramMetric;
  readonly #workDuration: HistogramMetric;
  readonly #unfinished: SettableGaugeMetric;
  readonly #longestRunning: SettableGaugeMetric;
  #ticker: Timer | undefined;
  /** Whether the latest event was an add. */
  #adding = false;
  /** The time of the adds of this synchronous step, from the second in a row on. */
  #burstMs: number | undefined;
  readonly #endBurst = (): void => void (this.#burstMs = undefined);
  #stopped = false;

  constructor(
    provider: MetricsProvider,
    options: { name: string | undefined; clock: Clock; processing: WorkList<Entry<K>> },
  ) {
    const name = requireName(options.name);
    this.#clock = options.clock;
    this.#processing = options.processing;
    this.#depth = provider.depth(name);
    this.#adds = provider.adds(name);
    this.#latency = provider.latency(name);
    this.#workDuration = provider.workDuration(name);
    this.#unfinished = provider.unfinishedWorkSeconds(name);
    this.#longestRunning = provider.longestRunningProcessorSeconds(name);
  }

  /** Records an add. */
  added(entry: Entry<K>): void {
    entry.sinceMs = this.#burstMs ?? this.#dateAdd();
    this.#adds.inc();
    this.#depth.inc();
  }

  /** Records that a worker took the key. */
  taken(entry: Entry<K>): void {
    const now = this.#clock.monotonicMs();
    this.#adding = false;
    this.#depth.dec();
    this.#latency.observe((now - entry.sinceMs) / 1000);
    entry.sinceMs = now;
    if (!this.#ticker && !this.#stopped) this.#arm();
  }

  /** Records that the worker is done. */
  finished(entry: Entry<K>): void {
    this.#workDuration.observe((this.#clock.monotonicMs() - entry.sinceMs) / 1000);
  }

  /** Stops the timer; the metrics of unfinished work keep their values. */
  stop(): void {
    this.#stopped = true;
    this.#ticker?.[Symbol.dispose]();
    this.#ticker = undefined;
  }

  /**
   * Returns the time of an add. Reading the clock costs as much as the add itself, and a first list
   * adds thousands of keys, so adds in a row without other code in between share one time; no key
   * is taken meanwhile. A clock that is moved by hand is read each time.
   */
  #dateAdd(): number {
    const now = this.#clock.monotonicMs();
    if (!this.#adding) {
      this.#adding = true;
    } else if (this.#clock === systemClock) {
      this.#burstMs = now;
      queueMicrotask(this.#endBurst);
    }
    return now;
  }

  #arm(): void {
    this.#ticker = this.#clock.after(UNFINISHED_WORK_UPDATE_MS, () => this.#tick()).unref();
  }

  #tick(): void {
    const now = this.#clock.monotonicMs();
    let sumMs = 0;
    let longestMs = 0;
    for (const { sinceMs } of this.#processing) {
      sumMs += now - sinceMs;
      longestMs = Math.max(longestMs, now - sinceMs);
    }
    this.#unfinished.set(sumMs / 1000);
    this.#longestRunning.set(longestMs / 1000);
    this.#ticker = undefined;
    if (!this.#processing.isEmpty) this.#arm();
  }
}
