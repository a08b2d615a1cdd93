import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A connection that stands, ready for HTTP. */
export interface Wire {
  /** What is written here reaches the server, and the other way round. */
  readonly stream: Duplex;
  /**
   * What it stands on: pausing that slows the server down, and it keeps the process alive. Without
   * TLS the stream itself.
   */
  readonly below: Socket;
}
