/**
 * A codec for the JSON text of packed objects in memory; each packer has one, plain or compressing.
 */
export interface TextCodec {
  /**
   * Returns the encoded bytes of a JSON text. The bytes may be `text` itself, or valid until the
   * next call only: the caller copies them.
   */
  encode(text: Uint8Array): Uint8Array;
  /**
   * Returns the UTF-8 bytes of the JSON text that the stored bytes encode; they may be `kept`
   * itself, which the caller must not change.
   */
  decode(kept: Uint8Array): Uint8Array;
}

/** The text codec that stores JSON text unchanged. */
export const plainCodec: TextCodec = {
  encode: (text) => text,
  decode: (kept) => kept,
};
