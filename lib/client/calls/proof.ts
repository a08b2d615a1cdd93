import type { LinkedAbort } from "@xca/apimachinery/base";
import type { ClientConfig } from "../config/config.ts";
import type { CredentialHeaders, Credentials } from "../credentials/credentials.ts";
import { noCredentials } from "../transport/network_error.ts";
import { UnreachableError } from "../errors/unreachable_error.ts";
import { abortable } from "./abortable.ts";
import type { PreparedCall } from "./prepared_call.ts";

/** What proves the calls of a client. A wait ends with the call, though others may wait on. */
export class Proof {
  readonly #credentials: Credentials | undefined;
  readonly #config: ClientConfig;

  /** Makes one for the configured server. */
  constructor(credentials: Credentials | undefined, config: ClientConfig) {
    this.#credentials = credentials;
    this.#config = config;
  }

  /**
   * The headers that prove us.
   *
   * @throws {UnreachableError} When the call's time was over before, which says what it was lost on.
   */
  async headers(call: PreparedCall, { signal }: LinkedAbort): Promise<CredentialHeaders> {
    if (!this.#credentials) return [];
    try {
      return await abortable(this.#credentials.headers(), signal);
    } catch (error) {
      const late = signal.aborted && error === signal.reason && error instanceof UnreachableError;
      throw late ? noCredentials(this.#config, call) : error;
    }
  }

  /**
   * Whether there are newer headers than those that the server refused. `discard` lets go of its
   * refusal, unless that is what the caller gets.
   */
  async renews(
    sent: CredentialHeaders,
    { signal }: LinkedAbort,
    discard: () => void,
  ): Promise<boolean> {
    if (!this.#credentials) return false;
    let renewed = true;
    try {
      renewed = await abortable(this.#credentials.onUnauthorized(sent), signal);
    } finally {
      if (renewed) discard();
    }
    return renewed;
  }
}
