import type { Clock } from "@xca/apimachinery/base";
import { BodyReader } from "./body_reader.ts";
import type { CallAbort } from "../transport/http1/call_abort.ts";
import type { ClientConfig } from "../config/config.ts";
import type { CredentialHeaders, Credentials } from "../credentials/credentials.ts";
import { answerOf } from "../transport/answer.ts";
import { type Dial, UpgradeRefused, type WebSocketLike } from "../transport/dial.ts";
import { apiErrorFromRefusal } from "./error_response.ts";
import { hideCredentials } from "../credentials/hide_credentials.ts";
import { noAnswer, unreachable } from "../transport/network_error.ts";
import { retryAfterSeconds } from "./retry.ts";
import { CallCredentials } from "./call_credentials.ts";
import type { PreparedCall } from "./prepared_call.ts";
import { defaultUserAgent } from "../transport/user_agent.ts";

/**
 * The largest number of bytes that are read of the response to a refused WebSocket request; the
 * rest is ignored.
 */
const REFUSAL_BYTES = 1024 * 1024;
/**
 * The longest wait for a chunk of the response to a refused WebSocket request, in milliseconds;
 * then the response counts as empty.
 */
const REFUSAL_MS = 10_000;

/**
 * An opener of WebSockets in single attempts. An attempt is repeated once, with renewed
 * credentials, when the server answers 401.
 */
export class SocketTry {
  readonly #config: ClientConfig;
  readonly #dial: Dial;
  readonly #credentials: CallCredentials;
  readonly #clock: Clock;

  constructor(config: ClientConfig, options: {
    readonly dial: Dial;
    readonly credentials: Credentials | undefined;
    readonly clock: Clock;
  }) {
    this.#config = config;
    this.#dial = options.dial;
    this.#credentials = new CallCredentials(options.credentials, config);
    this.#clock = options.clock;
  }

  /**
   * Opens a WebSocket and returns it once it is open. Disposes `link` when the WebSocket ends;
   * after a rejection, `link` is the caller's to dispose.
   *
   * @throws {ApiError} When the server refuses.
   * @throws {UnreachableError} When there is no connection, or no response before the deadline of
   * the attempt.
   */
  async open(
    call: PreparedCall,
    protocols: readonly string[],
    link: CallAbort,
  ): Promise<WebSocketLike> {
    const first = await this.#credentials.headers(call, link);
    try {
      return await this.#send(call, { protocols, credentials: first }, link);
    } catch (error) {
      const refusal = error instanceof UpgradeRefused ? error.response : undefined;
      const drop = (): void => void refusal?.body?.cancel().catch(() => {});
      const renewed = refusal?.status === 401 && await this.#credentials.renews(first, link, drop);
      if (!renewed) throw await this.#explain(error, call, { credentials: first, link });
    }
    const credentials = await this.#credentials.headers(call, link);
    try {
      return await this.#send(call, { protocols, credentials }, link);
    } catch (error) {
      throw await this.#explain(error, call, { credentials, link });
    }
  }

  async #send(
    call: PreparedCall,
    { protocols, credentials }: {
      readonly protocols: readonly string[];
      readonly credentials: CredentialHeaders;
    },
    link: CallAbort,
  ): Promise<WebSocketLike> {
    const { url, headersTimeoutMs: timeoutMs } = call;
    const agent = ["User-Agent", this.#config.userAgent ?? defaultUserAgent()] as const;
    const headers = [agent, ...call.headers, ...credentials];
    using _deadline = timeoutMs > 0
      ? this.#clock.after(
        timeoutMs,
        () => link.abort(noAnswer(this.#config, { ...call, timeoutMs, mayPass: true })),
      )
      : undefined;
    call.admit?.();
    const address = url.replace(/^http/, "ws");
    const socket = await this.#dial(address, protocols, headers, link.signal, call.admit);
    void socket.closed.then(() => link[Symbol.dispose]());
    return socket;
  }

  async #explain(
    error: unknown,
    call: PreparedCall,
    { credentials, link }: { readonly credentials: CredentialHeaders; readonly link: CallAbort },
  ): Promise<unknown> {
    if (link.aborted) return link.reason;
    if (!(error instanceof UpgradeRefused)) {
      const network = error instanceof Error && "code" in error || error instanceof TypeError;
      return network ? unreachable(error, this.#config) : error;
    }
    const { response } = error;
    const body = await this.#refusalText(response, link);
    return apiErrorFromRefusal({
      code: response.status,
      body: hideCredentials(body, credentials),
      method: call.method,
      path: call.path,
      retryAfterSeconds: retryAfterSeconds(response.headers, this.#clock.now()),
      location: hideCredentials(response.headers.get("location") ?? "", credentials) || null,
      headers: response.headers,
    });
  }

  async #refusalText(response: Response, link: CallAbort): Promise<string> {
    const reader = new BodyReader({
      answer: answerOf(response),
      signal: link.signal,
      what: "refusal",
      hide: (text) => text,
      abort: (reason) => link.abort(reason),
      [Symbol.dispose]: () => {},
    }, { idleTimeoutMs: REFUSAL_MS, clock: this.#clock });
    return await reader.text(REFUSAL_BYTES).catch(() => "");
  }
}
