/**
 * The port through which a webhook server publishes metrics; `managerMetrics().webhooks` implements
 * it.
 */
export interface WebhookMetrics {
  /**
   * Counts the start of a request to the webhook at `path`. The caller calls the returned function
   * at the end of the request, with the HTTP status code and the duration of the request in
   * seconds.
   */
  begin(path: string): (code: number, seconds: number) => void;
  /**
   * Counts a failed review: the handler threw an error other than a denial, returned a wrong
   * result, or none in time, or an object could not be converted.
   */
  failed(webhook: "admission" | "conversion"): void;
}
