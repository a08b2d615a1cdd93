/**
 * An error about a metric that cannot be evaluated, with the reason for the condition and the event
 * of the HorizontalPodAutoscaler.
 */
export class MetricError extends Error {
  override readonly name = "MetricError";
  readonly reason: string;
  /**
   * The message about the failed metric in the autoscaler's condition `ScalingActive` and in the
   * event with `reason`; the inherited `message` is that of the event
   * `FailedComputeMetricsReplicas`.
   */
  readonly detail: string;

  constructor(reason: string, detail: string, message: string) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}
