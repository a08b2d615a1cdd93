/**
 * The interface through which a client publishes metrics, to be implemented over any metrics
 * library (tools/metrics/metrics.go, RegisterOpts). The names in parentheses are those of
 * client-go.
 *
 * The client calls the methods in the course of each request. The methods must not throw. Requests
 * for WebSockets count only in `waited` and `retried`, with the method `CONNECT`.
 */
export interface ClientMetrics {
  /**
   * Records the count, duration and size of one attempt of an HTTP request that the client sent
   * (`rest_client_requests_total`, `rest_client_request_duration_seconds`,
   * `rest_client_request_size_bytes`).
   */
  sent(request: {
    /** The HTTP method of the measured request, such as `GET`. */
    readonly method: string;
    /**
     * The host and port of the measured request's server, as in the URL; the host alone for the
     * default port.
     */
    readonly host: string;
    /**
     * The HTTP status code of the response, such as `200`; `<error>` when there was no response.
     */
    readonly code: string;
    /** The time from the request to the headers of the response, or to its failure, in seconds. */
    readonly seconds: number;
    /** The size of the measured request's body, in bytes; 0 without one. */
    readonly bytes: number;
  }): void;
  /**
   * Records the size in bytes of the decompressed body of a successful response that the client
   * read as a whole (`rest_client_response_size_bytes`).
   */
  received(method: string, host: string, bytes: number): void;
  /**
   * Records the time in seconds, possibly 0, that an attempt of a request waited for the rate
   * limit; not called for a client without a rate limit
   * (`rest_client_rate_limiter_duration_seconds`).
   */
  waited(method: string, host: string, seconds: number): void;
  /**
   * Counts a retry of a request, before the wait for it (`rest_client_request_retries_total`).
   * `code` is the HTTP status code of the refusal, or `<error>` after another failure.
   */
  retried(method: string, host: string, code: string): void;
}
