import { Buffer } from "node:buffer";

type Slice = (this: Uint8Array, start: number, end: number) => string;

// The native methods below Buffer's `toString` accept any bytes, without a Buffer around them.
const natives = Buffer.prototype as unknown as { latin1Slice?: Slice; utf8Slice?: Slice };
const latin1: Slice = natives.latin1Slice ?? viaBuffer("latin1");
const utf8: Slice = natives.utf8Slice ?? viaBuffer("utf8");

function viaBuffer(encoding: "latin1" | "utf8"): Slice {
  return function (this: Uint8Array, start, end) {
    return Buffer.from(this.buffer, this.byteOffset, this.byteLength)
      .toString(encoding, start, end);
  };
}

/**
 * Returns the text of the bytes from `start` to `end` (exclusive), which must be ASCII. This is the
 * cheapest way to create a short string from bytes.
 */
export function asciiSlice(bytes: Uint8Array, start: number, end: number): string {
  return latin1.call(bytes, start, end);
}

/** Returns the text of the bytes from `start` to `end` (exclusive), which must be valid UTF-8. */
export function utf8Slice(bytes: Uint8Array, start: number, end: number): string {
  return utf8.call(bytes, start, end);
}
