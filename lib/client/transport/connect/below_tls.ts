import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { isAlone, release } from "@xca/apimachinery/internal/base";

/** A stream that TLS uses in place of a socket. */
export interface StreamBelowTls extends Duplex {
  /**
   * The callback that the stream calls before it hands encrypted data to the socket; if the
   * callback throws, the stream sends nothing and fails with that error. TLS encrypts in a later
   * turn of the event loop than the one in which the caller writes the data to TLS.
   */
  check?: (() => void) | undefined;
}

/**
 * Returns a stream for TLS to use in place of a socket. The stream releases the memory of each
 * received chunk of encrypted data once TLS has decrypted it.
 *
 * On a socket, TLS leaves a buffer of 64 KB per read of the network for the garbage collector; see
 * docs/decisions/0011-own-http.md.
 */
export function belowTls(socket: Socket): StreamBelowTls {
  const below: StreamBelowTls = new Duplex({
    read() {},
    write: (chunk, _encoding, done) => {
      try {
        below.check?.();
      } catch (error) {
        return done(error as Error);
      }
      socket.write(chunk, done);
    },
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on("data", (chunk: Uint8Array) => {
    below.push(chunk);
    // An empty queue shows that TLS has consumed the chunk. A queued chunk is still needed.
    if (below.readableLength === 0 && isAlone(chunk)) release(chunk);
  });
  socket.on("end", () => below.push(null));
  socket.on("error", (error) => below.destroy(error));
  socket.on("close", () => below.destroy());
  // The socket of a tunnel was read before, and then paused.
  socket.resume();
  return below;
}
