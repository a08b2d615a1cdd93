/**
 * The port that decides when an operator may reconcile and write, implemented by leader election
 * for instance. Every write through the client of a run passes the gate, also to subresources and
 * by `connect`.
 */
export interface WriteGate {
  /**
   * Resolves when reconcile runs may start. The controller calls this function after its caches
   * have synced.
   *
   * @throws {unknown} The reason of `signal`, when it is aborted before that.
   */
  opened(signal: AbortSignal): Promise<void>;
  /**
   * Throws when a write may not start now. The client of a run calls this function before each
   * write, and again, for each attempt, in the synchronous step that writes the request to its
   * connection; also before each message that it sends on a WebSocket.
   *
   * @throws {Error} When no write may start.
   */
  admit(): void;
  /**
   * Reports whether the gate will never admit a write again, so that a stop aborts the runs without
   * a grace period.
   */
  readonly closed: boolean;
  /**
   * The time from now after which the gate admits no write unless it is extended, in milliseconds;
   * 0 if it admits none now, `Infinity` for no limit. The client of a run limits the timeout of
   * each write, except `connect`, to this time.
   */
  readonly remainingMs: number;
}
