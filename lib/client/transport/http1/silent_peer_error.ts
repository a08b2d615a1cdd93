/** The peer says nothing any more, neither on a connection nor to another request. */
export class SilentPeerError extends Error {
  /** The error's name, the same for every instance. */
  override readonly name = "SilentPeerError";
  /** As the system says of a connection that TCP gave up. */
  readonly code = "ETIMEDOUT";

  /** Makes the error of a connection that was silent for so long, in milliseconds. */
  constructor(readonly silentMs: number, answerMs: number) {
    super(
      `no byte came for ${Math.round(silentMs)} ms, and no answer to another request within ` +
        `${answerMs} ms`,
    );
  }
}
