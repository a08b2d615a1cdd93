import type { AdmitOptions, CallOptions } from "./options.ts";

/** A value of a query; `undefined` is left out, and a list repeats the name. */
export type QueryValue = NonNullable<RestRequest["query"]>[string];

/** A request of {@linkcode RestCalls}. */
export interface RestRequest extends CallOptions, AdmitOptions {
  /** The HTTP method. @default {"GET"} */
  readonly method?: string | undefined;
  /**
   * The absolute path below the URL of the server, without a query; its segments are
   * percent-encoded: `/apis/apps/v1/deployments`.
   */
  readonly path: string;
  /** The query; `undefined` is left out, and a list repeats the name. */
  readonly query?:
    | Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
    | undefined;
  /** The body: text or bytes as they are, anything else as JSON. */
  readonly body?: unknown;
  /** Additional headers, as pairs, so that a name may repeat. */
  readonly headers?: readonly (readonly [string, string])[] | undefined;
  /** The media type of the body. @default {"application/json"} */
  readonly contentType?: string | undefined;
  /** Retries refusals that may be temporary, and reads whose connection broke. @default {true} */
  readonly retry?: boolean | undefined;
  /** The deadline of the headers of each try, in milliseconds. @default {65_000} */
  readonly headersTimeoutMs?: number | undefined;
  /** The longest wait for a byte of the body, in milliseconds. @default {65_000} */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * The largest answer that is read as a whole, decompressed, in bytes. Answers of {@linkcode
   * RestCalls.request} are streams and have no limit.
   *
   * @default {134_217_728}
   */
  readonly maxBytes?: number | undefined;
  /** The name of the answer for messages: `watch of pods.v1`. */
  readonly what?: string | undefined;
}

/** Sends requests to any path of the server, with credentials, deadlines, retries and errors. */
export interface RestCalls {
  /**
   * Sends a request. Resolves once the headers of a successful answer arrived; the caller reads or
   * cancels the body.
   *
   * @throws {ApiError} When the server refuses (300 and above).
   * @throws {UnreachableError} When there is no connection.
   * @throws {TypeError} When the path is invalid.
   */
  request(request: RestRequest): Promise<Response>;

  /**
   * Sends a request, reads the whole answer and parses it.
   *
   * @throws {AnswerTooLargeError} When the answer is longer than `maxBytes`.
   * @throws {DecodeError} When the answer is not JSON.
   */
  requestJson<T>(request: RestRequest): Promise<T>;
}
