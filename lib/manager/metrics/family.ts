import type { LabelValues, MetricSpec, MetricType } from "./metric_spec.ts";

/** One line of a metric's exposition: the suffix of the metric name, labels and value. */
export interface Sample {
  /**
   * The suffix of the metric's name in the line: `_bucket`, `_sum` or `_count`; empty for counters
   * and gauges.
   */
  readonly suffix: string;
  /** The values of the metric's declared labels, in their order. */
  readonly values: readonly string[];
  /** The upper bound of the histogram bucket that the exposition line is about. @default none */
  readonly le?: number | undefined;
  /** The value of the series in the exposition line. */
  readonly value: number;
}

/** A metric with all its series, as the registry exposes it. */
export interface ExposedFamily {
  /** The declaration of the exposed metric. */
  readonly spec: MetricSpec;
  /** The type of the exposed metric. */
  readonly type: MetricType;
  /** Returns the present exposition lines of the metric. */
  samples(): Iterable<Sample>;
}

/** A metric and its series, one per combination of label values. */
export interface Metric<Label extends string, Series> {
  /** The number of exposed series of the metric. */
  readonly size: number;
  /**
   * Returns the series of the given label values, which the first call creates. Above the maximum
   * number of series, returns one shared series that is not exposed. A caller that uses the series
   * often should keep it, since the lookup costs more than the update.
   */
  with(labels: LabelValues<Label>): Series;
  /**
   * Removes the series of the given label values, for example because their subject no longer
   * exists; the series is then not exposed, even if a caller still updates it.
   */
  remove(labels: LabelValues<Label>): void;
}

/** Options of {@linkcode Family}, a metric with its series. */
export interface FamilyInit<Series> {
  /** The type of the metric family. */
  readonly type: MetricType;
  /** The declaration of the metric family. */
  readonly spec: MetricSpec;
  /** Creates a series of the metric without values. */
  readonly create: () => Series;
  /** Returns the exposition lines of a series. */
  readonly lines: (series: Series, values: readonly string[]) => Iterable<Sample>;
  /** The maximum number of series of the metric. */
  readonly maxSeries: number;
  /**
   * The callback that the family calls with the name of the metric for each use of a series above
   * the maximum number.
   */
  readonly onDropped: (name: string) => void;
}

interface Kept<Series> {
  readonly values: readonly string[];
  readonly series: Series;
}

/**
 * A metric and its series, one per combination of label values. Above the maximum number of series,
 * further combinations share one series that is not exposed, so that a label with unbounded values
 * cannot exhaust the memory of the process or of Prometheus.
 */
export class Family<Label extends string, Series> implements ExposedFamily, Metric<Label, Series> {
  /** The declaration of the metric family. */
  readonly spec: MetricSpec;
  /** The type of the metric family. */
  readonly type: MetricType;
  readonly #init: FamilyInit<Series>;
  readonly #labels: readonly string[];
  readonly #series = new Map<string, Kept<Series>>();
  #dropped: Series | undefined;

  /** Creates a metric; a metric without labels gets its only series at once. */
  constructor(init: FamilyInit<Series>) {
    this.#init = init;
    this.spec = init.spec;
    this.type = init.type;
    this.#labels = init.spec.labels ?? [];
    if (this.#labels.length === 0) this.with({} as LabelValues<Label>);
  }

  /** The number of exposed series of the metric. */
  get size(): number {
    return this.#series.size;
  }

  /**
   * Returns the series of the given label values, which the first call creates. Above the maximum
   * number of series, returns one shared series that is not exposed. A caller that uses the series
   * often should keep it, since the lookup costs more than the update.
   */
  with(labels: LabelValues<Label>): Series {
    const values = this.#labels.map((name) => text((labels as Record<string, unknown>)[name]));
    const key = keyOf(values);
    const kept = this.#series.get(key);
    if (kept) return kept.series;
    if (this.#series.size >= this.#init.maxSeries) {
      this.#init.onDropped(this.spec.name);
      return this.#dropped ??= this.#init.create();
    }
    const series = this.#init.create();
    this.#series.set(key, { values, series });
    return series;
  }

  /** Removes the series of the given label values; see {@linkcode Metric.remove}. */
  remove(labels: LabelValues<Label>): void {
    const values = this.#labels.map((name) => text((labels as Record<string, unknown>)[name]));
    this.#series.delete(keyOf(values));
  }

  *samples(): Iterable<Sample> {
    for (const { values, series } of this.#series.values()) {
      yield* this.#init.lines(series, values);
    }
  }
}

/**
 * Returns a label value as text without lone surrogates, which UTF-8 cannot encode; an absent value
 * becomes an empty text.
 */
export function text(value: unknown): string {
  return String(value ?? "").toWellFormed();
}

/**
 * Returns a key for the label values of a series; keys are equal only for equal lists of values.
 */
function keyOf(values: readonly string[]): string {
  if (values.length === 1) return values[0]!;
  return values.map((value) => `${value.length}:${value}`).join("");
}
