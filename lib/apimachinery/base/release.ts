/**
 * Gives the memory of some bytes back at once, which the garbage collector would do late. They are
 * empty afterwards, and so is everything else that lies in the same buffer: only for who is alone
 * with it.
 */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffer.transfer(0);
}

/** Whether some bytes have their buffer for themselves. */
export function isAlone({ buffer, byteLength }: Uint8Array): boolean {
  return buffer.byteLength === byteLength;
}
