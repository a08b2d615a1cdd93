/** What came is not HTTP/1.1, or not such as may be trusted. */
export class ProtocolError extends Error {
  /** The error's name, the same for every instance. */
  override readonly name = "ProtocolError";
  /** As Node's parser calls its errors. */
  readonly code: `HPE_${string}`;

  /** Makes the error; `what` says what was wrong. */
  constructor(code: `HPE_${string}`, what: string) {
    super(`Parse Error: ${what}`);
    this.code = code;
  }
}

/** The peer closed the connection; `text` as Node says it. */
export function connectionReset(text: "socket hang up" | "aborted"): Error {
  return Object.assign(new Error(text), { code: "ECONNRESET" });
}
