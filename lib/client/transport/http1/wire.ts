import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/**
 * An open network connection, with TLS if the server requires it, on which a {@linkcode
 * HttpConnection} or a WebSocket is based.
 */
export interface Wire {
  /** The stream of data to and from the server over the network connection. */
  readonly stream: Duplex;
  /**
   * The socket below the connection's TLS stream, or the stream itself without TLS. Pausing the
   * socket slows the server down; an open socket keeps the process alive.
   */
  readonly below: Socket;
  /**
   * Sets the check that the connection calls before it sends data; `undefined` removes the check.
   * For connections that send data later than it is written, since TLS encrypts data in another
   * turn of the event loop; absent if the connection sends data at once.
   */
  readonly checkLeaving?: ((check: (() => void) | undefined) => void) | undefined;
}
