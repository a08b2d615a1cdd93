import type { LinkedAbort } from "../../base/abort.ts";
import type { Clock } from "../../base/clock.ts";
import type { ApiError } from "../api_error.ts";
import { BodyReader, type OpenCall } from "./body_reader.ts";
import type { ClientConfig } from "../config/config.ts";
import type { CredentialHeaders, Credentials } from "../credentials/credentials.ts";
import { apiErrorFromRefusal } from "./error_response.ts";
import { hideProof } from "../credentials/hide_proof.ts";
import { type Answer, discard } from "../transport/answer.ts";
import type { HeaderPair } from "../transport/header_pairs.ts";
import { noAnswer, noCredentials, unreachable } from "../transport/network_error.ts";
import { retryAfterSeconds } from "./retry.ts";
import { checkHead } from "../transport/http1/request_head.ts";
import type { Send } from "../transport/send.ts";
import { StreamBrokenError, UnreachableError } from "../unreachable_error.ts";
import { defaultUserAgent } from "../transport/user_agent.ts";
import type { Warnings } from "./warnings.ts";

/** How much of a refusal's body is read, in bytes. */
const REFUSAL_BYTES = 1024 * 1024;

/** A call, ready to be sent any number of times. */
export interface PreparedCall {
  /** The HTTP method. */
  readonly method: string;
  /** The path, for messages. */
  readonly path: string;
  /** The whole URL. */
  readonly url: string;
  /** The body. */
  readonly body: string | Uint8Array | undefined;
  /** The headers, without credentials. */
  readonly headers: readonly HeaderPair[];
  /** The deadline for all of it, every try included, in milliseconds; 0 is none. */
  readonly timeoutMs: number;
  /** The deadline for the answer's headers, in milliseconds; 0 is none. */
  readonly headersTimeoutMs: number;
  /** What the answer is, for messages. */
  readonly what: string;
}

/** Sends a call once; twice when the credentials turn out to be stale. */
export class SingleTry {
  readonly #config: ClientConfig;
  readonly #network: Send;
  readonly #credentials: Credentials | undefined;
  readonly #clock: Clock;
  readonly #warnings: Warnings;
  readonly #userAgent: HeaderPair;

  /** Makes one for the configured server. */
  constructor(config: ClientConfig, options: {
    readonly send: Send;
    readonly credentials: Credentials | undefined;
    readonly clock: Clock;
    readonly warnings: Warnings;
  }) {
    this.#config = config;
    this.#network = options.send;
    this.#credentials = options.credentials;
    this.#clock = options.clock;
    this.#warnings = options.warnings;
    this.#userAgent = ["User-Agent", config.userAgent ?? defaultUserAgent()];
  }

  /**
   * Resolves when the server says success; then owns `link`.
   *
   * @throws {ApiError} When it refuses.
   * @throws {UnreachableError} When there is no answer.
   */
  async open(call: PreparedCall, link: LinkedAbort): Promise<OpenCall> {
    let proof = await this.#proof(call, link);
    let answer = await this.#send(call, proof, link);
    if (answer.status === 401 && await this.#mayRenew(proof, answer, link)) {
      discard(answer, new Error("the credentials were refused"));
      proof = await this.#proof(call, link);
      answer = await this.#send(call, proof, link);
    }
    const hide = (text: string): string => hideProof(text, proof);
    this.#warnings.note(answer.headers, hide);
    const open: OpenCall = {
      answer,
      signal: link.signal,
      what: call.what,
      hide,
      abort: (reason) => link.abort(reason),
      [Symbol.dispose]: () => link[Symbol.dispose](),
    };
    if (answer.status < 300) return open;
    throw await this.#refusal(call, open);
  }

  async #proof(call: PreparedCall, { signal }: LinkedAbort): Promise<CredentialHeaders> {
    if (!this.#credentials) return [];
    return await proofInTime(this.#credentials, this.#config, { call, signal });
  }

  async #mayRenew(
    proof: CredentialHeaders,
    answer: Answer,
    { signal }: LinkedAbort,
  ): Promise<boolean> {
    if (!this.#credentials) return false;
    try {
      return await abortable(this.#credentials.onUnauthorized(proof), signal);
    } catch (error) {
      discard(answer, new Error("the credentials were refused"));
      throw error;
    }
  }

  async #send(
    call: PreparedCall,
    proof: CredentialHeaders,
    link: LinkedAbort,
  ): Promise<Answer> {
    const { method, url, body, headersTimeoutMs } = call;
    const headers = [this.#userAgent, ...call.headers, ...proof];
    // Here: no network has failed, and no other try would do better.
    checkHead({ method, headers });
    if (body !== undefined && (method === "GET" || method === "HEAD")) {
      throw new TypeError(`a ${method} has no body`);
    }
    const { signal } = link;
    using _deadline = headersTimeoutMs > 0
      ? this.#clock.after(headersTimeoutMs, () =>
        link.abort(
          noAnswer(this.#config, { ...call, timeoutMs: headersTimeoutMs, mayPass: true }),
        ))
      : undefined;
    try {
      return await abortable(
        this.#network({ method, url, headers, body, signal }),
        signal,
        discard,
      );
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw isNetworkError(error) ? unreachable(error, this.#config) : error;
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
    });
  }
}

/**
 * What proves us. The wait ends with the call, though a plugin that others wait for, too, goes on.
 *
 * @throws {UnreachableError} When the call's time was over before, which says what it was lost on.
 */
export async function proofInTime(
  credentials: Credentials,
  config: ClientConfig,
  { call, signal }: { readonly call: PreparedCall; readonly signal: AbortSignal },
): Promise<CredentialHeaders> {
  try {
    return await abortable(credentials.headers(), signal);
  } catch (error) {
    const late = signal.aborted && error === signal.reason && error instanceof UnreachableError;
    throw late ? noCredentials(config, call) : error;
  }
}

/** What `fetch` and Node's sockets reject with; whatever else a wrapper throws is its own affair. */
function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof Deno.errors.NotCapable ||
    (error instanceof Error && "code" in error && typeof error.code === "string");
}

/** A promise that also ends with the signal, whatever its maker does about it. */
export function abortable<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  discardLate: (value: T, reason: unknown) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    const stop = (): void => signal.removeEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    promise.then((value) => {
      stop();
      if (signal.aborted) discardLate(value, signal.reason);
      resolve(value);
    }, (error) => {
      stop();
      reject(error);
    });
  });
}
