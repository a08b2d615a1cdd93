/** The size of the buffer, in bytes: that of the runtime's own for each read of a socket. */
const BYTES = 64 * 1024;

/**
 * The buffer into which a socket reads all that it receives, as the option `onread` of
 * `net.connect`. Without it, each read allocates a buffer and passes the queue of the socket.
 */
export class ReadBuffer {
  /**
   * The function that receives the bytes of each read. They are valid until the function returns.
   * The default drops the bytes.
   */
  onBytes: (bytes: Uint8Array) => void = () => {};
  /** The buffer that the socket reads into. */
  readonly buffer: Uint8Array = new Uint8Array(BYTES);
  /** The function that the socket calls after each read; it returns true to read on. */
  readonly callback = (length: number, buffer: Uint8Array): boolean => {
    this.onBytes(buffer.subarray(0, length));
    return true;
  };
}
