/** The encoding of packed text in memory. */
export interface TextCodec {
  /** Returns the bytes to store for a text. They may be valid until the next call only. */
  encode(text: Uint8Array): Uint8Array;
  /** Returns the text of stored bytes. */
  decode(kept: Uint8Array): Uint8Array;
}

/** Stores text unchanged. */
export const plainCodec: TextCodec = {
  encode: (text) => text,
  decode: (kept) => kept,
};
