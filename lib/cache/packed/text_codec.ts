/** How packed text is kept in memory. */
export interface TextCodec {
  /** The bytes to keep of a text. */
  encode(text: Uint8Array): Uint8Array;
  /** Gives the memory of what {@linkcode TextCodec.encode} returned back, once that was copied. */
  discard(kept: Uint8Array): void;
  /** The text of the bytes kept. */
  decode(kept: Uint8Array): Uint8Array;
}

/** Keeps text as it is. */
export const plainCodec: TextCodec = {
  encode: (text) => text,
  discard: () => {},
  decode: (kept) => kept,
};
