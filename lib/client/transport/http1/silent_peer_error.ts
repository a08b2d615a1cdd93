/** The error of a server that answers neither on a connection nor to a liveness probe. */
export class SilentPeerError extends Error {
  /** The name of this error class, `SilentPeerError`. */
  override readonly name = "SilentPeerError";
  /** The code `ETIMEDOUT`, which the system uses for a connection that TCP closed as dead. */
  readonly code = "ETIMEDOUT";

  /**
   * Creates the error of a connection that was silent for `silentMs` milliseconds; `answerMs` is
   * the deadline of the liveness probe that got no response, in milliseconds.
   */
  constructor(readonly silentMs: number, answerMs: number) {
    super(
      `no byte came for ${Math.round(silentMs)} ms, and no answer to another request within ` +
        `${answerMs} ms`,
    );
  }
}
