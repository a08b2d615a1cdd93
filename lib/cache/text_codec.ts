import { deflateRawSync, inflateRawSync } from "node:zlib";

/** How packed text is kept in memory. */
export interface TextCodec {
  /** The bytes to keep of a text. */
  encode(text: Uint8Array): Uint8Array;
  /** The text of the bytes kept. */
  decode(kept: Uint8Array): Uint8Array;
}

/** Keeps text as it is. */
export const plainCodec: TextCodec = { encode: (text) => text, decode: (kept) => kept };

/** Keeps text deflated, each object on its own, at the fastest level. */
export const deflateCodec: TextCodec = {
  encode: (text) => deflateRawSync(text, { level: 1 }),
  decode: (kept) => inflateRawSync(kept),
};
