/** The type of a metric, as in the text exposition format of Prometheus. */
export type MetricType = "counter" | "gauge" | "histogram";

/** The declaration of a metric. */
export interface MetricSpec<Label extends string = string> {
  /** The name of the metric, such as `shop_orders_total`. */
  readonly name: string;
  /** The help text of the metric: its meaning, in one sentence. */
  readonly help: string;
  /** The names of the labels of the metric, in the order of the exposition. @default none */
  readonly labels?: readonly Label[] | undefined;
}

/** The declaration of a histogram. */
export interface HistogramSpec<Label extends string = string> extends MetricSpec<Label> {
  /**
   * The inclusive upper bounds of the histogram's buckets, ascending; the histogram adds an
   * unbounded bucket.
   */
  readonly buckets: readonly number[];
}

/** The labels of one series, with their values. */
export type LabelValues<Label extends string = string> = Readonly<Record<Label, string>>;

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * Checks the declaration of a metric.
 *
 * @throws {TypeError} When the name of the metric or of a label is not valid in Prometheus, a label
 * is declared twice, or the buckets of a histogram are missing, not finite or not ascending.
 */
export function checkSpec(type: MetricType, spec: MetricSpec & Partial<HistogramSpec>): void {
  const { name, labels = [], buckets } = spec;
  const refuse = (reason: string): never => {
    throw new TypeError(`Cannot register the metric ${JSON.stringify(name)}: ${reason}`);
  };
  if (!METRIC_NAME.test(name)) {
    refuse("its name must consist of letters, digits, _ and :, and begin with no digit");
  }
  for (const label of labels) {
    if (!LABEL_NAME.test(label) || (type === "histogram" && label === "le")) {
      refuse(`${JSON.stringify(label)} cannot be a label of a ${type}`);
    }
  }
  if (new Set(labels).size < labels.length) refuse("a label is declared twice");
  if (type !== "histogram") return;
  const ascends = buckets?.every((bound, index) =>
    Number.isFinite(bound) && (index === 0 || bound > buckets[index - 1]!)
  );
  if (!ascends || buckets!.length === 0) refuse("its buckets must be finite and ascend");
}
