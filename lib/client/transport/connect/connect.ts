import type { EventEmitter } from "node:events";
import net, { type Socket } from "node:net";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import type { ReadBuffer } from "./read_buffer.ts";
import type { TlsOptions } from "./tls_options.ts";

/** Options of a TCP or TLS connection, from an HTTP agent or a caller. */
export interface ConnectionOptions extends Partial<TlsOptions> {
  /** The host to connect to; also the name or address to verify, unless `servername` is set. */
  readonly host?: string;
  /** The TCP port to connect to. */
  readonly port?: number | string;
  /** Sets whether Nagle's algorithm is disabled on the connection. @default {false} */
  readonly noDelay?: boolean;
  /** The signal of the request that needs the connection, which aborts the connection attempt. */
  readonly giveUp?: AbortSignal;
  /**
   * The callback that the agent calls when the connection for a WebSocket is open, before the
   * request is written; if the callback throws, the agent closes the connection and the request
   * fails with that error.
   */
  readonly admit?: (() => void) | undefined;
}

/**
 * Opens a TCP connection and returns its socket once it is connected. With `reads`, the socket reads
 * into that buffer and emits no `data`.
 *
 * TLS follows by {@linkcode startTls}, and never by `tls.connect({ host, port })`: when such a
 * connection is refused or aborted, the runtime (Deno 2.9) keeps the TLS socket and the request for
 * ever, about 19 KB each.
 *
 * @throws {Error} When the connection fails.
 * @throws {unknown} The reason of `signal`, when it aborts.
 */
export async function connectTcp(
  wanted: ConnectionOptions,
  signal: AbortSignal,
  reads?: ReadBuffer,
): Promise<Socket> {
  signal.throwIfAborted();
  const { host = "", port, noDelay } = wanted;
  return await settled(
    net.connect(
      { host, port: Number(port), noDelay, onread: reads } as net.TcpNetConnectOpts,
    ),
    { event: "connect", during: "its set-up", signal },
  );
}

/**
 * Starts TLS on a connection and returns the TLS socket after the handshake. Takes the connection
 * over: destroys it when the handshake fails.
 *
 * @throws {Error} When the handshake fails.
 * @throws {unknown} The reason of `signal`, when it aborts.
 */
export async function startTls(
  below: EventEmitter & { destroy(): unknown },
  wanted: ConnectionOptions,
  signal: AbortSignal,
): Promise<Socket> {
  // A certificate is verified for an address as for a name, but SNI has no addresses.
  const name = wanted.servername || (wanted.host ?? "");
  const servername = net.isIP(name) === 0 ? name : "";
  // The TLS socket reports errors of the connection below it.
  below.on("error", () => {});
  try {
    signal.throwIfAborted();
    const socket = tls.connect(
      { ...wanted, host: name, socket: below as Duplex, servername } as tls.ConnectionOptions,
    );
    return await settled(socket, { event: "secureConnect", during: "the TLS handshake", signal });
  } catch (error) {
    below.destroy();
    throw error;
  }
}

/**
 * Resolves with a socket once it is connected. Rejects and destroys the socket when it fails,
 * closes before, or `signal` is aborted.
 */
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
        // Prevents an unhandled error until the next owner listens.
        socket.on("error", () => {});
        resolve(socket);
      });
    signal.addEventListener("abort", onAbort, { once: true });
    socket.on("error", fail).on("close", onClose).on(event, onDone);
  });
}
