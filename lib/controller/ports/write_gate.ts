/**
 * Decides when an operator may run and write: a lease that this process may lose, for instance. Every
 * mutation through the client of a run passes it, the subresources and `connect` included.
 */
export interface WriteGate {
  /**
   * Resolves when runs may start; the caches have synced by then.
   *
   * @throws {unknown} The reason of `signal`, when it is aborted before.
   */
  opened(signal: AbortSignal): Promise<void>;
  /**
   * Returns when a write may start now. It is called in the synchronous step that writes the request to
   * its connection, once per try.
   *
   * @throws {Error} When no write may start.
   */
  admit(): void;
  /** Whether no write will start any more, so that a stop aborts the runs at once. */
  readonly closed: boolean;
  /** The time left to start writes, in milliseconds; no write takes longer. */
  readonly remainingMs: number;
}
