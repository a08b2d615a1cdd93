/** How a WebSocket ended. */
export type SocketClose = Awaited<WebSocketLike["closed"]>;

/**
 * An open WebSocket, read at the reader's pace: what is not received yet slows the peer down.
 * Disposing it ends the connection at once.
 */
export interface WebSocketLike extends Disposable {
  /** The subprotocol that the server chose. */
  readonly protocol: string;
  /** Settles when the connection has ended, however. Never rejects. */
  readonly closed: Promise<{
    /** The code of the close frame; 1005 when it had none, 1006 when none came at all. */
    readonly code: number;
    /** Its text. */
    readonly reason: string;
  }>;
  /**
   * The next message, text as UTF-8; `undefined` after an orderly end. One call at a time.
   *
   * @throws {Error} When the connection was lost.
   */
  receive(): Promise<Uint8Array | undefined>;
  /**
   * Sends one binary message; settles when the network has taken it.
   *
   * @throws {Error} When the connection has ended.
   */
  send(message: Uint8Array): Promise<void>;
  /** Begins an orderly end. */
  close(code?: number, reason?: string): void;
}

/**
 * The network for connections that both sides write to, next to {@linkcode Fetch}: opens a WebSocket
 * to a `ws:` or `wss:` URL. A header may come several times, and must then be sent so. The signal ends the attempt, and later the connection.
 *
 * @throws {UpgradeRefused} When the server answers with anything but the upgrade.
 */
export type Dial = (
  url: string,
  protocols: readonly string[],
  headers: readonly (readonly [name: string, value: string])[],
  signal: AbortSignal,
) => Promise<WebSocketLike>;

/**
 * The server answered a request for a WebSocket as any other request, usually with a refusal.
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
  /** The error's name, the same for every instance. */
  override readonly name = "UpgradeRefused";
  /** The answer, its body unread. */
  readonly response: Response;

  /** Makes the error of an answer. */
  constructor(response: Response) {
    super(`the server answered ${response.status} where a WebSocket was asked for`);
    this.response = response;
  }
}
