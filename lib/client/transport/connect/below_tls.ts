import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { isAlone, release } from "@xca/apimachinery/internal/base";

/**
 * A connection for TLS to stand on, which gives back the memory of everything that was decrypted.
 *
 * Standing on a socket itself, TLS leaves a buffer of 64 KB behind for each read of the network, and
 * those wait for the garbage collector: docs/decisions/0011-own-http.md.
 */
export function belowTls(socket: Socket): Duplex {
  const below = new Duplex({
    read() {},
    write: (chunk, _encoding, done) => void socket.write(chunk, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on("data", (chunk: Uint8Array) => {
    below.push(chunk);
    // It is taken in at once; were it kept waiting, it would be needed later.
    if (below.readableLength === 0 && isAlone(chunk)) release(chunk);
  });
  socket.on("end", () => below.push(null));
  socket.on("error", (error) => below.destroy(error));
  socket.on("close", () => below.destroy());
  // A tunnel was read before.
  socket.resume();
  return below;
}
