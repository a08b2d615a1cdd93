import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import type { ReadBuffer } from "./read_buffer.ts";
import { isAlone, release } from "@xca/apimachinery/internal/base";

/**
 * A stream that TLS uses in place of a socket.
 *
 * The stream has the members of a `Duplex` that TLS uses (`lib/internal/js_stream_socket.js` of
 * Node), and no queues: TLS decrypts each chunk before {@linkcode EventEmitter.emit} returns. The
 * stream then reuses the memory of the chunk, or releases it. On a socket, TLS leaves a buffer of
 * 64 KB per read of the network for the garbage collector; see docs/decisions/0011-own-http.md.
 *
 * Events: `data` with each chunk that was received, `end`, `error`, and `close`.
 */
export class StreamBelowTls extends EventEmitter {
  /**
   * The callback that the stream calls before it hands encrypted data to the socket; if the
   * callback throws, the stream sends nothing and fails with that error. TLS encrypts in a later
   * turn of the event loop than the one in which the caller writes the data to TLS.
   */
  check: (() => void) | undefined;
  /** Reports whether the stream can be read: it was not destroyed. */
  readable = true;
  /** Reports whether the stream can be written: it was not destroyed. */
  writable = true;
  readonly #socket: Socket;

  /**
   * Creates the stream of a socket, which must be connected, and which the stream reads through
   * `reads` if the socket was opened with it. Destroying either destroys both.
   */
  constructor(socket: Socket, reads?: ReadBuffer) {
    super();
    this.#socket = socket;
    if (reads) reads.onBytes = (bytes) => this.emit("data", bytes);
    else {
      socket.on("data", (chunk: Uint8Array) => {
        this.emit("data", chunk);
        if (isAlone(chunk)) release(chunk);
      });
    }
    socket.on("end", () => this.emit("end"));
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
    // The socket of a tunnel was read before, and then paused.
    socket.resume();
  }

  /** Stops reading from the socket. */
  pause(): this {
    this.#socket.pause();
    return this;
  }

  /** Resumes reading from the socket. */
  resume(): this {
    this.#socket.resume();
    return this;
  }

  /** Has no effect: each write goes to the socket at once. */
  cork(): void {}

  /** Has no effect; see {@linkcode StreamBelowTls.cork}. */
  uncork(): void {}

  /**
   * Writes a chunk to the socket, and calls `done` once it was sent, or with the error. Returns
   * false if the caller should wait before it writes more.
   */
  write(chunk: Uint8Array, done: (error?: Error | null) => void): boolean {
    try {
      this.check?.();
    } catch (error) {
      this.destroy(error as Error);
      done(error as Error);
      return false;
    }
    return this.#socket.write(chunk, done);
  }

  /** Ends the writing to the socket once all chunks were sent, and calls `done` then. */
  end(done?: () => void): this {
    this.#socket.end(done);
    return this;
  }

  /**
   * Destroys the stream and its socket. The events `error`, if there is an error, and `close`
   * follow in a later microtask. Has no effect on a destroyed stream.
   */
  destroy(error?: Error): this {
    if (!this.writable) return this;
    this.readable = this.writable = false;
    this.#socket.destroy();
    queueMicrotask(() => {
      if (error) this.emit("error", error);
      this.emit("close");
    });
    return this;
  }
}
