/** The error of received data that is not HTTP/1.1, or ambiguous and therefore unsafe. */
export class ProtocolError extends Error {
  /** The name of this error class, `ProtocolError`. */
  override readonly name = "ProtocolError";
  /** The code of the HTTP error, in the form of Node's parser. */
  readonly code: `HPE_${string}`;

  /** Creates the error of received data that is not HTTP/1.1; `what` describes the violation. */
  constructor(code: `HPE_${string}`, what: string) {
    super(`Parse Error: ${what}`);
    this.code = code;
  }
}

/**
 * Returns the error of a connection that the peer closed, with the code `ECONNRESET` and a text of
 * Node: `aborted` within a response body, otherwise `socket hang up`.
 */
export function connectionReset(text: "socket hang up" | "aborted"): Error {
  return Object.assign(new Error(text), { code: "ECONNRESET" });
}
