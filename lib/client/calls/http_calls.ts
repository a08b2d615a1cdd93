import {
  type Clock,
  delay,
  errorText,
  linkedAbort,
  type Random,
  systemClock,
  systemRandom,
} from "@xca/apimachinery/base";
import { LiveList, parseJson, type TimeoutQueue } from "@xca/apimachinery/internal/base";
import { getLogger } from "@logtape/logtape";
import { BodyReader, type BodyReaderOptions, type OpenCall } from "./body_reader.ts";
import type { ByteSource } from "../transport/http1/byte_source.ts";
import { CallAbort } from "../transport/http1/call_abort.ts";
import type { ClientConfig } from "../config/config.ts";
import type { ClientMetrics } from "./client_metrics.ts";
import type { Credentials } from "../credentials/credentials.ts";
import { ApiError } from "../errors/api_error.ts";
import { AnswerTooLargeError, DecodeError } from "../errors/decode_error.ts";
import type { Dial, WebSocketLike } from "../transport/dial.ts";
import { responseOf } from "../transport/answer.ts";
import { noAnswer } from "../transport/network_error.ts";
import { checkPath } from "./paths.ts";
import { queryText } from "./query.ts";
import { type RateLimit, RequestLimiter } from "./request_limiter.ts";
import { methodOf, type RestCalls, type RestRequest } from "./rest.ts";
import { RetryPolicy } from "./retry.ts";
import type { Send } from "../transport/send.ts";
import type { PreparedCall } from "./prepared_call.ts";
import { hostOf, SingleTry } from "./single_try.ts";
import type { SocketCalls, SocketRequest } from "./socket_calls.ts";
import { SocketTry } from "./socket_try.ts";
import { bodyText } from "./json_values.ts";
import { type OnWarning, Warnings } from "./warnings.ts";

const logger = getLogger(["xca", "client", "rest"]);

/**
 * The default deadline for the headers of a response, and for each wait for a part of its body, in
 * milliseconds. The server ends a call after 60 s with an error, which the client receives before
 * this deadline.
 */
export const DEFAULT_DEADLINE_MS = 65_000;

/**
 * The default limit for a response body that is read as a whole, in bytes: 128 MiB, a page of 500
 * objects of 256 KB.
 */
export const MAX_ANSWER_BYTES: number = 128 * 1024 * 1024;

/** Options of the class {@linkcode HttpCalls}, which sends a client's HTTP requests. */
export interface HttpCallsOptions {
  /** The fetch-like function that sends HTTP requests. */
  readonly send: Send;
  /**
   * The function that opens WebSocket connections.
   *
   * @default none: {@linkcode HttpCalls.connect} rejects
   */
  readonly dial?: Dial | undefined;
  /** The rate limit of the client's requests, retries included. @default no limit */
  readonly rateLimit?: RateLimit | undefined;
  /** The credentials that the requests carry. @default none */
  readonly credentials?: Credentials | undefined;
  /** The clock for the deadlines and retries of HTTP calls. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The random number source for the jitter of HTTP retries. @default {systemRandom} */
  readonly random?: Random | undefined;
  /**
   * The callback that receives the warnings in the server's response headers.
   *
   * @default writes them to the log
   */
  readonly onWarning?: OnWarning | undefined;
  /** The provider of the metrics of the client's requests. @default none */
  readonly metrics?: ClientMetrics | undefined;
  /**
   * The queue of the default deadlines for the headers of responses that are read as a whole, of
   * {@linkcode DEFAULT_DEADLINE_MS} each. The connection of such a response is kept, and outlives
   * the call as the timer of the queue does.
   *
   * @default a timer of the clock per request
   */
  readonly deadlines?: TimeoutQueue | undefined;
}

/**
 * The HTTP layer of a client: sends requests and opens WebSockets, with credentials, deadlines,
 * retries, warnings and errors.
 */
export class HttpCalls implements RestCalls, SocketCalls, Disposable {
  readonly #config: ClientConfig;
  readonly #base: string;
  readonly #clock: Clock;
  readonly #retries: RetryPolicy;
  readonly #limiter: RequestLimiter | undefined;
  readonly #single: SingleTry;
  readonly #sockets: SocketTry | undefined;
  readonly #metrics: ClientMetrics | undefined;
  readonly #host: string;
  readonly #deadlines: TimeoutQueue | undefined;
  readonly #inFlight = new LiveList<CallAbort>();
  readonly #closing = new AbortController();

  /** Creates the HTTP layer for the configured server. */
  constructor(config: ClientConfig, options: HttpCallsOptions) {
    const { clock = systemClock, random = systemRandom } = options;
    this.#config = config;
    this.#base = config.server.replace(/\/+$/, "");
    this.#clock = clock;
    this.#deadlines = options.deadlines;
    this.#retries = new RetryPolicy({ clock, random });
    const { rateLimit, dial, credentials, metrics } = options;
    this.#metrics = metrics;
    this.#host = hostOf(config);
    this.#limiter = rateLimit && new RequestLimiter(rateLimit, { clock });
    this.#single = new SingleTry(config, {
      send: options.send,
      credentials,
      clock,
      warnings: new Warnings(options.onWarning),
      metrics,
    });
    this.#sockets = dial && new SocketTry(config, { dial, credentials, clock });
  }

  /**
   * Sends one HTTP request, with retries, and returns the response once the headers of a successful
   * one arrived; see {@linkcode RestCalls.request}.
   */
  async request(request: RestRequest): Promise<Response> {
    const call = await this.open(request);
    const { answer } = call;
    if (answer.body instanceof Uint8Array) {
      call[Symbol.dispose]();
      return responseOf({ ...answer, hide: call.hide });
    }
    const reader = this.#reader(call, request);
    return responseOf({ ...answer, body: sourceOf(reader), hide: call.hide });
  }

  /**
   * Sends one HTTP request, with retries, and returns the whole response body, parsed as JSON; see
   * {@linkcode RestCalls.requestJson}.
   */
  async requestJson<T>(request: RestRequest): Promise<T> {
    const text = await this.requestText(request);
    try {
      return parseJson(text) as T;
    } catch (cause) {
      throw new DecodeError(
        `Cannot decode the answer to ${methodOf(request)} ${request.path}: ${
          text === "" ? "it is empty" : `it is not JSON${beginning(text)}`
        }`,
        { cause },
      );
    }
  }

  /**
   * Sends one HTTP request and returns the whole response body as text. The client retries a read
   * also if the connection breaks within the body. Rejects as {@linkcode RestCalls.request} does,
   * with a StreamBrokenError or IdleTimeoutError for an incomplete body, and with an
   * AnswerTooLargeError.
   */
  requestText(request: RestRequest): Promise<string> {
    return this.#attempts(
      request,
      this.#prepare(request),
      async (call, link) =>
        await this.#whole(await this.#single.open(call, link, this.#deadlines), request),
    );
  }

  /**
   * Sends one HTTP request, retries failures until the headers arrive, and returns the open call
   * once the headers of a successful response arrived. The caller reads the body with a {@linkcode
   * BodyReader}, which ends the call.
   */
  open(request: RestRequest): Promise<OpenCall> {
    return this.#attempts(
      request,
      this.#prepare(request),
      (call, link) => this.#single.open(call, link),
    );
  }

  /**
   * Opens a WebSocket to the server and returns it once it is open; rejects with a TypeError
   * without {@linkcode HttpCallsOptions.dial}. See {@linkcode SocketCalls.connect}.
   */
  async connect(request: SocketRequest): Promise<WebSocketLike> {
    const sockets = this.#sockets;
    if (!sockets) {
      throw new TypeError(
        `Cannot open a WebSocket to ${request.path}: the client was made with a fetch of its own, ` +
          `and without a dial`,
      );
    }
    const { connectTimeoutMs: headersTimeoutMs, protocols, ...rest } = request;
    // The method `CONNECT` is retried by the rules for writes: the server may have begun to act.
    const call = {
      ...this.#prepare({ ...rest, headersTimeoutMs, timeoutMs: 0 }),
      method: "CONNECT",
    };
    return await this.#attempts(
      rest,
      call,
      (call, link) => sockets.open(call, protocols, link),
    );
  }

  /**
   * Returns a response body, read as a whole, as text, and records its size in the metrics.
   *
   * @throws {AnswerTooLargeError} When the body is longer than `maxBytes` of the request.
   */
  async #whole(call: OpenCall, request: RestRequest): Promise<string> {
    const { maxBytes = MAX_ANSWER_BYTES, path } = request;
    const method = methodOf(request);
    const reader = this.#reader(call, request, { lends: true });
    let tooLong = false;
    const text = await reader.text(maxBytes, () => tooLong = true);
    if (tooLong) throw new AnswerTooLargeError(`${method} ${path}`, maxBytes);
    this.#metrics?.received(method, this.#host, reader.textBytes);
    return text;
  }

  /** Returns a reader of a response body, with the idle deadline of the request. */
  #reader(
    call: OpenCall,
    { idleTimeoutMs = DEFAULT_DEADLINE_MS }: RestRequest,
    { lends = false }: Pick<BodyReaderOptions, "lends"> = {},
  ): BodyReader {
    return new BodyReader(call, { idleTimeoutMs, lends, clock: this.#clock });
  }

  async #attempts<T>(
    request: RestRequest,
    call: PreparedCall,
    attempt: (call: PreparedCall, link: CallAbort) => Promise<T>,
  ): Promise<T> {
    const { timeoutMs } = call;
    const endMs = timeoutMs > 0 ? this.#clock.monotonicMs() + timeoutMs : Infinity;
    for (let retries = 0;; retries++) {
      const leftMs = endMs - this.#clock.monotonicMs();
      const isClosed = this.#closing.signal.aborted && !request.signal?.aborted;
      const link = new CallAbort({
        signal: isClosed ? this.#closing.signal : request.signal,
        inFlight: this.#inFlight,
        timeoutMs: timeoutMs > 0 ? Math.max(0, leftMs) : undefined,
        timeoutReason: () =>
          noAnswer(this.#config, { ...call, mayPass: false, missing: "whole answer" }),
        clock: this.#clock,
      });
      try {
        const what = `${call.method} ${call.path}`;
        if (this.#limiter) {
          const startMs = this.#clock.monotonicMs();
          await this.#limiter.turn({ what, leftMs, signal: link.signal });
          const seconds = (this.#clock.monotonicMs() - startMs) / 1_000;
          this.#metrics?.waited(call.method, this.#host, seconds);
        }
        return await attempt(call, link);
      } catch (error) {
        link[Symbol.dispose]();
        if (request.signal?.aborted || this.#closing.signal.aborted) throw error;
        const waitMs = this.#waitMs(request, { method: call.method, error, retries });
        if (waitMs === undefined || this.#clock.monotonicMs() + waitMs >= endMs) throw error;
        logger.debug("{method} {path} is tried again in {waitMs} ms: {error}", {
          method: call.method,
          path: call.path,
          waitMs: Math.round(waitMs),
          error: errorText(error),
        });
        const code = error instanceof ApiError ? String(error.code) : "<error>";
        this.#metrics?.retried(call.method, this.#host, code);
        await this.#pause(waitMs, request.signal);
      }
    }
  }

  #waitMs(
    request: RestRequest,
    failed: { readonly method: string; readonly error: unknown; readonly retries: number },
  ): number | undefined {
    return request.retry === false ? undefined : this.#retries.waitMs(failed);
  }

  async #pause(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    using link = linkedAbort({ signals: [signal, this.#closing.signal] });
    await delay(waitMs, { signal: link.signal, clock: this.#clock });
  }

  #prepare(request: RestRequest): PreparedCall {
    const { path, query, body, contentType = "application/json" } = request;
    const method = methodOf(request);
    const raw = typeof body === "string" || body instanceof Uint8Array;
    const { headers: own = [] } = request;
    // The server reads the first Accept header only.
    const accepts = own.some(([name]) => name.toLowerCase() === "accept");
    return {
      method,
      path: checkPath(path),
      url: this.#base + path + queryText(query),
      body: body === undefined
        ? undefined
        : raw
        ? body
        : bodyText(`Cannot send ${method} ${path}`, body),
      headers: [
        ...(accepts ? [] : [["Accept", "application/json"] as const]),
        ...(body === undefined ? [] : [["Content-Type", contentType] as const]),
        ...own,
      ],
      timeoutMs: request.timeoutMs ?? this.#config.requestTimeoutMs ?? 0,
      headersTimeoutMs: request.headersTimeoutMs ?? DEFAULT_DEADLINE_MS,
      what: request.what ?? `answer to ${method} ${path}`,
      admit: request.admit,
    };
  }

  /** Closes the HTTP layer: aborts all calls in flight; later calls reject. */
  [Symbol.dispose](): void {
    const reason = new Error(`Cannot call ${this.#config.server}: the client is closed`);
    this.#closing.abort(reason);
    for (const call of this.#inFlight) call.abort(reason);
  }
}

/** Returns a byte source that reads from a body reader. Cancelling the source ends the call. */
function sourceOf(reader: BodyReader): ByteSource {
  return { read: () => reader.read(), cancel: () => reader[Symbol.dispose]() };
}

/**
 * Returns a clause for an error message, which names the first tag of an HTML page; empty for any
 * other response, which may be secret.
 */
function beginning(text: string): string {
  const [, tag] = /^\s*<!?([a-z]+)/i.exec(text) ?? [];
  return tag === undefined ? "" : `, and begins as a page does: <${tag.slice(0, 20)}>`;
}
