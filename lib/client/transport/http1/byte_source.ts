/**
 * The interface of a source from which a body is read by chunks. The reader owns each chunk, which
 * shares its memory with no other, so that the memory may be released at once.
 */
export interface ByteSource {
  /**
   * Returns the next chunk of the byte source; `undefined` at the end.
   *
   * @throws {unknown} The reason why the body is incomplete.
   */
  read(): Promise<Uint8Array | undefined>;
  /** Ends the reading of the body: a pending and every later `read()` rejects with the reason. */
  cancel(reason: unknown): void;
}
