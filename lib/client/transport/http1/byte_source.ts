/**
 * The interface of a source from which a body is read by chunks. The reader owns each chunk. Unless
 * `Answer.shares` is true, a chunk shares its memory with no other, so that the memory may be
 * released at once.
 */
export interface ByteSource {
  /**
   * Returns the next chunk of the byte source; `undefined` at the end. One call at a time.
   *
   * @throws {unknown} The reason why the body is incomplete.
   */
  read(): Promise<Uint8Array | undefined>;
  /**
   * Ends the reading of the body: a pending or later `read()` rejects with the reason, or finds the
   * end of the body.
   */
  cancel(reason: unknown): void;
}
