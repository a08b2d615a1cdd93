import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** An open network connection, with TLS if any, ready for HTTP. */
export interface Wire {
  /** The stream of data to and from the server. */
  readonly stream: Duplex;
  /**
   * The socket below the connection's TLS stream, or the stream itself without TLS. Pausing it
   * slows the server down, and it keeps the process alive.
   */
  readonly below: Socket;
  /**
   * Sets the check of data that leaves later than it is written, because TLS encrypts it in another turn of
   * the event loop; absent where data leaves at once.
   */
  readonly checkLeaving?: ((check: (() => void) | undefined) => void) | undefined;
}
