import type { Clock } from "@xca/apimachinery/base";
import type { TimeoutQueue } from "@xca/apimachinery/internal/base";
import type { ApiError } from "../errors/api_error.ts";
import { BodyReader, type OpenCall } from "./body_reader.ts";
import type { CallAbort } from "../transport/http1/call_abort.ts";
import type { ClientConfig } from "../config/config.ts";
import type { ClientMetrics } from "./client_metrics.ts";
import type { CredentialHeaders, Credentials } from "../credentials/credentials.ts";
import { apiErrorFromRefusal } from "./error_response.ts";
import { hideCredentials } from "../credentials/hide_credentials.ts";
import { type Answer, discard } from "../transport/answer.ts";
import type { HeaderPair } from "../transport/http1/header_pair.ts";
import { noAnswer, unreachable } from "../transport/network_error.ts";
import type { PreparedCall } from "./prepared_call.ts";
import { CallCredentials } from "./call_credentials.ts";
import { retryAfterSeconds } from "./retry.ts";
import { RequestHeadError } from "../transport/http1/request_head.ts";
import type { Send } from "../transport/send.ts";
import { StreamBrokenError } from "../errors/unreachable_error.ts";
import { defaultUserAgent } from "../transport/user_agent.ts";
import type { Warnings } from "./warnings.ts";

/**
 * The largest number of bytes that are read of the response body of a refusal; the rest is ignored.
 */
const REFUSAL_BYTES = 1024 * 1024;

/**
 * A sender of single attempts of HTTP requests. An attempt is repeated once, with renewed
 * credentials, when the server answers 401.
 */
export class SingleTry {
  readonly #config: ClientConfig;
  readonly #network: Send;
  readonly #credentials: CallCredentials;
  readonly #clock: Clock;
  readonly #warnings: Warnings;
  readonly #userAgent: HeaderPair;
  readonly #metrics: ClientMetrics | undefined;
  readonly #host: string;

  constructor(config: ClientConfig, options: {
    readonly send: Send;
    readonly credentials: Credentials | undefined;
    readonly clock: Clock;
    readonly warnings: Warnings;
    readonly metrics?: ClientMetrics | undefined;
  }) {
    this.#config = config;
    this.#network = options.send;
    this.#credentials = new CallCredentials(options.credentials, config);
    this.#clock = options.clock;
    this.#warnings = options.warnings;
    this.#userAgent = ["User-Agent", config.userAgent ?? defaultUserAgent()];
    this.#metrics = options.metrics;
    this.#host = hostOf(config);
  }

  /**
   * Sends a request, passes the warnings of the response to {@linkcode Warnings.note}, and returns
   * the open call when the server accepts the request; the open call then owns `link`.
   * The deadline for the headers is one of `deadlines` where it has their length, otherwise a timer.
   *
   * @throws {ApiError} When the server responds with a status of 300 or above.
   * @throws {UnreachableError} When there is no connection, or no response or no credentials before
   * a deadline.
   * @throws {IdleTimeoutError} When the body of a refusal does not arrive.
   * @throws {TypeError} When a GET or HEAD has a body, or a header cannot be sent.
   */
  async open(
    call: PreparedCall,
    link: CallAbort,
    deadlines?: TimeoutQueue,
  ): Promise<OpenCall> {
    let credentials = await this.#credentials.headers(call, link);
    let answer = await this.#send(call, { credentials, deadlines }, link);
    const refused = answer;
    const drop = (): void => discard(refused, new Error("the credentials were refused"));
    if (answer.status === 401 && await this.#credentials.renews(credentials, link, drop)) {
      credentials = await this.#credentials.headers(call, link);
      answer = await this.#send(call, { credentials, deadlines }, link);
    }
    const hide = (text: string): string => hideCredentials(text, credentials);
    this.#warnings.note(answer.headers, call, hide);
    const open: OpenCall = {
      answer,
      signal: link,
      what: call.what,
      hide,
      abort: (reason) => link.abort(reason),
      [Symbol.dispose]: () => link[Symbol.dispose](),
    };
    if (answer.status < 300) return open;
    throw await this.#refusal(call, open);
  }

  async #send(
    call: PreparedCall,
    { credentials, deadlines }: {
      readonly credentials: CredentialHeaders;
      readonly deadlines: TimeoutQueue | undefined;
    },
    link: CallAbort,
  ): Promise<Answer> {
    const { method, url, body, headersTimeoutMs, admit } = call;
    const headers = [this.#userAgent, ...call.headers, ...credentials];
    if (body !== undefined && (method === "GET" || method === "HEAD")) {
      throw new TypeError(`a ${method} has no body`);
    }
    // Before the deadline starts: the client, and the queue of its deadlines, may be closed by now.
    link.throwIfAborted();
    const startMs = this.#metrics && this.#clock.monotonicMs();
    let code = "<error>";
    const onLate = (): void =>
      link.abort(noAnswer(this.#config, { ...call, timeoutMs: headersTimeoutMs, mayPass: true }));
    using _deadline = headersTimeoutMs <= 0
      ? undefined
      : deadlines?.lengthMs === headersTimeoutMs
      ? deadlines.start(onLate)
      : this.#clock.after(headersTimeoutMs, onLate);
    try {
      const answer = await this.#network({ method, url, headers, body, signal: link, admit });
      code = String(answer.status);
      return answer;
    } catch (error) {
      if (link.aborted) throw link.reason;
      throw isNetworkError(error) ? unreachable(error, this.#config) : error;
    } finally {
      if (startMs !== undefined) {
        const seconds = (this.#clock.monotonicMs() - startMs) / 1_000;
        const bytes = body === undefined ? 0 : byteLength(body);
        this.#metrics?.sent({ method, host: this.#host, code, seconds, bytes });
      }
    }
  }

  async #refusal(
    call: PreparedCall,
    open: OpenCall,
  ): Promise<ApiError> {
    const { answer } = open;
    const reader = new BodyReader(open, {
      idleTimeoutMs: call.headersTimeoutMs,
      clock: this.#clock,
    });
    const body = await reader.text(REFUSAL_BYTES).catch((error) => {
      if (error instanceof StreamBrokenError) return "";
      throw error;
    });
    return apiErrorFromRefusal({
      code: answer.status,
      body: open.hide(body),
      method: call.method,
      path: call.path,
      retryAfterSeconds: retryAfterSeconds(answer.headers, this.#clock.now()),
      location: open.hide(answer.headers.get("location") ?? "") || null,
      headers: answer.headers,
    });
  }
}

/**
 * Reports whether an error comes from the network: an error with which `fetch` or Node's sockets
 * reject. The caller passes on other errors unchanged: those of a wrapper of the network, and those
 * of a request head that cannot be sent.
 */
function isNetworkError(error: unknown): boolean {
  if (error instanceof RequestHeadError) return false;
  return error instanceof TypeError || error instanceof Deno.errors.NotCapable ||
    (error instanceof Error && "code" in error && typeof error.code === "string");
}

/**
 * Returns the host and port of the configured server as in its URL, without a default port; the
 * whole text when it is not a URL.
 */
export function hostOf(config: ClientConfig): string {
  return URL.canParse(config.server) ? new URL(config.server).host : config.server;
}

const encoder = new TextEncoder();

function byteLength(body: string | Uint8Array): number {
  return typeof body === "string" ? encoder.encode(body).length : body.length;
}
