// Mirrors `util/proxy/dial.go, DialURL`.
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { errorText, systemClock } from "@xca/apimachinery/base";
import { firstText, receivedOn } from "./http_exchange.ts";

/**
 * The timeout of each step of connecting to a kubelet, a pod or an extension API server, in
 * milliseconds: the TCP connection, the response of an HTTP proxy, and the TLS handshake.
 */
const CONNECT_TIMEOUT_MS = 10_000;
/** The maximum size of the head of a handshake response, in bytes. */
const MAX_HEAD_BYTES = 65_536;
/** The number of bytes of an HTTP proxy's refusal after which the rest is not read. */
const MAX_REFUSAL_BYTES = 4_096;

/** The address to which the API server forwards a request. */
export interface DialTarget {
  readonly host: string;
  readonly port: number;
  /**
   * The scheme of the forwarded request: `https` uses TLS without verifying the certificate.
   *
   * @default {"https"}
   */
  readonly scheme?: "http" | "https";
  /**
   * The HTTP proxy through which the connection is opened by a CONNECT request.
   *
   * @default {none}
   */
  readonly proxy?: { readonly host: string; readonly port: number };
}

/** Returns the host and port of a target as in a URL, with IPv6 addresses in brackets. */
export function hostPortOf({ host, port }: DialTarget): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Opens a TCP or TLS connection to the server that a request is forwarded to, through the proxy of
 * the target if there is one.
 *
 * @throws {Error} With Go's message, such as `dial tcp 10.0.0.1:80: connect: connection refused`,
 * if the connection fails, times out or is aborted.
 */
export async function dialled(target: DialTarget, signal?: AbortSignal): Promise<Duplex> {
  const { host, port, scheme = "https", proxy } = target;
  try {
    const isTls = scheme === "https";
    if (!proxy) {
      const connect = isTls ? await tlsConnect() : await tcpConnect();
      return await opened({ host, port }, connect, signal);
    }
    const plain = await opened(proxy, await tcpConnect(), signal);
    try {
      await throughProxy(plain, target, signal);
      return isTls ? await secured(plain, signal) : plain;
    } catch (error) {
      plain.destroy();
      throw error;
    }
  } catch (error) {
    const { code } = error as { readonly code?: string };
    const why = code === "ECONNREFUSED" ? "connect: connection refused" : errorText(error);
    throw new Error(`dial tcp ${hostPortOf(target)}: ${why}`, { cause: error });
  }
}

/**
 * A record of a function that opens a connection, and of the event that the connection emits when
 * it is open.
 */
interface Connect {
  readonly event: "connect" | "secureConnect";
  readonly connect: (address: { readonly host: string; readonly port: number }) => Socket;
}

async function tcpConnect(): Promise<Connect> {
  const { connect } = await import("node:net");
  return { event: "connect", connect };
}

async function tlsConnect(): Promise<Connect> {
  const { connect } = await import("node:tls");
  return {
    event: "secureConnect",
    connect: (address) => connect({ ...address, rejectUnauthorized: false }),
  };
}

function opened(
  address: { readonly host: string; readonly port: number },
  { event, connect }: Connect,
  signal?: AbortSignal,
): Promise<Socket> {
  return whenOpen(connect(address), event, signal);
}

/**
 * Opens a TLS connection over another connection, without verifying the server's certificate.
 *
 * @throws {Error} If the connection fails, times out or is aborted.
 */
async function secured(socket: Socket, signal: AbortSignal | undefined): Promise<Socket> {
  const { connect } = await import("node:tls");
  using _abort = onAbort(signal, (reason) => void socket.destroy(reason));
  return await whenOpen(connect({ socket, rejectUnauthorized: false }), "secureConnect");
}

/**
 * Resolves to a connection when it is open.
 *
 * @throws {Error} If it fails, times out or is aborted.
 */
async function whenOpen(
  socket: Socket,
  event: Connect["event"],
  signal?: AbortSignal,
): Promise<Socket> {
  using _abort = destroyOnAbort(socket, signal);
  using _timer = connectTimer(socket);
  return await new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the connection was closed")));
    socket.on(event, () => resolve(socket));
  });
}

/** Starts a timer that destroys a connection whose step of connecting times out. */
function connectTimer(socket: Duplex): Disposable {
  return systemClock.after(
    CONNECT_TIMEOUT_MS,
    () => void socket.destroy(new Error("i/o timeout")),
  );
}

/**
 * Destroys a connection that is being opened when a signal aborts: at once, or after the lookup of
 * the host's address, which cannot be cancelled. Disposing of the result removes the listener of
 * the signal.
 */
function destroyOnAbort(socket: Socket, signal: AbortSignal | undefined): Disposable {
  let isLookedUp = socket.remoteAddress !== undefined;
  for (const event of ["lookup", "connect"]) socket.once(event, () => isLookedUp = true);
  return onAbort(signal, (reason) => {
    const destroy = (): void => void socket.destroy(reason);
    if (isLookedUp) destroy();
    else socket.once("lookup", destroy).once("connect", destroy);
  });
}

/**
 * Calls `react` with the reason of a signal when the signal aborts, or at once if it has; not after
 * the result is disposed.
 */
function onAbort(signal: AbortSignal | undefined, react: (reason: Error) => void): Disposable {
  const abort = (): void => react(signal!.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  return { [Symbol.dispose]: () => signal?.removeEventListener("abort", abort) };
}

/**
 * Asks an HTTP proxy, by a CONNECT request on an open connection, to connect to the server that a
 * request is forwarded to.
 *
 * @throws {Error} With the text of the proxy's refusal, or if the response times out or the
 * signal aborts.
 */
async function throughProxy(
  socket: Socket,
  target: DialTarget,
  signal: AbortSignal | undefined,
): Promise<void> {
  using _timer = connectTimer(socket);
  const address = hostPortOf(target);
  socket.write(`CONNECT ${address} HTTP/1.1\r\nHost: ${address}\r\n\r\n`);
  const { status, received } = await handshake(socket, signal);
  if (status === 200) return;
  const { body } = await receivedOn(socket, "CONNECT", received);
  throw new Error(await firstText(body, MAX_REFUSAL_BYTES));
}

/** The response of a server to a handshake (a protocol upgrade or CONNECT request). */
export interface Handshake {
  /** The status code of the handshake response; 0 for a response that is not HTTP/1. */
  readonly status: number;
  /**
   * The bytes of the connection that were read: the head of the handshake response, including the
   * empty line at its end, and bytes that followed the head.
   */
  readonly received: Uint8Array<ArrayBuffer>;
}

/**
 * Reads the head of the response to a handshake. Leaves the connection paused; destroys the
 * connection when the signal aborts before.
 *
 * @throws {Error} If the connection fails or ends before the head is complete, the head exceeds
 * {@linkcode MAX_HEAD_BYTES}, or the signal aborts.
 */
export async function handshake(socket: Duplex, signal?: AbortSignal): Promise<Handshake> {
  using _abort = onAbort(signal, (reason) => void socket.destroy(reason));
  const { promise, resolve, reject } = Promise.withResolvers<Handshake>();
  let received = new Uint8Array(0);
  const end = (): void => reject(new Error("the response of the handshake is incomplete"));
  const take = (data: Uint8Array): void => {
    received = concat(received, data);
    const status = statusOf(received);
    if (status !== undefined) {
      socket.off("data", take).pause();
      resolve({ status, received });
    } else if (received.byteLength > MAX_HEAD_BYTES) {
      socket.destroy(new Error("the head of the handshake's response is too large"));
    }
  };
  socket.on("data", take).on("end", end).on("close", end).on("error", reject);
  if (socket.destroyed) end();
  else socket.resume(); // A handshake with a proxy may have paused the socket.
  try {
    return await promise;
  } finally {
    socket.off("data", take).off("end", end).off("close", end).off("error", reject);
  }
}

/**
 * Returns the status code of a response whose head is complete, 0 if the head is not HTTP/1;
 * `undefined` while the head is incomplete.
 */
function statusOf(bytes: Uint8Array): number | undefined {
  const head = /^(?:HTTP\/1\.[01] (\d{3}))?.*?\r\n\r\n/s
    .exec(new TextDecoder("latin1").decode(bytes));
  return head ? Number(head[1] ?? 0) : undefined;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(a.byteLength + b.byteLength);
  bytes.set(a);
  bytes.set(b, a.byteLength);
  return bytes;
}
