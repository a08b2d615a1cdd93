/** The result of decoding some bytes. */
export interface Decoded {
  /** The bytes of the body: a view, whose bytes may have been moved together. */
  readonly body: Uint8Array;
  /** The number of consumed bytes; less than all only at the end of the body. */
  readonly used: number;
  /** Whether the body is complete. */
  readonly done: boolean;
}

/** Extracts the bytes of a body from those of a connection. */
export interface BodyDecoder {
  /**
   * Decodes the next bytes, which it may change.
   *
   * @throws {ProtocolError} When they cannot be part of this body.
   */
  push(bytes: Uint8Array): Decoded;
  /** Whether the body is complete when the connection ends now. */
  readonly endsByClose: boolean;
}
