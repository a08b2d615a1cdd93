import type { EventEmitter } from "node:events";
import type { Writable } from "node:stream";

/**
 * Resolves when a stream that refused more data accepts data again (its next `drain` event), or its
 * connection is closed.
 */
export function drained(sink: Writable, connection: EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      sink.off("drain", done);
      connection.off("close", done);
      resolve();
    };
    sink.on("drain", done);
    connection.on("close", done);
  });
}
