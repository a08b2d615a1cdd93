import type { IncomingMessage } from "node:http";
import type { Clock, Timer } from "@xca/apimachinery/base";
import type { SocketClose, WebSocketLike } from "./dial.ts";

/**
 * The number of unread bytes at which a WebSocket stops reading from its connection; it resumes
 * below half of this.
 */
const BUFFER_BYTES = 256 * 1024;
/** The interval of pings to the peer of a WebSocket, in milliseconds. */
const PING_MS = 10_000;
/** The silence of the peer after which a WebSocket closes its connection, in milliseconds. */
const DEAD_MS = 60_000;
const CLOSING = 2;

/** The interface of a socket of the `ws` package that {@linkcode NodeWebSocket} uses. */
export interface WsSocket {
  /** The WebSocket subprotocol that the server chose. */
  readonly protocol: string;
  /** The state of the socket; {@linkcode CLOSING} once either side has sent its close frame. */
  readonly readyState: number;
  /** Listens for an event of the socket. */
  on(event: "open" | "pong", listener: () => void): void;
  on(event: "message", listener: (data: Uint8Array, binary: boolean) => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "close", listener: (code: number, reason: Uint8Array) => void): void;
  on(
    event: "unexpected-response",
    listener: (request: unknown, response: IncomingMessage) => void,
  ): void;
  /** Sends a message on the socket. */
  send(data: Uint8Array, options: { binary: boolean }, done: (error?: Error) => void): void;
  /** Sends a ping on the socket. */
  ping(): void;
  /** Pauses reading from the socket. */
  pause(): void;
  /** Resumes reading from the socket. */
  resume(): void;
  /** Begins the closing handshake of the socket. */
  close(code?: number, reason?: string): void;
  /** Closes the socket's connection at once. */
  terminate(): void;
}

/**
 * The implementation of {@linkcode WebSocketLike} by a socket of the `ws` package, read on demand.
 */
export class NodeWebSocket implements WebSocketLike {
  readonly closed: Promise<SocketClose>;
  readonly #ws: WsSocket;
  readonly #clock: Clock;
  readonly #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #paused = false;
  #closing = false;
  #reader: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  #end: { readonly error: Error | undefined } | undefined;
  #failure: Error | undefined;
  #heardAtMs: number;
  #timer: Timer | undefined;

  /**
   * Creates a WebSocket from a socket of the `ws` package that is about to open, before any message
   * can arrive.
   */
  constructor(ws: WsSocket, clock: Clock) {
    this.#ws = ws;
    this.#clock = clock;
    this.#heardAtMs = clock.monotonicMs();
    const closed = Promise.withResolvers<SocketClose>();
    this.closed = closed.promise;
    ws.on("message", (data) => this.#onMessage(data));
    ws.on("pong", () => this.#heard());
    ws.on("error", (error) => this.#failure ??= error);
    ws.on("close", (code, reason) => {
      this.#onClose(code);
      closed.resolve({ code, reason: new TextDecoder().decode(reason) });
    });
  }

  /**
   * Begins to ping the peer of the WebSocket, and closes the connection when the peer is silent for
   * 60 seconds, in which the reading is not paused.
   */
  watchPeer(): void {
    this.#timer = this.#clock.after(PING_MS, () => {
      if (this.#end) return;
      // A slow reader makes the peer look dead, since its answers are not read meanwhile.
      if (this.#paused) this.#heard();
      if (this.#clock.monotonicMs() - this.#heardAtMs >= DEAD_MS) {
        this.fail(new Error(`the peer was silent for ${DEAD_MS} ms`));
      } else {
        this.#ws.ping();
        this.watchPeer();
      }
    });
  }

  get protocol(): string {
    return this.#ws.protocol;
  }

  receive(): Promise<Uint8Array | undefined> {
    const next = this.#queue.shift();
    if (next) {
      this.#queuedBytes -= next.byteLength;
      if (this.#paused && this.#queuedBytes < BUFFER_BYTES / 2) this.#resume();
      return Promise.resolve(next);
    }
    if (this.#end) {
      return this.#end.error ? Promise.reject(this.#end.error) : Promise.resolve(undefined);
    }
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  send(message: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#end) return reject(this.#end.error ?? new Error("the connection has ended"));
      this.#ws.send(message, { binary: true }, (error) => error ? reject(error) : resolve());
    });
  }

  close(code = 1000, reason = ""): void {
    this.#closing = true;
    this.#ws.close(code, reason);
  }

  /**
   * Closes the WebSocket's connection; `receive()` rejects with the reason after the messages that
   * have arrived before.
   */
  fail(reason: Error): void {
    this.#failure ??= reason;
    this.#ws.terminate();
  }

  [Symbol.dispose](): void {
    this.#ws.terminate();
  }

  #heard(): void {
    this.#heardAtMs = this.#clock.monotonicMs();
  }

  #onMessage(data: Uint8Array): void {
    this.#heard();
    if (this.#reader) {
      this.#reader.resolve(data);
      this.#reader = undefined;
      return;
    }
    this.#queue.push(data);
    this.#queuedBytes += data.byteLength;
    if (this.#queuedBytes < BUFFER_BYTES || this.#paused) return;
    this.#paused = true;
    this.#ws.pause();
  }

  #resume(): void {
    this.#paused = false;
    if (this.#end) return;
    // The close frame of the peer arrived while reading was paused. The runtime then does not see
    // the end of the connection, and `ws` would wait 30 s for it.
    if (this.#ws.readyState === CLOSING && !this.#closing) this.#ws.terminate();
    else this.#ws.resume();
  }

  #onClose(code: number): void {
    this.#timer?.[Symbol.dispose]();
    const lost = code === 1006 ? new Error("the connection closed before the end") : undefined;
    this.#end = { error: this.#failure ?? lost };
    if (!this.#reader) return;
    if (this.#end.error) this.#reader.reject(this.#end.error);
    else this.#reader.resolve(undefined);
    this.#reader = undefined;
  }
}
