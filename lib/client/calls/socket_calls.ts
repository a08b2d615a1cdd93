import type { WebSocketLike } from "../transport/dial.ts";
import type { AdmitOptions, CallOptions } from "./options.ts";
import type { RestRequest } from "./rest.ts";

/** A request of {@linkcode SocketCalls}. */
export interface SocketRequest extends Omit<CallOptions, "timeoutMs">, AdmitOptions {
  /** The absolute path below the URL of the server; see {@linkcode RestRequest.path}. */
  readonly path: string;
  /** The query; see {@linkcode RestRequest.query}. */
  readonly query?: RestRequest["query"];
  /** The supported subprotocols, by preference. */
  readonly protocols: readonly string[];
  /** Additional headers, as pairs. */
  readonly headers?: readonly (readonly [string, string])[] | undefined;
  /** The deadline of each try to connect, in milliseconds. @default {65_000} */
  readonly connectTimeoutMs?: number | undefined;
  /** Retries refusals that may be temporary. @default {true} */
  readonly retry?: boolean | undefined;
}

/** Opens WebSockets to the server, with credentials, deadlines and errors as of other calls. */
export interface SocketCalls {
  /**
   * Opens a WebSocket. It ends when the signal aborts or the client is closed.
   *
   * Retried by the rules for writes: only when the server surely did nothing.
   *
   * @throws {ApiError} When the server refuses. Its `method` is `CONNECT`.
   * @throws {UnreachableError} When there is no connection.
   */
  connect(request: SocketRequest): Promise<WebSocketLike>;
}
