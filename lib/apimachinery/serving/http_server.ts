import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { withDefaults } from "../base/with_defaults.ts";
import { attempt } from "../base/errors/attempt.ts";
import { isInstance } from "../base/errors/error_chain.ts";
import { type Clock, systemClock, type Timer } from "../base/time/clock.ts";
import { DEFAULT_LIMITS, type ServerLimits } from "./limits.ts";
import { type Peer, peerOf } from "./peer.ts";
import { PlainHandler, PlainMessage, writePlain } from "./plain_handler.ts";
import {
  BadRequestLine,
  BodyTooLarge,
  readBody,
  type ServedRequest,
  servedRequest,
} from "./served_request.ts";
import { tunnelOf } from "./tunnel.ts";
import { asksForWebSocket, offeredProtocols, sendLines, shakeHands } from "./web_socket.ts";
import { writeResponse } from "./write_response.ts";

/**
 * A function that handles an HTTP request. An error that it throws is answered with 500, without
 * the error's message.
 */
export type Handler = (request: Request, peer: Peer) => Promise<Response>;

/**
 * The functions that decide which responses of an HTTP server clients may receive over a WebSocket.
 */
export interface WebSocketAnswers {
  /**
   * Reports whether the response to a request (its method, and its path with query) is a stream of
   * lines. With status 200 each line, including its newline, is sent as a text message; a response
   * with another status refuses the WebSocket.
   */
  readonly covers: (method: string, target: string) => boolean;
  /**
   * Returns the WebSocket protocols that the server supports among those that the client offers: a
   * single protocol is confirmed, several are refused.
   *
   * @default {all}
   */
  readonly protocols?: (offered: readonly string[], peer: Peer) => readonly string[];
}

/** Options of {@linkcode HttpServer.listen}, which starts an HTTP server. */
export interface HttpServerOptions {
  /**
   * The function that handles the server's requests. A {@linkcode PlainHandler} handles no
   * WebSockets and no tunnels.
   */
  readonly handler: Handler | PlainHandler;
  /** The address that the server listens on. @default {"127.0.0.1"} */
  readonly hostname?: string;
  /** The port that the server listens on; 0 for a free one. @default {0} */
  readonly port?: number;
  /** The limits on requests and connections; absent ones have the defaults of `ServerLimits`. */
  readonly limits?: ServerLimits;
  /**
   * The functions that decide which responses clients may receive over a WebSocket, such as
   * watches.
   *
   * @default {none: requests for a WebSocket are handled as any other}
   */
  readonly webSockets?: WebSocketAnswers;
  /**
   * Reports whether the handler may take over the connection of a request for another protocol
   * (with an `Upgrade` header). The handler then responds to the handshake itself.
   *
   * @default {no: such a request is handled without the upgrade}
   */
  readonly tunnels?: (method: string, target: string) => boolean;
  /**
   * Returns the response to a request that is refused with 400, 405 or 413 before the handler is
   * called, or whose handler throws (500). Requests that are not HTTP, too large in the head or too
   * slow get a response without a body instead.
   *
   * @default {plain text}
   */
  readonly refuse?: (code: number, message: string) => Response;
  /**
   * A callback for the error that the server's handler throws, or that the body of a request or of
   * a response fails with, as when a client disconnects while it sends the body.
   *
   * @default {none}
   */
  readonly onError?: (error: unknown) => void;
  /** The clock of the server. @default {systemClock} */
  readonly clock?: Clock;
}

/**
 * An HTTP server around a function from `Request` to `Response`: HTTP/1.1 without TLS. Its
 * requests, and tokens in them, can be read on the network; {@linkcode HttpsServer} encrypts them.
 *
 * - A response without `Content-Length` is a stream: each chunk is sent at once, a slow client
 *   slows its source, and a client that disconnects aborts the signal of the request and cancels
 *   the source.
 * - The body of a request is read entirely, up to a limit, before the handler is called.
 * - A response that is a stream of lines is sent over a WebSocket where
 *   {@linkcode HttpServerOptions.webSockets} allows it. A request for another upgrade is handled
 *   without the upgrade, unless {@linkcode HttpServerOptions.tunnels} allows it.
 * - The server listens on loopback by default.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { HttpServer } from "@xca/apimachinery/serving";
 *
 * await using server = await HttpServer.listen({
 *   handler: (request) => Promise.resolve(new Response(new URL(request.url).pathname)),
 * });
 * const answer = await fetch(`${server.url}/hello`);
 * assert.equal(await answer.text(), "/hello");
 * ```
 */
export class HttpServer implements AsyncDisposable {
  /** The URL of the server: `https://<address>:<port>`, with `http` on a server without TLS. */
  readonly url: string;
  /** The port that the server listens on. */
  readonly port: number;

  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #bodyLimit: number;
  readonly #running = new Set<ServedRequest | PlainMessage>();
  /**
   * All open sockets of the server, including those before their TLS handshake, which
   * `closeAllConnections` does not close.
   */
  readonly #sockets = new Set<Duplex>();
  /**
   * A map of the responses that are not sent yet: for each socket, the response to the last request
   * that it received.
   */
  readonly #unsent = new Map<Duplex, ServerResponse>();
  #stopped: Promise<void> | undefined;
  /** The event by which Node's server takes a connection whose TLS handshake, if any, is done. */
  readonly #connectionEvent: "connection" | "secureConnection";

  /**
   * Creates the server for an HTTP server of Node that listens already, and serves its requests.
   */
  protected constructor(server: Server, options: HttpServerOptions, scheme: "http" | "https") {
    const { address, port } = server.address() as AddressInfo;
    this.#server = server;
    this.#options = options;
    this.#bodyLimit = options.limits?.bodyBytes ?? DEFAULT_LIMITS.bodyBytes;
    this.port = port;
    this.#connectionEvent = scheme === "https" ? "secureConnection" : "connection";
    this.url = `${scheme}://${address.includes(":") ? `[${address}]` : address}:${port}`;
    server.on("connection", (socket) => {
      if (this.#sockets.has(socket)) return; // It serves on after a declined upgrade.
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    server.on("request", (incoming, outgoing) => {
      this.#queue(outgoing, incoming.socket);
      void this.#exchange(incoming, outgoing);
    });
    server.on("upgrade", (incoming, socket, head) => this.#upgrade(incoming, socket, head));
    server.on("checkContinue", (incoming, outgoing) => {
      this.#queue(outgoing, incoming.socket);
      const isTooLarge = Number(incoming.headers["content-length"]) > this.#bodyLimit;
      if (!isTooLarge) outgoing.writeContinue(); // Bodies in chunks have no length.
      void this.#exchange(incoming, outgoing, { waits: true });
    });
  }

  /**
   * Starts an HTTP server; resolves when it accepts connections.
   *
   * @throws {Error} When the address is not available (`code` is `EADDRINUSE` when it is in use).
   */
  static async listen(options: HttpServerOptions): Promise<HttpServer> {
    const server = createServer(nodeOptions(options));
    await listening(server, options);
    return new HttpServer(server, options, "http");
  }

  /**
   * Stops the server: it accepts no connections, waits up to `graceMs` milliseconds for running
   * requests, then aborts them. Resolves when all connections are closed. A further call changes
   * the time only if it is 0, which aborts the requests that still run.
   */
  stop(options: { readonly graceMs: number }): Promise<void> {
    if (this.#stopped && options.graceMs <= 0) this.#breakOff();
    return this.#stopped ??= this.#stop(options.graceMs);
  }

  /** Stops the server without waiting for running requests. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop({ graceMs: 0 });
  }

  async #stop(graceMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeIdleConnections();
    let timer: Timer | undefined;
    if (graceMs > 0 && this.#running.size > 0) {
      const clock = this.#options.clock ?? systemClock;
      timer = clock.after(graceMs, () => this.#breakOff());
    } else this.#breakOff();
    await promise;
    timer?.[Symbol.dispose]();
  }

  #breakOff(): void {
    const reason = new DOMException("The server stops", "AbortError");
    for (const request of this.#running) request.abort(reason);
    this.#server.closeAllConnections();
    for (const socket of this.#sockets) socket.destroy();
  }

  /**
   * Records the response to the last request of a socket, until the response is sent or the
   * connection is closed. A later request on the socket for another protocol waits for the
   * response.
   */
  #queue(outgoing: ServerResponse, socket: Duplex): void {
    this.#unsent.set(socket, outgoing);
    outgoing.on("close", () => {
      if (this.#unsent.get(socket) === outgoing) this.#unsent.delete(socket);
    });
  }

  /**
   * Handles a request for another protocol after the responses to the requests that the client sent
   * before it, which are still being written to the socket.
   */
  #upgrade(incoming: IncomingMessage, socket: Duplex, head: Uint8Array): void {
    const unsent = this.#unsent.get(socket);
    if (unsent) {
      unsent.on("close", () => this.#upgrade(incoming, socket, head));
      return;
    }
    if (socket.destroyed) return;
    const outgoing = new ServerResponse(incoming);
    outgoing.assignSocket(socket as Socket);
    const upgrade: Upgrade = { head, isDeclined: false };
    outgoing.on("finish", () => {
      if (!upgrade.isDeclined) return void socket.end();
      // Node has given up the connection, and takes it as a new one.
      outgoing.detachSocket(socket as Socket);
      if (head.length > 0) socket.unshift(head);
      this.#server.emit(this.#connectionEvent, socket);
    });
    void this.#exchange(incoming, outgoing, { upgrade });
  }

  async #exchange(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { waits = false, upgrade }: ExchangeOptions = {},
  ): Promise<void> {
    let request: ServedRequest | PlainMessage | undefined;
    let gone = false;
    const { handler } = this.#options;
    outgoing.on("close", () => {
      gone = true;
      if (request === undefined) return;
      this.#running.delete(request);
      if (!outgoing.writableFinished) {
        request.abort(new DOMException("The client went away", "AbortError"));
      }
      if (this.#stopped) this.#server.closeIdleConnections();
    });
    try {
      // A handshake has no body: the bytes that follow it are frames.
      const body = upgrade ? undefined : await readBody(incoming, this.#bodyLimit, waits);
      if (handler instanceof PlainHandler) {
        request = new PlainMessage(incoming, body);
        if (gone) return;
        this.#running.add(request);
        const answer = await handler.answer(request);
        if (!gone) writePlain(answer, outgoing, this.#stopped !== undefined);
        return;
      }
      request = servedRequest(incoming, this.url, body);
      if (gone) return;
      this.#running.add(request);
      const peer = peerOf(incoming.socket, incoming.rawHeaders);
      const response = await handler(request, peer);
      if (gone) await response.body?.cancel();
      else if (upgrade) await this.#switch(response, incoming, outgoing, upgrade, peer);
      else await writeResponse(response, outgoing, this.#stopped !== undefined);
    } catch (error) {
      if (!gone) await this.#fail(error, outgoing);
    }
  }

  /**
   * Passes the connection to the tunnel of a response, sends a response over a WebSocket, or
   * refuses the handshake. The connection serves no further request then. A response that is
   * neither is sent as to any other request, and the connection serves further ones.
   */
  async #switch(
    response: Response,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    upgrade: Upgrade,
    peer: Peer,
  ): Promise<void> {
    const { head } = upgrade;
    const tunnel = tunnelOf(response);
    if (tunnel) {
      const { socket } = incoming;
      return tunnel({ incoming, socket, head });
    }
    if (response.status !== 200 || !response.body || !asksForWebSocket(incoming)) {
      upgrade.isDeclined = this.#stopped === undefined && isKeptAlive(incoming);
      return await writeResponse(response, outgoing, !upgrade.isDeclined);
    }
    const { webSockets, clock = systemClock } = this.#options;
    const offered = offeredProtocols(incoming);
    const protocol = shakeHands(incoming, webSockets?.protocols?.(offered, peer) ?? offered);
    if (protocol instanceof Response) {
      await response.body.cancel();
      return await writeResponse(protocol, outgoing, true);
    }
    const { socket } = incoming;
    await sendLines(response.body, { incoming, socket, head, protocol, clock })
      .catch((error) => {
        this.#options.onError?.(error);
        socket.destroy();
      });
  }

  /**
   * Responds to a request whose handling failed, with 413, 400 or 500. The connection of a response
   * that has begun is closed instead, so that the client does not take the response for complete.
   */
  async #fail(error: unknown, outgoing: ServerResponse): Promise<void> {
    const refuse = this.#options.refuse ?? plainRefusal;
    if (outgoing.headersSent) {
      this.#options.onError?.(error);
      return void outgoing.destroy();
    }
    let response: Response;
    if (isInstance(error, BodyTooLarge)) {
      response = refuse(413, `limit is ${this.#bodyLimit} bytes`);
    } else if (isInstance(error, BadRequestLine)) {
      response = refuse(400, "the request target cannot be served");
    } else {
      this.#options.onError?.(error);
      response = refuse(500, "the handler failed");
    }
    // The rest of the body would be read as the next request.
    await writeResponse(response, outgoing, true);
  }
}

/**
 * Returns the options of Node's servers that follow from the limits, the WebSockets and the tunnels
 * of a server.
 */
export function nodeOptions(options: HttpServerOptions): ServerOptions {
  const limits = withDefaults(DEFAULT_LIMITS, options.limits);
  // Node has this option; the types of the runtime do not declare it yet.
  const upgrades = {
    shouldUpgradeCallback: (incoming: IncomingMessage): boolean =>
      mayTunnel(options, incoming) ||
      asksForWebSocket(incoming) && isCovered(options.webSockets, incoming),
  };
  return {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headerTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, limits.headerTimeoutMs),
    ...upgrades,
  };
}

/**
 * Makes an HTTP server of Node listen, with the limits on its connections; resolves when it accepts
 * connections, and rejects when the address is not available.
 */
export async function listening(server: Server, options: HttpServerOptions): Promise<void> {
  server.maxConnections = options.limits?.connections ?? DEFAULT_LIMITS.connections;
  server.timeout = options.limits?.silenceTimeoutMs ?? DEFAULT_LIMITS.silenceTimeoutMs;
  const { refuse = plainRefusal } = options;
  server.on("clientError", (error, socket) => {
    // An error must not reach the process, which it would end.
    refuseMalformed(error, socket, refuse).catch(() => socket.destroy());
  });
  server.listen(options.port ?? 0, options.hostname ?? "127.0.0.1");
  await once(server, "listening");
}

interface ExchangeOptions {
  /** Reports whether the client waits for `100 Continue` before it sends the body. */
  readonly waits?: boolean;
  /** The state of a request for another protocol. */
  readonly upgrade?: Upgrade;
}

/** The state of a request for another protocol. */
interface Upgrade {
  /** The bytes that followed the head of the request. */
  readonly head: Uint8Array;
  /** Reports whether the response keeps the protocol, so that further requests may follow. */
  isDeclined: boolean;
}

/**
 * Reports whether the response to a request may be sent over a WebSocket; `false` when `covers`
 * throws. An error must not reach the caller, Node's HTTP parser, because it would end the process.
 */
function isCovered(webSockets: WebSocketAnswers | undefined, incoming: IncomingMessage): boolean {
  return attempt(() => webSockets?.covers(incoming.method!, incoming.url ?? "")) === true;
}

/**
 * Reports whether the handler may take over the connection of a request for another protocol;
 * `false` when `tunnels` throws.
 */
function mayTunnel({ tunnels }: HttpServerOptions, { method, url }: IncomingMessage): boolean {
  return attempt(() => tunnels?.(method!, url ?? "")) === true;
}

/** Reports whether a client expects to send further requests on the connection of a request. */
function isKeptAlive({ httpVersion, headers: { connection = "" } }: IncomingMessage): boolean {
  return httpVersion === "1.1" && !/(^|[\s,])close([\s,]|$)/i.test(connection);
}

function plainRefusal(code: number, message: string): Response {
  return new Response(`${message}\n`, { status: code });
}

/** A pattern of request lines of HTTP/1.x. The method may be any token (RFC 9110, 9.1). */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** An error of Node's HTTP parser. */
interface ParserError extends Error {
  readonly code?: string;
  /** The bytes of the request that could not be parsed. */
  readonly rawPacket?: Uint8Array;
}

/**
 * Responds to a request that cannot be parsed, has a head that is too large, or is received too
 * slowly, with a status and no body, and closes the connection. The response to a method that
 * Node's parser does not know comes from `refuse`, if the parser names the reason, as that of Deno
 * 2.9 does only over TLS.
 */
async function refuseMalformed(
  error: ParserError,
  socket: Duplex,
  refuse: (code: number, message: string) => Response,
): Promise<void> {
  if (!socket.writable) return void socket.destroy();
  const close = "Connection: close\r\n";
  if (!hasUnknownMethod(error)) {
    const status = error.code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? "408 Request Timeout"
      : "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\n${close}Content-Length: 0\r\n\r\n`);
    return;
  }
  const { headers, body } = refuse(
    405,
    "the server does not allow this method on the requested resource",
  );
  const bytes = body ? new Uint8Array(await new Response(body).arrayBuffer()) : new Uint8Array();
  const type = headers.get("content-type");
  const lines = `${type ? `Content-Type: ${type}\r\n` : ""}Content-Length: ${bytes.length}\r\n`;
  socket.write(`HTTP/1.1 405 Method Not Allowed\r\n${close}${lines}\r\n`);
  socket.end(bytes);
}

/** Reports whether Node's HTTP parser refused a request for its method alone. */
function hasUnknownMethod({ code, rawPacket }: ParserError): boolean {
  if (code !== "HPE_INVALID_METHOD" || !rawPacket) return false;
  return REQUEST_LINE.test(new TextDecoder("latin1").decode(rawPacket));
}
