/**
 * Frees the memory of a byte array's buffer at once, rather than when the garbage collector runs.
 * All views of the buffer become empty, so the caller must be its only user.
 */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffer.transfer(0);
}

/**
 * Reports whether a byte array is as long as its buffer, so that the buffer has no other content.
 */
export function isAlone({ buffer, byteLength }: Uint8Array): boolean {
  return buffer.byteLength === byteLength;
}
