/**
 * HTTP headers that carry credentials, as pairs. A name that occurs several times is sent several
 * times.
 */
export type CredentialHeaders = readonly (readonly [name: string, value: string])[];

/**
 * The interface through which a client obtains the credentials of each request. Implementations
 * keep their secrets in private fields, so that they are not printed.
 */
export interface Credentials {
  /**
   * Returns the HTTP headers of the credentials to send now: `Authorization` and `Impersonate-*`,
   * if they are configured.
   *
   * @throws {ConfigError} When no credentials can be obtained, such as when a token file cannot be
   * read and no token is known.
   */
  headers(): Promise<readonly (readonly [name: string, value: string])[]>;
  /**
   * Renews the credentials after a 401 response. `sent` is the value that {@linkcode
   * Credentials.headers} returned for that request, the same array, since implementations may
   * compare by identity.
   *
   * @returns True when the current credentials differ from `sent`, so that a retry may succeed;
   * false when there are none newer.
   * @throws {ConfigError} When the credentials cannot be renewed.
   */
  onUnauthorized(sent: readonly (readonly [name: string, value: string])[]): Promise<boolean>;
  /**
   * Returns the client certificate of the credentials; `undefined` when they have none. The
   * transport calls the method for each request.
   *
   * @throws {ConfigError} When no certificate can be obtained.
   */
  clientCertificate?(): Promise<
    | {
      /** The client certificate of the credentials as PEM text; a chain may follow. */
      readonly certData: string;
      /** The private key of the credentials' client certificate as PEM text. */
      readonly keyData: string;
    }
    | undefined
  >;
  /** Stops the credential plugin if it is running. */
  [Symbol.dispose]?(): void;
}
