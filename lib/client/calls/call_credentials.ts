import { beforeAbort } from "@xca/apimachinery/internal/base";
import type { ClientConfig } from "../config/config.ts";
import type { CredentialHeaders, Credentials } from "../credentials/credentials.ts";
import { noCredentials } from "../transport/network_error.ts";
import { UnreachableError } from "../errors/unreachable_error.ts";
import type { CallSignal } from "../transport/http1/call_abort.ts";
import type { PreparedCall } from "./prepared_call.ts";

/**
 * The credentials of a client as its calls use them: the HTTP headers to send, and their renewal
 * after a 401 response. A call that is aborted stops waiting for the credentials; other calls
 * continue to wait.
 */
export class CallCredentials {
  readonly #credentials: Credentials | undefined;
  readonly #config: ClientConfig;

  constructor(credentials: Credentials | undefined, config: ClientConfig) {
    this.#credentials = credentials;
    this.#config = config;
  }

  /**
   * Returns the HTTP headers that carry the client's credentials; an empty list when the client has
   * no credentials.
   *
   * @throws {UnreachableError} When the deadline of the call passed while it waited for the
   * credentials.
   * @throws {unknown} The reason of the signal, or the error of the credentials.
   */
  async headers(call: PreparedCall, signal: CallSignal): Promise<CredentialHeaders> {
    if (!this.#credentials) return [];
    try {
      return await beforeAbort(this.#credentials.headers(), signal);
    } catch (error) {
      const late = signal.aborted && error === signal.reason && error instanceof UnreachableError;
      throw late ? noCredentials(this.#config, call) : error;
    }
  }

  /**
   * Renews the credentials that the server refused, and reports whether there are newer
   * credentials, with which the caller repeats the request. If so, or if the renewal fails, calls
   * `discard`, which drops the server's 401 response; otherwise the caller reads the response.
   * Rejects with the error of the renewal, or the reason of the signal.
   */
  async renews(
    sent: CredentialHeaders,
    signal: CallSignal,
    discard: () => void,
  ): Promise<boolean> {
    if (!this.#credentials) return false;
    let renewed = true;
    try {
      renewed = await beforeAbort(this.#credentials.onUnauthorized(sent), signal);
    } finally {
      if (renewed) discard();
    }
    return renewed;
  }
}
