import { markClass } from "@xca/apimachinery/internal/base";

/** The close code and reason with which a WebSocket ended. */
export type SocketClose = Awaited<WebSocketLike["closed"]>;

/**
 * The interface of an open WebSocket that is read on demand: while messages are not read, the peer
 * is slowed down. Disposing it closes the connection at once.
 */
export interface WebSocketLike extends Disposable {
  /** The WebSocket subprotocol that the server chose; empty when it chose none. */
  readonly protocol: string;
  /** A promise that resolves when the WebSocket has ended, for any reason. Never rejects. */
  readonly closed: Promise<{
    /**
     * The code of the WebSocket's close frame; 1005 when it had none, 1006 when there was no close
     * frame.
     */
    readonly code: number;
    /** The reason text in the WebSocket's close frame; empty when there was none. */
    readonly reason: string;
  }>;
  /**
   * Returns the next message of the WebSocket, text as UTF-8; `undefined` after an end by a close
   * frame, whatever its code. One call at a time.
   *
   * @throws {Error} When the connection was lost.
   */
  receive(): Promise<Uint8Array | undefined>;
  /**
   * Sends a binary message on the WebSocket; resolves when the network has taken the message.
   *
   * @throws {Error} When the connection has ended.
   */
  send(message: Uint8Array): Promise<void>;
  /** Begins the closing handshake of the WebSocket, with code 1000 by default. */
  close(code?: number, reason?: string): void;
}

/**
 * A function that opens a WebSocket to a `ws:` or `wss:` URL: the network of exec, attach and
 * port-forward, as {@linkcode Fetch} is that of other calls. A header that occurs several times
 * must be sent as often. The signal aborts the attempt, and closes the connection later. The
 * function calls `admit` when the connection is open, before it writes the request; if `admit`
 * throws, the function rejects with that error.
 *
 * @throws {UpgradeRefused} When the server answers with anything but the upgrade.
 */
export type Dial = (
  url: string,
  protocols: readonly string[],
  headers: readonly (readonly [name: string, value: string])[],
  signal: AbortSignal,
  admit?: () => void,
) => Promise<WebSocketLike>;

/**
 * The error of a WebSocket request that the server answered with anything but the upgrade, usually
 * a refusal.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, createClient, UpgradeRefused } from "@xca/operator/client";
 *
 * // A Dial of one's own hands a refusal on; the client makes an ApiError of it.
 * const dial = () => {
 *   const status = { kind: "Status", apiVersion: "v1", code: 403, message: "no exec here" };
 *   return Promise.reject(new UpgradeRefused(Response.json(status, { status: 403 })));
 * };
 * using client = createClient({ server: "https://example.invalid" }, { dial });
 * await assert.rejects(
 *   client.connect({ path: "/api/v1/namespaces/default/pods/web/exec", protocols: [] }),
 *   (error) => error instanceof ApiError && error.message === "no exec here",
 * );
 * ```
 */
export class UpgradeRefused extends Error {
  /** The name of this error class, `UpgradeRefused`. */
  override readonly name = "UpgradeRefused";
  /** The HTTP response that refused the WebSocket; its body is unread. */
  readonly response: Response;

  /** Creates the error for the response of a server that refused a WebSocket. */
  constructor(response: Response) {
    super(`the server answered ${response.status} to a request for a WebSocket`);
    this.response = response;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/UpgradeRefused"));
  }
}
