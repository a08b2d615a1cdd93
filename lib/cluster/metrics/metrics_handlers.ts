// Mirrors `metrics/custom_metrics/v1beta2/types.go, MetricValueList` and
// `metrics/external_metrics/v1beta1/types.go, ExternalMetricValueList`.

/** The question of an autoscaler for the value of a metric of one object. */
export interface ObjectMetricQuery {
  /** The name of the metric, such as `http_requests`. */
  readonly metric: string;
  /** The label selector of the metric's series, as text; empty for all. */
  readonly selector: string;
  /** The namespace of the object that the metric describes. */
  readonly namespace: string;
  /** The resource of the object, with its group: `pods`, `services`, `ingresses.networking.k8s.io`. */
  readonly resource: string;
  /** The name of the object. */
  readonly name: string;
}

/** The question of an autoscaler for the values of a metric that describes no object. */
export interface ExternalMetricQuery {
  /** The name of the metric, such as `queue_length`. */
  readonly metric: string;
  /** The label selector of the metric's series, as text; empty for all. */
  readonly selector: string;
  /** The namespace of the autoscaler that asks. */
  readonly namespace: string;
}

/**
 * The functions that a test supplies as the source of metrics other than CPU and memory. The APIs
 * `custom.metrics.k8s.io` and `external.metrics.k8s.io` answer with them; without a function its API is
 * not served.
 */
export interface MetricsHandlers {
  /**
   * Returns the value of a metric of an object, as a quantity such as `12` or `500m`; `undefined` when
   * there is none.
   *
   * @default {the custom metrics API is not served}
   */
  readonly object?: (
    query: ObjectMetricQuery,
  ) => string | undefined | Promise<string | undefined>;
  /**
   * Returns the values of the series of a metric, as quantities.
   *
   * @default {the external metrics API is not served}
   */
  readonly external?: (
    query: ExternalMetricQuery,
  ) => readonly string[] | Promise<readonly string[]>;
}
