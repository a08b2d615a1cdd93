/** What was decoded of some bytes. */
export interface Decoded {
  /** The body's part of them: a view, whose bytes may have been moved together. */
  readonly body: Uint8Array;
  /** How many were taken. Less than all only when the body is done. */
  readonly used: number;
  /** Whether the body is whole. */
  readonly done: boolean;
}

/** Takes the bytes of a body out of what comes over the wire. */
export interface BodyDecoder {
  /**
   * Takes the next bytes, which it may change.
   *
   * @throws {ProtocolError} When they cannot be of this body.
   */
  push(bytes: Uint8Array): Decoded;
  /** Whether the body is whole when the connection ends now. */
  readonly endsByClose: boolean;
}
