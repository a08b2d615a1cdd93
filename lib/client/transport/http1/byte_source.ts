/**
 * The bytes of a body as they come, one `read()` at a time. A chunk belongs to who read it, and is
 * alone in its memory, which may therefore be given back at once.
 */
export interface ByteSource {
  /**
   * The next chunk; `undefined` at the end.
   *
   * @throws {unknown} What kept the body from being whole.
   */
  read(): Promise<Uint8Array | undefined>;
  /** Ends the reading: a pending and every later `read()` rejects with the reason. */
  cancel(reason: unknown): void;
}
