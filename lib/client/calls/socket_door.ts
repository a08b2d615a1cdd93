import type { WebSocketLike } from "../transport/dial.ts";
import type { CallOptions } from "./options.ts";
import type { RestRequest } from "./rest.ts";

/** One call of the WebSocket door. */
export interface SocketRequest extends Omit<CallOptions, "timeoutMs"> {
  /** The absolute path below the server's URL, as of {@linkcode RestRequest.path}. */
  readonly path: string;
  /** The query. */
  readonly query?: RestRequest["query"];
  /** The subprotocols spoken, the best first. */
  readonly protocols: readonly string[];
  /** More headers, as pairs. */
  readonly headers?: readonly (readonly [string, string])[] | undefined;
  /** The deadline for the connection to be open, each try of its own. @default {65_000} */
  readonly connectTimeoutMs?: number | undefined;
  /** Whether refusals that may pass are tried again. @default {true} */
  readonly retry?: boolean | undefined;
}

/** WebSockets to the server, with credentials, deadlines and errors as for every other call. */
export interface SocketDoor {
  /**
   * Opens a WebSocket. The signal ends it later, too; so does closing the client.
   *
   * It is taken for a write: tried again only when the server surely did nothing.
   *
   * @throws {ApiError} When the server refuses. Its `method` is `CONNECT`.
   * @throws {UnreachableError} When there is no connection.
   */
  connect(request: SocketRequest): Promise<WebSocketLike>;
}
