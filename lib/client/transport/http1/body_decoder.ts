/** The result of decoding some bytes of an HTTP body. */
export interface Decoded {
  /**
   * The decoded bytes of the HTTP body, empty for none: a view of the pushed bytes, in which the
   * decoder may have moved the data together.
   */
  readonly body: Uint8Array;
  /** The number of bytes that the decoder consumed; less than all only at the end of the body. */
  readonly used: number;
  /** Reports whether the HTTP body is complete. */
  readonly done: boolean;
}

/** The interface of a decoder that extracts an HTTP body from the bytes of a connection. */
export interface BodyDecoder {
  /**
   * Returns the part of the body that the next bytes of the connection contain. The decoder may
   * change these bytes in place.
   *
   * @throws {ProtocolError} When the bytes cannot be part of this body.
   */
  push(bytes: Uint8Array): Decoded;
  /** Reports whether the end of the connection is the regular end of the HTTP body. */
  readonly endsByClose: boolean;
}
