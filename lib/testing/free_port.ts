/**
 * Below every system's range of ephemeral ports. A port from inside that range can be taken while
 * its server restarts, by an outgoing connection; a client that keeps reconnecting to a port of its
 * own machine may even connect to itself.
 */
const FIRST = 20_000;
const COUNT = 10_000;

let next = (Deno.pid * 97) % COUNT;

/**
 * Finds a TCP port on 127.0.0.1 that nobody listens on, outside the ephemeral range. Nothing
 * reserves it: whoever starts a server on it should try another one when that fails.
 *
 * @throws {Error} When no port of the range is free.
 */
export function findFreePort(): number {
  for (let tried = 0; tried < COUNT; tried++) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (isFree(port)) return port;
  }
  throw new Error(`Cannot find a free port: none of ${FIRST} to ${FIRST + COUNT - 1} is free`);
}

function isFree(port: number): boolean {
  try {
    Deno.listen({ hostname: "127.0.0.1", port }).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return false;
    throw error;
  }
}
