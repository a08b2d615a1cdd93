import { delay } from "../base/time/delay.ts";

/** The pause after a connection could not be accepted, in milliseconds. */
const PAUSE_MS = 100;

/** Options of {@linkcode acceptConnections}, which accepts the connections of a listener. */
export interface AcceptOptions {
  /** Receives each connection. */
  readonly take: (connection: Deno.TcpConn) => void;
  /** Receives each error of the listener, such as that of too many open files. */
  readonly onError: (error: unknown) => void;
  /** The signal that the caller aborts before it closes the listener. */
  readonly signal: AbortSignal;
}

/**
 * Accepts the connections of a listener, until the signal is aborted and the listener closed.
 * Continues after an error, which may be over soon. Never rejects, unless `onError` throws.
 */
export async function acceptConnections(
  listener: Deno.TcpListener,
  { take, onError, signal }: AcceptOptions,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const connection of listener) take(connection);
    } catch (error) {
      onError(error);
      await delay(PAUSE_MS, { signal }).catch(() => {}); // The stop ends the pause.
    }
  }
}
