import { deflateRawSync, inflateRawSync } from "node:zlib";
import { release } from "../base/release.ts";

/** How packed text is kept in memory. */
export interface TextCodec {
  /** The bytes to keep of a text. */
  encode(text: Uint8Array): Uint8Array;
  /** Gives the memory of what {@linkcode TextCodec.encode} returned back, once that was copied. */
  discard(kept: Uint8Array): void;
  /** The text of the bytes kept. */
  decode(kept: Uint8Array): Uint8Array;
}

/**
 * What zlib writes into, in bytes: enough for most objects at once. The size is like no other, so
 * that it tells a buffer of zlib's own from one that it shares.
 */
const CHUNK_BYTES = 5_000;

/** Keeps text as it is. */
export const plainCodec: TextCodec = {
  encode: (text) => text,
  discard: () => {},
  decode: (kept) => kept,
};

/**
 * Keeps text deflated, each object on its own. Of a pod of 6.2 KB this level leaves 2.05 KB, the
 * fastest one 2.75 in half the time, and the default one 2.01.
 */
export const deflateCodec: TextCodec = {
  encode: (text) => deflateRawSync(text, { level: 3, chunkSize: CHUNK_BYTES }),
  discard: (kept) => {
    if (kept.buffer.byteLength === CHUNK_BYTES) release(kept);
  },
  decode: (kept) => inflateRawSync(kept),
};
