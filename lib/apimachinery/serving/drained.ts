import type { EventEmitter } from "node:events";
import type { Writable } from "node:stream";

/** Settles once the client has taken what was written to `sink`, or `connection` is closed. */
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
