import { Buffer } from "node:buffer";

type Slice = (this: Uint8Array, start: number, end: number) => string;

// The natives under Buffer's toString work on any bytes, and without making a Buffer first.
const natives = Buffer.prototype as unknown as { latin1Slice?: Slice; utf8Slice?: Slice };
const latin1: Slice = natives.latin1Slice ?? viaBuffer("latin1");
const utf8: Slice = natives.utf8Slice ?? viaBuffer("utf8");

function viaBuffer(encoding: "latin1" | "utf8"): Slice {
  return function (this: Uint8Array, start, end) {
    return Buffer.from(this.buffer, this.byteOffset, this.byteLength)
      .toString(encoding, start, end);
  };
}

/** The text between two positions, of bytes known to be ASCII: the cheapest way to a short string. */
export function asciiSlice(bytes: Uint8Array, start: number, end: number): string {
  return latin1.call(bytes, start, end);
}

/** The text between two positions, of bytes known to be valid UTF-8. */
export function utf8Slice(bytes: Uint8Array, start: number, end: number): string {
  return utf8.call(bytes, start, end);
}
