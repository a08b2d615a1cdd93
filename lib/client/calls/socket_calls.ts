import type { WebSocketLike } from "../transport/dial.ts";
import type { AdmitOptions, CallOptions } from "./options.ts";
import type { RestRequest } from "./rest.ts";

/** A request to open a WebSocket; the argument of {@linkcode SocketCalls.connect}. */
export interface SocketRequest extends Omit<CallOptions, "timeoutMs">, AdmitOptions {
  /**
   * The absolute path of the WebSocket below the URL of the server; see {@linkcode
   * RestRequest.path}.
   */
  readonly path: string;
  /** The query parameters of the WebSocket request; see {@linkcode RestRequest.query}. */
  readonly query?: RestRequest["query"];
  /** The WebSocket subprotocols that the client supports, by preference. */
  readonly protocols: readonly string[];
  /** Additional headers of the WebSocket request, as pairs. */
  readonly headers?: readonly (readonly [string, string])[] | undefined;
  /**
   * The deadline of each attempt to connect the WebSocket, in milliseconds; 0 is no deadline.
   *
   * @default {65_000}
   */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * Sets whether the client repeats a failed attempt to open the WebSocket when the server
   * certainly did nothing.
   *
   * @default {true}
   */
  readonly retry?: boolean | undefined;
}

/**
 * The interface through which a client opens WebSockets to the server, with credentials, deadlines
 * and errors.
 */
export interface SocketCalls {
  /**
   * Opens a WebSocket to the server and returns it once it is open. The WebSocket ends when the
   * signal aborts or the client is closed.
   *
   * The client retries a failed attempt by the rules for writes: only when the server certainly did
   * nothing.
   *
   * @throws {ApiError} When the server refuses. The `method` of the error is `CONNECT`.
   * @throws {UnreachableError} When there is no connection, or no response within
   * `connectTimeoutMs`.
   * @throws {ConfigError} When the credentials cannot be obtained, or this process may not read the
   * environment variables of the package `ws`.
   * @throws {TypeError} When the path is invalid, or the client was created with a `fetch` and
   * without a `dial`.
   */
  connect(request: SocketRequest): Promise<WebSocketLike>;
}
