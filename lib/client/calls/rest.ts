import type { AdmitOptions, CallOptions } from "./options.ts";

/**
 * The value of a query parameter; `undefined` and an empty text are left out, and a list repeats
 * the name.
 */
export type QueryValue = NonNullable<RestRequest["query"]>[string];

/**
 * A REST request to any path of the server; the argument of the methods of {@linkcode RestCalls}.
 */
export interface RestRequest extends CallOptions, AdmitOptions {
  /** The HTTP method of the request, in any case. @default {"GET"} */
  readonly method?: string | undefined;
  /**
   * The absolute path of the request below the URL of the server, without a query; its segments are
   * percent-encoded: `/apis/apps/v1/deployments`.
   */
  readonly path: string;
  /**
   * The query parameters of the request; `undefined` and an empty text are left out, and a list
   * repeats the name.
   */
  readonly query?:
    | Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
    | undefined;
  /** The request body: text or bytes unchanged, anything else as JSON; none if `undefined`. */
  readonly body?: unknown;
  /**
   * Additional request headers, as pairs, so that a name may repeat. An `Accept` header replaces
   * that of the client, `application/json`.
   */
  readonly headers?: readonly (readonly [string, string])[] | undefined;
  /** The media type of the request body. @default {"application/json"} */
  readonly contentType?: string | undefined;
  /**
   * Sets whether the client repeats a failed attempt where that is safe: after a temporary refusal,
   * after a lost connection (reads only), and when the connection was never made.
   *
   * @default {true}
   */
  readonly retry?: boolean | undefined;
  /**
   * The deadline for the response headers of each attempt, in milliseconds; 0 is no deadline.
   *
   * @default {65_000}
   */
  readonly headersTimeoutMs?: number | undefined;
  /**
   * The longest wait for a byte of the response body, in milliseconds; 0 is no limit.
   *
   * @default {65_000}
   */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * The largest response body that the client reads as a whole, decompressed, in bytes; a longer
   * body rejects with an AnswerTooLargeError. Responses of {@linkcode RestCalls.request} are
   * streams and have no limit.
   *
   * @default {134_217_728}
   */
  readonly maxBytes?: number | undefined;
  /**
   * The name of the REST response for error messages: `watch of pods.v1`.
   *
   * @default {"answer to METHOD PATH"}
   */
  readonly what?: string | undefined;
}

/** Returns the HTTP method of a request in upper case, as the client sends it. */
export function methodOf({ method = "GET" }: Pick<RestRequest, "method">): string {
  return method.toUpperCase();
}

/**
 * The interface through which a client sends REST requests to any path of the server, with
 * credentials, deadlines, retries and errors.
 */
export interface RestCalls {
  /**
   * Sends a REST request and returns the response once the headers of a successful response
   * arrived; the caller reads or cancels the body. Reading it rejects with a StreamBrokenError when
   * the connection breaks, and with an IdleTimeoutError when no byte arrives for `idleTimeoutMs`.
   *
   * @throws {ApiError} When the server responds with a status of 300 or above.
   * @throws {UnreachableError} When there is no connection, or no response before a deadline.
   * @throws {RateLimitedError} When the rate limit would admit the request only after its deadline.
   * @throws {ConfigError} When the credentials, or a certificate file, cannot be obtained.
   * @throws {TypeError} When the path or the body is invalid.
   */
  request(request: RestRequest): Promise<Response>;

  /**
   * Sends a REST request and returns the whole response body, parsed as JSON. Rejects also as
   * {@linkcode RestCalls.request} does, such as with an ApiError or an UnreachableError.
   *
   * @throws {AnswerTooLargeError} When the response is longer than `maxBytes`.
   * @throws {DecodeError} When the response is not JSON.
   * @throws {StreamBrokenError} When the connection broke within the body.
   * @throws {IdleTimeoutError} When no byte of the body arrived for `idleTimeoutMs`.
   */
  requestJson<T>(request: RestRequest): Promise<T>;
}
