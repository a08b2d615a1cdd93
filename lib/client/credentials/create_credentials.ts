import type { Clock, Host } from "@xca/apimachinery/base";
import { type ClientConfig, ConfigError } from "../config/config.ts";
import { AuthProviderCredentials } from "./auth_provider.ts";
import { ExecCredentials } from "./exec_credentials.ts";
import { base64Text, bearerFault } from "../config/header_value.ts";
import { impersonateHeaders } from "../config/impersonate_headers.ts";
import { TokenFile } from "../config/token_file.ts";
import type { CredentialHeaders, Credentials } from "./credentials.ts";

/** Options of {@linkcode createCredentials}, which creates the source of a client's credentials. */
export interface CredentialsOptions {
  /** The clock that measures the age of tokens and credentials. @default {systemClock} */
  readonly clock?: Clock;
  /**
   * The interface to the operating system that reads token files and runs credential plugins.
   *
   * @default {systemHost}
   */
  readonly host?: Pick<Host, "readFile" | "run" | "isTerminal">;
}

/** The fields of a client configuration that credentials depend on. */
export type CredentialsSource =
  & Pick<ClientConfig, "credentials" | "impersonate">
  & Partial<Pick<ClientConfig, "server" | "tls" | "proxyUrl">>;

/**
 * Creates the source of the credentials that a client configuration describes. The credentials read
 * a token file again when its token is older than a minute, and after a 401 response. The
 * credentials run a credential plugin on first use, when its credential expires, and after a 401
 * response; never if `tls` has a client certificate.
 *
 * @throws {ConfigError} When the configuration is invalid: both a token and a password, groups
 * without a user to impersonate, a value that a header cannot contain, or an unknown legacy login.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createCredentials } from "./create_credentials.ts";
 *
 * const credentials = createCredentials({ credentials: { token: "abc" } });
 * assert.deepEqual(await credentials.headers(), [["Authorization", "Bearer abc"]]);
 * ```
 */
export function createCredentials(
  config: CredentialsSource,
  options: CredentialsOptions = {},
): Credentials {
  const { token, tokenFile, username = "", password = "", exec, authProvider } =
    config.credentials ?? {};
  const fixed: [string, string][] = impersonateHeaders(config.impersonate);
  if (username !== "" || password !== "") {
    if (token || tokenFile) {
      throw new ConfigError(
        "Cannot send both a bearer token and a user name with a password: configure one of them",
      );
    }
    fixed.unshift(["Authorization", `Basic ${base64Text(`${username}:${password}`)}`]);
    return new FixedCredentials(fixed);
  }
  if (tokenFile) {
    const known = token ? { token } : {};
    return new TokenFileCredentials(fixed, new TokenFile(tokenFile, { ...options, ...known }));
  }
  if (token) fixed.unshift(bearer(token));
  else if (exec && !config.tls?.certData && !config.tls?.certFile) {
    return new ExecCredentials({ exec, cluster: config, fixed, ...options });
  } else if (authProvider) {
    return new AuthProviderCredentials({ authProvider, fixed, clock: options.clock });
  }
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
