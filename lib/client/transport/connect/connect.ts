import net, { type Socket } from "node:net";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import type { TlsOptions } from "./tls_options.ts";

/** What a connection is asked for with, by an agent or by name. */
export interface ConnectionOptions extends Partial<TlsOptions> {
  /** The host to connect to; also the name or address to check, unless `servername` is another. */
  readonly host?: string;
  /** Its port. */
  readonly port?: number | string;
  /** Whether TCP sends small pieces at once. */
  readonly noDelay?: boolean;
  /** The signal of the request that wants the connection: aborted, it is not made. */
  readonly giveUp?: AbortSignal;
}

/**
 * A TCP connection.
 *
 * TLS comes after it, by {@linkcode startTls}, and never at once by `tls.connect({ host, port })`: of a
 * connection that is refused or given up before it stands, the runtime (Deno 2.9) then keeps the TLS
 * socket and the request with it for ever, some 19 KB each.
 *
 * @throws {Error} When there is none.
 * @throws {unknown} The reason of `signal`, when it is or becomes aborted.
 */
export async function connectTcp(
  wanted: ConnectionOptions,
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted();
  const { host = "", port, noDelay } = wanted;
  return await settled(
    net.connect({
      host,
      port: Number(port),
      ...(noDelay === undefined ? {} : { noDelay }),
    }),
    { event: "connect", during: "its set-up", signal },
  );
}

/**
 * Speaks TLS over a connection, which belongs to it from now on.
 *
 * @throws {Error} When the handshake fails.
 * @throws {unknown} The reason of `signal`, when it is or becomes aborted.
 */
export async function startTls(
  below: Duplex,
  wanted: ConnectionOptions,
  signal: AbortSignal,
): Promise<Socket> {
  // A certificate is checked for an address as for a name, but no address is asked for by SNI.
  const name = wanted.servername || (wanted.host ?? "");
  const servername = net.isIP(name) === 0 ? name : "";
  // What happens to it, the socket above it tells.
  below.on("error", () => {});
  try {
    signal.throwIfAborted();
    const socket = tls.connect(
      { ...wanted, host: name, socket: below, servername } as tls.ConnectionOptions,
    );
    return await settled(socket, { event: "secureConnect", during: "the TLS handshake", signal });
  } catch (error) {
    below.destroy();
    throw error;
  }
}

/** The socket, once it stands; it is destroyed when it does not come to that. */
function settled(
  socket: Socket,
  { event, during, signal }: {
    readonly event: "connect" | "secureConnect";
    readonly during: string;
    readonly signal: AbortSignal;
  },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      signal.removeEventListener("abort", onAbort);
      socket.off("error", fail).off("close", onClose).off(event, onDone);
      act();
    };
    const fail = (error: unknown): void =>
      settle(() => {
        socket.on("error", () => {});
        socket.destroy();
        reject(error);
      });
    const onAbort = (): void => fail(signal.reason);
    const onClose = (): void =>
      fail(Object.assign(new Error(`the connection closed during ${during}`), {
        code: "ECONNRESET",
      }));
    const onDone = (): void =>
      settle(() => {
        // Until its next owner listens.
        socket.on("error", () => {});
        resolve(socket);
      });
    signal.addEventListener("abort", onAbort, { once: true });
    socket.on("error", fail).on("close", onClose).on(event, onDone);
  });
}
