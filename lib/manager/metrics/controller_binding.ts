import type {
  ControllerCounter,
  ControllerGauge,
  ControllerLabels,
  ControllerMetrics,
} from "../../controller/ports/controller_metrics.ts";
import { CONTROLLER_COUNTERS, CONTROLLER_GAUGES, RECONCILE_TIME } from "./catalogue.ts";
import type { Counter, Gauge, Histogram, MetricsRegistry } from "./registry.ts";
import type { CounterSeries, GaugeSeries, HistogramSeries } from "./series.ts";

const RESULTS = ["success", "requeue_after", "error"] as const;

/**
 * Registers the metrics of controllers in a registry, and returns a provider that records there.
 */
export function controllerMetrics(registry: MetricsRegistry): ControllerMetrics {
  return new ControllerBinding(registry);
}

/** The series of one controller's metrics, kept so that an update needs no lookup by labels. */
interface Series {
  readonly counters: Readonly<Record<string, CounterSeries>>;
  readonly results: Readonly<Record<string, CounterSeries>>;
  readonly gauges: Readonly<Record<string, GaugeSeries>>;
  readonly time: HistogramSeries;
}

const TOTAL: ControllerCounter = "controller_runtime_reconcile_total";

class ControllerBinding implements ControllerMetrics {
  readonly #counters: readonly [string, Counter][];
  readonly #gauges: readonly [string, Gauge][];
  readonly #time: Histogram<"controller">;
  readonly #series = new Map<string, Series>();

  constructor(registry: MetricsRegistry) {
    this.#counters = Object.entries(CONTROLLER_COUNTERS)
      .map(([name, spec]) => [name, registry.counter<string>(spec)]);
    this.#gauges = Object.entries(CONTROLLER_GAUGES)
      .map(([name, spec]) => [name, registry.gauge<string>(spec)]);
    this.#time = registry.histogram(RECONCILE_TIME);
  }

  increment(name: ControllerCounter, { controller, result }: ControllerLabels): void {
    const series = this.#of(controller);
    if (name === TOTAL) series.results[result ?? "success"]?.inc();
    else series.counters[name]?.inc();
  }

  set(name: ControllerGauge, value: number, { controller }: ControllerLabels): void {
    this.#of(controller).gauges[name]?.set(value);
  }

  observe(
    _name: "controller_runtime_reconcile_time_seconds",
    seconds: number,
    { controller }: ControllerLabels,
  ): void {
    this.#of(controller).time.observe(seconds);
  }

  /**
   * Returns the series of a controller. All are created at the first use, so that a rate over a
   * counter sees its first increment, as in controller-runtime.
   */
  #of(controller: string): Series {
    const found = this.#series.get(controller);
    if (found) return found;
    const labels = { controller };
    const total = this.#counters.find(([name]) => name === TOTAL)![1];
    const series: Series = {
      counters: Object.fromEntries(
        this.#counters.filter(([name]) => name !== TOTAL)
          .map(([name, family]) => [name, family.with(labels)]),
      ),
      results: Object.fromEntries(
        RESULTS.map((result) => [result, total.with({ controller, result })]),
      ),
      gauges: Object.fromEntries(
        this.#gauges.map(([name, family]) => [name, family.with(labels)]),
      ),
      time: this.#time.with(labels),
    };
    this.#series.set(controller, series);
    return series;
  }
}
