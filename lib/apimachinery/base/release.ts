/**
 * Frees the memory of a buffer at once, which the garbage collector would do late. All views of the
 * buffer become empty, so the caller must be its only user.
 */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffer.transfer(0);
}

/** Reports whether a byte array is the only view that its buffer has room for. */
export function isAlone({ buffer, byteLength }: Uint8Array): boolean {
  return buffer.byteLength === byteLength;
}
