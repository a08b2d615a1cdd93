/** The error that a metric cannot be evaluated, with the reason of the condition and event about it. */
export class MetricError extends Error {
  override readonly name = "MetricError";
  readonly reason: string;
  /** The message of the condition and of the event. */
  readonly detail: string;

  constructor(reason: string, detail: string, message: string) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}
