import type { Clock } from "@xca/apimachinery/base";
import { isAlone, noteLoopTurn, release } from "@xca/apimachinery/internal/base";
import type { BodyDecoder } from "./body_decoder.ts";
import { bodyFraming, keepsConnection } from "./body_framing.ts";
import { BodyQueue } from "./body_queue.ts";
import { decoderOf } from "./decoder_of.ts";
import { connectionReset, ProtocolError } from "./protocol_error.ts";
import { ReadPace } from "./read_pace.ts";
import { type RequestHead, requestHeadText } from "./request_head.ts";
import { type ResponseHead, ResponseHeadReader } from "./response_head.ts";
import type { Wire } from "./wire.ts";

/** The largest request body that is written in one piece with its head, in bytes. */
const JOINED_BYTES = 64 * 1024;

/** An HTTP/1.1 request to send on a connection. */
export interface HttpRequest extends RequestHead {
  /**
   * The body of the request; absent without one. A header of the request states the length of the
   * body.
   */
  readonly body?: Uint8Array | undefined;
}

/**
 * An HTTP/1.1 response that arrives on a connection: the result of {@linkcode HttpConnection.send}.
 */
export interface HttpAnswer {
  /** The head of the HTTP response. */
  readonly head: ResponseHead;
  /** The body of the HTTP response: whole if it was received with the head, otherwise a queue. */
  readonly body: Uint8Array | BodyQueue;
}

/** The owner of an HTTP connection, such as a pool, which the connection notifies of its state. */
export interface ConnectionOwner {
  /**
   * Notifies the owner that a response is complete, and the connection free for the next request.
   */
  onFree(connection: HttpConnection): void;
  /** Notifies the owner that the connection is closed. */
  onGone(connection: HttpConnection): void;
}

/** A request in progress on an HTTP connection, and its response. */
interface Exchange {
  readonly request: HttpRequest;
  readonly answer: PromiseWithResolvers<HttpAnswer>;
  /**
   * Reports whether the whole request was written to the connection; only then the connection can
   * be reused.
   */
  sent: boolean;
  head: ResponseHead | undefined;
  decoder: BodyDecoder | undefined;
  queue: BodyQueue | undefined;
}

/**
 * An HTTP/1.1 connection with one request at a time, each sent after the previous response is
 * complete. Unexpected data closes the connection.
 */
export class HttpConnection {
  readonly #wire: Wire;
  readonly #owner: ConnectionOwner;
  /**
   * The pace at which response bodies are read. Heads, and bodies that arrive with them, are read
   * at once.
   */
  readonly #pace: ReadPace;
  #reader = new ResponseHeadReader();
  #exchange: Exchange | undefined;
  #error: unknown;
  #gone = false;

  /**
   * Creates an HTTP connection on an unused network connection. `readClock` paces the reads in
   * place of the system clock.
   */
  constructor(wire: Wire, owner: ConnectionOwner, readClock?: Clock) {
    this.#wire = wire;
    this.#owner = owner;
    const { stream, below } = wire;
    this.#pace = new ReadPace({
      pause: () => void below.pause(),
      resume: () => void below.resume(),
    }, readClock);
    // Keeps the error of the socket, which TLS reports only as a cancelled write.
    below.on("error", (error) => this.#error ??= error);
    stream.on("data", (chunk: Uint8Array) => this.#onData(chunk));
    stream.on("end", () => this.#onEnd());
    // TLS does not close after each error (Deno 2.9), such as a changed record.
    stream.on("error", (error) => this.destroy(error));
    stream.on("close", () => this.#onClose());
    // The socket of a tunnel was read before, and then paused.
    stream.resume();
  }

  /**
   * Sends a request and returns the response once its head has arrived. Throws synchronously when a
   * request is in progress (TypeError) or the head cannot be sent ({@linkcode RequestHeadError}).
   *
   * The connection calls `admit` before it sends a part of the request later than in this call; if
   * `admit` throws, the connection closes, and the request fails with that error.
   *
   * @throws {ProtocolError} When the response is not HTTP/1.1.
   * @throws {Error} When the connection ends first, with the code of the system.
   * @throws {unknown} The reason given to {@linkcode HttpConnection.destroy}.
   */
  send(request: HttpRequest, admit?: () => void): Promise<HttpAnswer> {
    if (this.#exchange) throw new TypeError("the connection is in use");
    this.#wire.checkLeaving?.(admit && (() => this.#checkLeaving(admit)));
    const head = requestHeadText(request);
    const exchange: Exchange = {
      request,
      answer: Promise.withResolvers(),
      sent: false,
      head: undefined,
      decoder: undefined,
      queue: undefined,
    };
    this.#exchange = exchange;
    if (this.#gone || this.#wire.stream.destroyed) {
      this.#fail(this.#error ?? connectionReset("socket hang up"));
    } else {
      this.#write(exchange, head, request.body);
    }
    return exchange.answer.promise;
  }

  /**
   * Closes the HTTP connection. A request in progress, or the unread rest of its response, fails
   * with the reason, or with an earlier error of the connection.
   */
  destroy(reason: unknown = connectionReset("socket hang up")): void {
    this.#error ??= reason;
    this.#wire.stream.destroy();
    this.#onClose();
  }

  /** Reports whether a request is in progress on the connection. */
  get busy(): boolean {
    return this.#exchange !== undefined && !this.#gone;
  }

  /** The request in progress on the connection; `undefined` when there is none. */
  get asked(): HttpRequest | undefined {
    return this.#exchange?.request;
  }

  /** The number of bytes received on the connection, TLS included. */
  get bytesRead(): number {
    return this.#wire.below.bytesRead;
  }

  /**
   * Reports whether reading from the connection is paused, because the reader of the body is slow,
   * or {@linkcode ReadPace} lets small pieces accumulate.
   */
  get paused(): boolean {
    return this.#wire.below.isPaused();
  }

  /** Sets whether the connection keeps the process alive. */
  hold(holds: boolean): void {
    if (holds) this.#wire.below.ref();
    else this.#wire.below.unref();
  }

  #write(exchange: Exchange, head: string, body: Uint8Array | undefined): void {
    const { stream } = this.#wire;
    if (body && body.length > JOINED_BYTES) {
      stream.write(head, "latin1");
      stream.write(body, () => exchange.sent = true);
      return;
    }
    exchange.sent = true;
    if (!body) return void stream.write(head, "latin1");
    const joined = new Uint8Array(head.length + body.length);
    for (let i = 0; i < head.length; i++) joined[i] = head.charCodeAt(i);
    joined.set(body, head.length);
    stream.write(joined);
  }

  #onData(data: Uint8Array): void {
    noteLoopTurn();
    try {
      // A Uint8Array and not a Buffer, whose views take several times the time and memory.
      const chunk = isAlone(data) ? new Uint8Array(data.buffer) : new Uint8Array(data);
      if (!this.#exchange) {
        throw new ProtocolError("HPE_CLOSED_CONNECTION", "Data without a request");
      }
      if (this.#exchange.queue) this.#onBody(this.#exchange, chunk);
      else this.#onHead(this.#exchange, chunk);
    } catch (error) {
      this.destroy(error);
    }
  }

  #onHead(exchange: Exchange, chunk: Uint8Array): void {
    const found = this.#reader.push(chunk);
    if (!found) return release(chunk);
    const { head } = found;
    const rest = chunk.subarray(found.rest);
    exchange.head = head;
    exchange.decoder = decoderOf(bodyFraming(exchange.request.method, head));
    const { body, used, done } = exchange.decoder.push(rest);
    if (done) {
      const bytes = new Uint8Array(body);
      return this.#onWhole(exchange, bytes, { chunk, spare: rest.length - used });
    }
    exchange.queue = this.#queueOf();
    exchange.answer.resolve({ head, body: exchange.queue });
    if (body.length > 0) exchange.queue.push(body);
    else release(chunk);
  }

  #onBody(exchange: Exchange, chunk: Uint8Array): void {
    const read = chunk.length;
    const { body, used, done } = exchange.decoder!.push(chunk);
    const queue = exchange.queue!;
    if (body.length > 0) queue.push(body);
    else release(chunk);
    if (!done) return this.#pace.note(read);
    this.#exchange = undefined;
    this.#next(exchange, read - used);
    queue.end();
  }

  #onWhole(
    exchange: Exchange,
    body: Uint8Array,
    { chunk, spare }: { readonly chunk: Uint8Array; readonly spare: number },
  ): void {
    release(chunk);
    this.#exchange = undefined;
    exchange.answer.resolve({ head: exchange.head!, body });
    this.#next(exchange, spare);
  }

  /**
   * Completes a response: frees the connection for the next request, or closes it if it must not be
   * reused.
   */
  #next({ sent, head }: Exchange, spareBytes: number): void {
    if (spareBytes > 0 || !sent || !keepsConnection(head!)) return this.destroy();
    this.#reader = new ResponseHeadReader();
    this.#pace[Symbol.dispose]();
    this.#wire.checkLeaving?.(undefined);
    const { below } = this.#wire;
    if (below.isPaused()) below.resume();
    // Deferred until the caller has the answer: a caller that aborts before closes the connection,
    // which must not belong to another request by then.
    queueMicrotask(() => {
      if (!this.#gone) this.#owner.onFree(this);
    });
  }

  #queueOf(): BodyQueue {
    return new BodyQueue({
      pause: () => this.#pace.hold(),
      resume: () => this.#pace.release(),
      cancel: (reason) => this.destroy(reason),
    });
  }

  #checkLeaving(admit: () => void): void {
    try {
      admit();
    } catch (error) {
      this.destroy(error);
      throw error;
    }
  }

  #onEnd(): void {
    const exchange = this.#exchange;
    if (exchange?.queue && exchange.decoder?.endsByClose && !this.#isCut()) {
      this.#exchange = undefined;
      exchange.queue.end();
    }
    this.destroy();
  }

  /**
   * Reports whether TLS on the connection ended without the close notification of the server,
   * because the network connection ended, which an attacker can cause too.
   */
  #isCut(): boolean {
    const { stream, below } = this.#wire;
    return stream !== below && below.readableEnded;
  }

  #onClose(): void {
    this.#pace[Symbol.dispose]();
    this.#fail(this.#error ?? connectionReset("socket hang up"));
    if (this.#gone) return;
    this.#gone = true;
    this.#owner.onGone(this);
  }

  #fail(reason: unknown): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    if (!exchange) return;
    if (!exchange.queue) exchange.answer.reject(reason);
    else exchange.queue.fail(isHangUp(reason) ? connectionReset("aborted") : reason);
  }
}

/**
 * Reports whether an error is `socket hang up`, Node's error of a connection that closed before its
 * response began. In a response body, Node reports `aborted` instead, so the caller replaces the
 * error.
 */
function isHangUp(reason: unknown): boolean {
  return reason instanceof Error && reason.message === "socket hang up";
}
