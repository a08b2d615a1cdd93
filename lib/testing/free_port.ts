import { systemRandom } from "@xca/apimachinery/base";

/**
 * The first port of the range (with `COUNT` ports) from which tests take free ports, below every
 * system's ephemeral ports. An outgoing connection could take an ephemeral port while its server
 * restarts, and a client that reconnects to a port of its own machine may connect to itself.
 */
const FIRST = 20_000;
const COUNT = 10_000;

/**
 * The offset in the range of the next port to try when a free port is needed. The start is random,
 * since test files may run in parallel.
 */
let next = Math.floor(systemRandom.next() * COUNT);

/**
 * Listens on a free TCP port of 127.0.0.1 outside the ephemeral range, and returns the listener,
 * which the caller closes.
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
 * Returns the number of a TCP port of 127.0.0.1 that was free just now, as {@linkcode
 * listenOnFreePort} finds it, for another process. The port is not reserved: a caller whose server
 * cannot listen on it should try another port.
 */
export function findFreePort(): number {
  const listener = listenOnFreePort();
  const { port } = listener.addr;
  listener.close();
  return port;
}
