/** The receiver of the figures of a webhook server; `managerMetrics().webhooks` is one. */
export interface WebhookMetrics {
  /**
   * Counts the start of a request to the webhook at `path`. The returned function counts its end, with
   * the HTTP status code and the time that it took, in seconds.
   */
  begin(path: string): (code: number, seconds: number) => void;
  /** Counts a handler that failed: one that threw, or gave a wrong result or none in time. */
  failed(webhook: "admission" | "conversion"): void;
}
