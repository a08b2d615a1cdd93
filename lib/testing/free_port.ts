import { systemRandom } from "@xca/apimachinery/base";

/**
 * Below every system's range of ephemeral ports. A port from inside that range can be taken while
 * its server restarts, by an outgoing connection; a client that keeps reconnecting to a port of its
 * own machine may even connect to itself.
 */
const FIRST = 20_000;
const COUNT = 10_000;

/** Where the search goes on. It begins anywhere, as test files may run side by side. */
let next = Math.floor(systemRandom.next() * COUNT);

/**
 * Listens on a free TCP port of 127.0.0.1 outside the ephemeral range.
 *
 * @throws {Error} When no port of the range is free.
 */
export function listenOnFreePort(): Deno.TcpListener {
  for (let tried = 0; tried < COUNT; tried++) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    try {
      return Deno.listen({ hostname: "127.0.0.1", port });
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
  throw new Error(`Cannot find a free port: none of ${FIRST} to ${FIRST + COUNT - 1} is free`);
}

/**
 * Finds a port as {@linkcode listenOnFreePort} does, for another process to listen on. Nothing
 * reserves it: whoever starts a server on it tries another one when that fails.
 */
export function findFreePort(): number {
  const listener = listenOnFreePort();
  const { port } = listener.addr;
  listener.close();
  return port;
}
