import type { HeaderPair } from "../transport/http1/header_pair.ts";

/**
 * A REST call, or the request for a WebSocket (method `CONNECT`), with its URL, headers and body,
 * which `HttpCalls` sends once per attempt.
 */
export interface PreparedCall {
  /** The HTTP method of the call. */
  readonly method: string;
  /** The path of the call below the URL of the server, for error messages and warnings. */
  readonly path: string;
  /** The URL that the call is sent to, with its query. */
  readonly url: string;
  /**
   * The callback that throws when the call must not be sent now; the transport calls it immediately
   * before it writes the call to a connection. `undefined` admits every call.
   */
  readonly admit: (() => void) | undefined;
  /** The request body of the call; `undefined` without a body. */
  readonly body: string | Uint8Array | undefined;
  /** The HTTP headers of the call, without `User-Agent` and credentials. */
  readonly headers: readonly HeaderPair[];
  /** The deadline of the call, retries included, in milliseconds; 0 is no deadline. */
  readonly timeoutMs: number;
  /** The deadline for the response headers of each attempt, in milliseconds; 0 is no deadline. */
  readonly headersTimeoutMs: number;
  /** The name of the call's expected response, for error messages. */
  readonly what: string;
}
