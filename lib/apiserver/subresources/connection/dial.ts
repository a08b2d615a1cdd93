// Mirrors `util/proxy/dial.go, DialURL`.
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { errorText, systemClock } from "@xca/apimachinery/base";

/** The timeout of connecting to a kubelet, a pod or an extension API server, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** The maximum size of the head of a handshake response, in bytes. */
const MAX_HEAD_BYTES = 65_536;

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
 * Opens a TCP or TLS connection to the server that a request is forwarded to.
 *
 * @throws {Error} With Go's message, such as `dial tcp 10.0.0.1:80: connect: connection refused`,
 * when the connection fails, times out or is aborted.
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
    await throughProxy(plain, target);
    return isTls ? await secured(plain) : plain;
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

/** Opens a TLS connection over another connection, without verifying the server's certificate. */
async function secured(socket: Socket): Promise<Socket> {
  const { connect } = await import("node:tls");
  return await whenOpen(connect({ socket, rejectUnauthorized: false }), "secureConnect");
}

/** Waits until a connection is open. @throws {Error} When it fails, times out or is aborted. */
async function whenOpen(
  socket: Socket,
  event: Connect["event"],
  signal?: AbortSignal,
): Promise<Socket> {
  using _abort = destroyOnAbort(socket, signal);
  using _timer = systemClock.after(
    CONNECT_TIMEOUT_MS,
    () => void socket.destroy(new Error("i/o timeout")),
  );
  return await new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the connection was closed")));
    socket.on(event, () => resolve(socket));
  });
}

/**
 * Destroys a connection that is being opened when a signal aborts: at once, or after the lookup of
 * the host's address, which cannot be cancelled. Returns a disposable that stops this.
 */
function destroyOnAbort(socket: Socket, signal: AbortSignal | undefined): Disposable {
  const destroy = (): void => void socket.destroy(signal!.reason);
  let isLookedUp = socket.remoteAddress !== undefined;
  for (const event of ["lookup", "connect"]) socket.once(event, () => isLookedUp = true);
  const abort = (): void => {
    if (isLookedUp) destroy();
    else socket.once("lookup", destroy).once("connect", destroy);
  };
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  return { [Symbol.dispose]: () => signal?.removeEventListener("abort", abort) };
}

/**
 * Asks an HTTP proxy, by a CONNECT request on an open connection, to connect to the server that a
 * request is forwarded to.
 *
 * @throws {Error} With the text of the proxy's refusal.
 */
async function throughProxy(socket: Socket, target: DialTarget): Promise<void> {
  const address = hostPortOf(target);
  socket.write(`CONNECT ${address} HTTP/1.1\r\nHost: ${address}\r\n\r\n`);
  const { status, rest } = await handshake(socket);
  if (status === 200) return;
  socket.destroy();
  throw new Error(new TextDecoder().decode(rest));
}

/** The response of a server to a handshake (a protocol upgrade or CONNECT request). */
export interface Handshake {
  /** The status code of the handshake response. */
  readonly status: number;
  /** The head of the handshake response, including the empty line at its end. */
  readonly text: string;
  /** The bytes that followed the head of the handshake response. */
  readonly rest: Uint8Array<ArrayBuffer>;
}

/**
 * Reads the response to a handshake: the whole response if it is a refusal (a status code of 400 or
 * more), otherwise only the head. Leaves the connection paused.
 *
 * @throws {Error} When the connection ends before the head is complete, or the head exceeds
 * {@linkcode MAX_HEAD_BYTES}.
 */
export function handshake(socket: Duplex): Promise<Handshake> {
  return new Promise((resolve, reject) => {
    let bytes = new Uint8Array(0);
    const finish = (): void => {
      const parsed = parseHandshake(bytes);
      if (!parsed) reject(new Error("the response of the handshake is incomplete"));
      else settle(parsed);
    };
    const settle = (parsed: Handshake): void => {
      socket.off("data", take);
      socket.off("close", finish);
      socket.off("end", finish);
      socket.pause();
      resolve(parsed);
    };
    const take = (data: Uint8Array): void => {
      bytes = concat(bytes, data);
      const parsed = parseHandshake(bytes);
      if (!parsed && bytes.byteLength > MAX_HEAD_BYTES) {
        socket.destroy(new Error("the head of the handshake's response is too large"));
        return;
      }
      if (!parsed) return;
      if (parsed.status < 400 || isWhole(parsed)) settle(parsed);
    };
    socket.on("data", take);
    socket.on("close", finish);
    socket.on("end", finish);
    socket.resume(); // A handshake with a proxy may have paused the socket.
  });
}

function parseHandshake(bytes: Uint8Array<ArrayBuffer>): Handshake | undefined {
  const latin = new TextDecoder("latin1").decode(bytes);
  const end = latin.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const text = latin.slice(0, end + 4);
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0);
  return { status, text, rest: bytes.slice(end + 4) };
}

/**
 * Reports whether the body of a handshake response is complete, by `Content-Length` or the last
 * chunk; false for a body without either, which ends with the connection.
 */
function isWhole({ text, rest }: Handshake): boolean {
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length !== undefined) return rest.byteLength >= Number(length);
  if (!/\r\ntransfer-encoding: *chunked/i.test(text)) return false;
  return new TextDecoder("latin1").decode(rest.slice(-7)).endsWith("0\r\n\r\n");
}

/** Returns the concatenation of two byte arrays. */
export function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(a.byteLength + b.byteLength);
  bytes.set(a);
  bytes.set(b, a.byteLength);
  return bytes;
}
