/** The encoding of packed text in memory. */
export interface TextCodec {
  /** Returns the bytes to store for a text. They may be valid until the next call only. */
  encode(text: Uint8Array): Uint8Array;
  /** Gives the memory of what {@linkcode TextCodec.encode} returned back, once that was copied. */
  discard(kept: Uint8Array): void;
  /** Returns the text of stored bytes. */
  decode(kept: Uint8Array): Uint8Array;
}

/** Stores text unchanged. */
export const plainCodec: TextCodec = {
  encode: (text) => text,
  discard: () => {},
  decode: (kept) => kept,
};
