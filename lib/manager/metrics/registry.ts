import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import { errorText } from "@xca/apimachinery/base";
import { getLogger } from "@logtape/logtape";
import { familyText } from "./exposition.ts";
import { type ExposedFamily, Family, type Metric, type Sample, text } from "./family.ts";
import {
  checkSpec,
  type HistogramSpec,
  type LabelValues,
  type MetricSpec,
  type MetricType,
} from "./metric_spec.ts";
import { CounterSeries, GaugeSeries, HistogramSeries } from "./series.ts";

const logger = getLogger(["xca", "manager", "metrics"]);

/** A counter: a metric whose series only grow. */
export type Counter<Label extends string = string> = Metric<Label, CounterSeries>;
/** A gauge: a metric whose series can be set, increased and decreased. */
export type Gauge<Label extends string = string> = Metric<Label, GaugeSeries>;
/** A histogram: a metric whose series count values by buckets. */
export type Histogram<Label extends string = string> = Metric<Label, HistogramSeries>;

/** A series of a collected metric: its labels and its value. */
export type CollectedSeries<Label extends string = string> = readonly [
  labels: LabelValues<Label>,
  value: number,
];

/** Options for {@linkcode MetricsRegistry}, a registry of metrics. */
export interface MetricsRegistryOptions {
  /**
   * The maximum number of series of one counter, gauge or histogram; collected metrics have no
   * limit. The registry does not expose further series, and counts their uses in
   * `xca_metrics_dropped_series_total`.
   *
   * @default {10_000}
   */
  readonly maxSeries?: number | undefined;
}

/** The names of all options of {@linkcode MetricsRegistry}. */
const REGISTRY_OPTIONS: OptionNames<MetricsRegistryOptions> = {
  maxSeries: true,
};

/**
 * A registry of the metrics of a process, for Prometheus: counters, gauges, histograms, and metrics
 * that are read at each scrape.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { MetricsRegistry } from "@xca/operator/manager";
 *
 * const registry = new MetricsRegistry();
 * const orders = registry.counter({
 *   name: "shop_orders_total",
 *   help: "Number of orders.",
 *   labels: ["shop"],
 * });
 * const ofBerlin = orders.with({ shop: "berlin" });
 * ofBerlin.inc();
 * assert.match(registry.text(), /^shop_orders_total\{shop="berlin"\} 1$/m);
 * ```
 */
export class MetricsRegistry {
  readonly #families = new Map<string, ExposedFamily>();
  #maxSeries = Infinity;
  readonly #dropped: Counter<"metric">;
  readonly #failures: Counter<"metric">;
  /**
   * The text of the last failure of each collected metric, by the name of the metric, so that a
   * failure that persists is logged once.
   */
  readonly #lastFailures = new Map<string, string>();

  /**
   * Creates a registry that has only the metrics about itself.
   *
   * @throws {TypeError} When an option is unknown.
   */
  constructor(options: MetricsRegistryOptions = {}) {
    checkOptionNames("Cannot create a registry of metrics", options, REGISTRY_OPTIONS);
    const { maxSeries = 10_000 } = options;
    this.#dropped = this.counter({
      name: "xca_metrics_dropped_series_total",
      help: "Updates of series that are not exposed, because the metric has too many.",
      labels: ["metric"],
    });
    this.#failures = this.counter({
      name: "xca_metrics_collect_errors_total",
      help: "Failures to read a metric that is computed at each scrape.",
      labels: ["metric"],
    });
    this.#maxSeries = maxSeries; // The two metrics above have no limit themselves.
  }

  /** The declared metrics: name, type, help and labels, in the order of their names. */
  get specs(): readonly (MetricSpec & { readonly type: MetricType })[] {
    return this.#sorted().map(({ spec, type }) => ({ ...spec, type }));
  }

  /**
   * Registers a counter and returns it. A second registration of the same declaration returns the
   * same counter.
   *
   * @throws {TypeError} When the declaration is invalid, or another metric has its name.
   */
  counter<Label extends string = never>(spec: MetricSpec<Label>): Counter<Label> {
    return this.#register("counter", spec, {
      create: () => new CounterSeries(),
      lines: (series, values) => [{ suffix: "", values, value: series.value }],
    });
  }

  /**
   * Registers a gauge and returns it. A second registration of the same declaration returns the
   * same gauge.
   *
   * @throws {TypeError} When the declaration is invalid, or another metric has its name.
   */
  gauge<Label extends string = never>(spec: MetricSpec<Label>): Gauge<Label> {
    return this.#register("gauge", spec, {
      create: () => new GaugeSeries(),
      lines: (series, values) => [{ suffix: "", values, value: series.value }],
    });
  }

  /**
   * Registers a histogram and returns it. A second registration of the same declaration returns the
   * same histogram.
   *
   * @throws {TypeError} When the declaration is invalid, or another metric has its name.
   */
  histogram<Label extends string = never>(spec: HistogramSpec<Label>): Histogram<Label> {
    return this.#register("histogram", spec, {
      create: () => new HistogramSeries(spec.buckets),
      lines: (series, values) => histogramLines(series, { values, bounds: spec.buckets }),
    });
  }

  /**
   * Registers a gauge or a counter whose series `read` returns at each scrape. When `read` throws,
   * the registry leaves the metric out of that scrape, counts the failure in
   * `xca_metrics_collect_errors_total`, and logs it unless the last scrape failed with the same
   * text. A second registration of a name replaces the first.
   *
   * @throws {TypeError} When the declaration is invalid, or a metric that is not a collected one of
   * the same type has its name.
   */
  collect<Label extends string = never>(
    spec: MetricSpec<Label> & { readonly type: "counter" | "gauge" },
    read: () => Iterable<CollectedSeries<Label>>,
  ): void {
    checkSpec(spec.type, spec);
    const other = this.#families.get(spec.name);
    if (other && !(other instanceof CollectedFamily && other.type === spec.type)) {
      throw new TypeError(`Cannot register the metric ${spec.name}: another one has its name`);
    }
    this.#families.set(spec.name, new CollectedFamily(spec, spec.type, read));
  }

  /**
   * Returns all metrics that have series in the text exposition format of Prometheus, version
   * 0.0.4.
   */
  text(): string {
    const isOwn = ({ spec }: ExposedFamily): boolean => spec.name.startsWith("xca_metrics_");
    const all = this.#sorted();
    // The metrics about this scrape come last, so that they show its failures.
    const inOrder = [...all.filter((family) => !isOwn(family)), ...all.filter(isOwn)];
    return inOrder.map((family) => this.#familyText(family)).join("");
  }

  #familyText(family: ExposedFamily): string {
    const { spec, type } = family;
    try {
      const shown = familyText({ spec, type, samples: family.samples() });
      this.#lastFailures.delete(spec.name);
      return shown;
    } catch (error) {
      this.#failures.with({ metric: spec.name }).inc();
      const reason = errorText(error);
      if (this.#lastFailures.get(spec.name) !== reason) {
        this.#lastFailures.set(spec.name, reason);
        logger.warn("Cannot read the metric {metric}: {reason}", { metric: spec.name, reason });
      }
      return "";
    }
  }

  #sorted(): ExposedFamily[] {
    const byName = (a: ExposedFamily, b: ExposedFamily): number =>
      a.spec.name < b.spec.name ? -1 : 1;
    return [...this.#families.values()].sort(byName);
  }

  #register<Label extends string, Series>(
    type: MetricType,
    spec: MetricSpec<Label>,
    init: {
      readonly create: () => Series;
      readonly lines: (series: Series, values: readonly string[]) => Iterable<Sample>;
    },
  ): Family<Label, Series> {
    checkSpec(type, spec);
    const found = this.#families.get(spec.name);
    if (found instanceof Family && found.type === type && isSame(found.spec, spec)) return found;
    if (found) {
      throw new TypeError(
        `Cannot register the metric ${spec.name}: another declaration has its name`,
      );
    }
    const maxSeries = this.#maxSeries;
    const onDropped = (metric: string): void => this.#drop(metric);
    const family = new Family<Label, Series>({ type, spec, ...init, maxSeries, onDropped });
    this.#families.set(spec.name, family);
    return family;
  }

  #drop(metric: string): void {
    const before = this.#dropped.size;
    this.#dropped.with({ metric }).inc();
    if (this.#dropped.size === before) return;
    logger.warn(
      "The metric {metric} has {count} series; further ones are not exposed: give its labels fewer values",
      { metric, count: this.#maxSeries },
    );
  }
}

/** A metric whose series are read at each scrape. */
class CollectedFamily<Label extends string> implements ExposedFamily {
  readonly spec: MetricSpec;
  readonly type: "counter" | "gauge";
  readonly #read: () => Iterable<CollectedSeries<Label>>;

  constructor(
    spec: MetricSpec,
    type: "counter" | "gauge",
    read: () => Iterable<CollectedSeries<Label>>,
  ) {
    this.spec = spec;
    this.type = type;
    this.#read = read;
  }

  /**
   * Returns the exposition lines of a collected metric. Of several series with equal labels only
   * the last is returned, since parsers refuse duplicates.
   */
  samples(): Iterable<Sample> {
    const lines = new Map<string, Sample>();
    for (const [labels, value] of this.#read()) {
      const values = (this.spec.labels ?? []).map((name) =>
        text((labels as Record<string, unknown>)[name])
      );
      lines.set(JSON.stringify(values), { suffix: "", values, value });
    }
    return lines.values();
  }
}

function* histogramLines(
  series: HistogramSeries,
  { values, bounds }: { readonly values: readonly string[]; readonly bounds: readonly number[] },
): Iterable<Sample> {
  const counts = series.cumulative();
  for (const [index, value] of counts.entries()) {
    yield { suffix: "_bucket", values, le: bounds[index] ?? Infinity, value };
  }
  yield { suffix: "_sum", values, value: series.sum };
  yield { suffix: "_count", values, value: counts.at(-1)! };
}

function isSame(one: MetricSpec, other: MetricSpec): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
