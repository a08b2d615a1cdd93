import type { Clock } from "../base/clock.ts";
import type { Host } from "../base/host.ts";
import { type ClientConfig, ConfigError } from "./config.ts";
import { base64Text, bearerFault } from "./header_value.ts";
import { impersonateHeaders } from "./impersonate_headers.ts";
import { TokenFile } from "./token_file.ts";

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
   * To be called on a 401 answer, with the headers that the request carried. Looks at once for newer
   * credentials.
   *
   * @returns Whether the headers are now others, so that one more try makes sense.
   */
  onUnauthorized(sent: CredentialHeaders): Promise<boolean>;
}

/** Options of {@linkcode createCredentials}. */
export interface CredentialsOptions {
  /** Tells how old a token is. */
  readonly clock?: Clock;
  /** Reads token files. */
  readonly host?: Pick<Host, "readFile">;
}

/**
 * The credentials that a configuration asks for. A token file is read again when its token is older
 * than a minute, and at once after a 401.
 *
 * @throws {ConfigError} When it asks for both a token and a password, or for what no header can carry.
 */
export function createCredentials(
  config: Pick<ClientConfig, "credentials" | "impersonate">,
  options: CredentialsOptions = {},
): Credentials {
  const { token, tokenFile, username = "", password = "" } = config.credentials ?? {};
  const fixed: [string, string][] = impersonateHeaders(config.impersonate);
  if (username !== "" || password !== "") {
    if (token || tokenFile) {
      throw new ConfigError(
        "Cannot send both a bearer token and a user name with a password: configure one of them",
      );
    }
    fixed.unshift(["Authorization", `Basic ${base64Text(`${username}:${password}`)}`]);
  }
  if (tokenFile) {
    const fallback = token ? { fallback: token } : {};
    return new TokenFileCredentials(fixed, new TokenFile(tokenFile, { ...options, ...fallback }));
  }
  if (token) fixed.unshift(bearer(token));
  return new FixedCredentials(fixed);
}

function bearer(token: string): [string, string] {
  const fault = bearerFault(token);
  if (fault) throw new ConfigError(`Cannot send the bearer token: ${fault}; correct it`);
  return ["Authorization", `Bearer ${token}`];
}

class FixedCredentials implements Credentials {
  readonly #headers: CredentialHeaders;

  constructor(headers: CredentialHeaders) {
    this.#headers = headers;
  }

  headers(): Promise<CredentialHeaders> {
    return Promise.resolve(this.#headers);
  }

  onUnauthorized(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

class TokenFileCredentials implements Credentials {
  readonly #fixed: CredentialHeaders;
  readonly #file: TokenFile;

  constructor(fixed: CredentialHeaders, file: TokenFile) {
    this.#fixed = fixed;
    this.#file = file;
  }

  async headers(): Promise<CredentialHeaders> {
    return [bearer(await this.#file.token()), ...this.#fixed];
  }

  async onUnauthorized(sent: CredentialHeaders): Promise<boolean> {
    const [, value] = bearer(await this.#file.read());
    return !sent.some((header) => header[0] === "Authorization" && header[1] === value);
  }
}
