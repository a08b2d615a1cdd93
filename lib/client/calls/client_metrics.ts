/**
 * Provider of a client's metrics, to be implemented over any metrics library
 * (tools/metrics/metrics.go, RegisterOpts). The names in parentheses are those of client-go.
 *
 * The methods are called for each request and must not throw.
 */
export interface ClientMetrics {
  /**
   * Counts a request that was sent (`rest_client_requests_total`,
   * `rest_client_request_duration_seconds`, `rest_client_request_size_bytes`).
   */
  sent(request: {
    /** The HTTP method, as `GET`. */
    readonly method: string;
    /** The host and port of the server, as in the URL. */
    readonly host: string;
    /** The status of the answer, as `200`; `<error>` when there was none. */
    readonly code: string;
    /** The time until the headers of the answer, in seconds. */
    readonly seconds: number;
    /** The size of the body of the request, in bytes; 0 without one. */
    readonly bytes: number;
  }): void;
  /** Adds the size of the body of an answer that was read as a whole (`rest_client_response_size_bytes`). */
  received(method: string, host: string, bytes: number): void;
  /** Adds the time that a request waited for its turn (`rest_client_rate_limiter_duration_seconds`). */
  waited(method: string, host: string, seconds: number): void;
  /** Counts a request that is sent again after an answer or an error (`rest_client_request_retries_total`). */
  retried(method: string, host: string, code: string): void;
}
