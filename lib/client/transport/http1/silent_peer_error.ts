/** A peer that answers neither on a connection nor to another request. */
export class SilentPeerError extends Error {
  /** The name of the error. */
  override readonly name = "SilentPeerError";
  /** The code of the system for a connection that TCP gave up. */
  readonly code = "ETIMEDOUT";

  /** Creates the error of a connection that was silent for `silentMs` milliseconds. */
  constructor(readonly silentMs: number, answerMs: number) {
    super(
      `no byte came for ${Math.round(silentMs)} ms, and no answer to another request within ` +
        `${answerMs} ms`,
    );
  }
}
