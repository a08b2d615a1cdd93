// Mirrors `metrics/custom_metrics/v1beta2/types.go, MetricValueList` and
// `metrics/external_metrics/v1beta1/types.go, ExternalMetricValueList`.

/** A query of an autoscaler for a custom metric of one object. */
export interface ObjectMetricQuery {
  /** The name of the custom metric, such as `http_requests`. */
  readonly metric: string;
  /** The label selector of the custom metric's series, as text; empty for all series. */
  readonly selector: string;
  /** The namespace of the object that the metric describes; for a Namespace, its own name. */
  readonly namespace: string;
  /**
   * The resource of the object, with its group: `pods`, `services`, `ingresses.networking.k8s.io`.
   */
  readonly resource: string;
  /** The name of the object that the metric describes. */
  readonly name: string;
}

/** A query of an autoscaler for the values of an external metric. */
export interface ExternalMetricQuery {
  /** The name of the external metric, such as `queue_length`. */
  readonly metric: string;
  /** The label selector of the external metric's series, as text; empty for all series. */
  readonly selector: string;
  /** The namespace of the autoscaler that queries the external metric. */
  readonly namespace: string;
}

/**
 * The functions that supply custom and external metrics in tests. The APIs `custom.metrics.k8s.io`
 * and `external.metrics.k8s.io` respond with their values; an API without a function is not served.
 */
export interface MetricsHandlers {
  /**
   * Returns the value of a custom metric of an object, as a quantity such as `12` or `500m`;
   * `undefined` when there is none.
   *
   * @default {the custom metrics API is not served}
   */
  readonly object?: (
    query: ObjectMetricQuery,
  ) => string | undefined | Promise<string | undefined>;
  /**
   * Returns the values of the series of an external metric, as quantities such as `12` or `500m`;
   * an empty list when there is none.
   *
   * @default {the external metrics API is not served}
   */
  readonly external?: (
    query: ExternalMetricQuery,
  ) => readonly string[] | Promise<readonly string[]>;
}
