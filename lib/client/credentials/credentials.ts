import type { ClientCertificate } from "./exec_output.ts";

/** Headers as pairs. One name may come several times, and must then be sent several times. */
export type CredentialHeaders = readonly (readonly [name: string, value: string])[];

/**
 * Who we are, at the time of a request. It holds the secrets in private fields: printing it shows
 * none.
 */
export interface Credentials {
  /**
   * The headers to send now: `Authorization` and `Impersonate-*`, as far as the configuration asks.
   *
   * @throws {ConfigError} When a token file cannot be read and no token is known.
   */
  headers(): Promise<CredentialHeaders>;
  /**
   * To be called on a 401 answer, with the very headers that {@linkcode Credentials.headers} gave for
   * the request. Looks at once for newer credentials.
   *
   * @returns Whether there are now others, so that one more try makes sense.
   */
  onUnauthorized(sent: CredentialHeaders): Promise<boolean>;
  /**
   * The client certificate that goes with the headers, where credentials bring one. The transport
   * asks for each request.
   *
   * @throws {ConfigError} When there is no getting one.
   */
  clientCertificate?(): Promise<ClientCertificate | undefined>;
  /** Lets go of what still runs. */
  [Symbol.dispose]?(): void;
}
