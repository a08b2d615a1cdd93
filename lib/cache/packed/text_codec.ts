/** A codec for the JSON text of packed objects in memory, plain or compressed. */
export interface TextCodec {
  /** Returns the encoded bytes of a JSON text. They may be valid until the next call only. */
  encode(text: Uint8Array): Uint8Array;
  /** Returns the UTF-8 bytes of the JSON text that the stored bytes encode. */
  decode(kept: Uint8Array): Uint8Array;
}

/** The text codec that stores JSON text unchanged. */
export const plainCodec: TextCodec = {
  encode: (text) => text,
  decode: (kept) => kept,
};
