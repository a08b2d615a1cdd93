import type { Clock, Timer } from "../base/clock.ts";
import type { Entry } from "./lease.ts";
import {
  type CounterMetric,
  type GaugeMetric,
  type HistogramMetric,
  type MetricsProvider,
  requireName,
  type SettableGaugeMetric,
} from "./metrics.ts";

/** How often the figures about unfinished work are brought up to date, in milliseconds. */
export const UNFINISHED_WORK_UPDATE_MS = 500;

/**
 * Records what happens to the keys of one queue.
 *
 * The figures about unfinished work change by themselves as time passes, so a timer updates them:
 * it starts with the first key taken and ends with the first tick that finds no key in work.
 */
export class QueueMetrics<K> {
  readonly #clock: Clock;
  /** The queue's own set; its first member was taken first. */
  readonly #processing: ReadonlySet<Entry<K>>;
  readonly #depth: GaugeMetric;
  readonly #adds: CounterMetric;
  readonly #latency: HistogramMetric;
  readonly #workDuration: HistogramMetric;
  readonly #unfinished: SettableGaugeMetric;
  readonly #longestRunning: SettableGaugeMetric;
  #ticker: Timer | undefined;
  #stopped = false;

  constructor(
    provider: MetricsProvider,
    options: { name: string | undefined; clock: Clock; processing: ReadonlySet<Entry<K>> },
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

  /** The key became dirty, and this delivery is due. */
  added(entry: Entry<K>): void {
    entry.sinceMs = this.#clock.monotonicMs();
    this.#adds.inc();
    this.#depth.inc();
  }

  /** A worker took the key. */
  taken(entry: Entry<K>): void {
    const now = this.#clock.monotonicMs();
    this.#depth.dec();
    this.#latency.observe((now - entry.sinceMs) / 1000);
    entry.sinceMs = now;
    if (!this.#ticker && !this.#stopped) this.#arm();
  }

  /** The worker is done. */
  finished(entry: Entry<K>): void {
    this.#workDuration.observe((this.#clock.monotonicMs() - entry.sinceMs) / 1000);
  }

  /** Ends the timer: the figures about unfinished work stay as they are. */
  stop(): void {
    this.#stopped = true;
    this.#ticker?.[Symbol.dispose]();
    this.#ticker = undefined;
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
    if (this.#processing.size > 0) this.#arm();
  }
}
