import { getLogger } from "@logtape/logtape";
import { type Clock, errorText, linkedAbort, systemClock } from "@xca/apimachinery/base";
import { ConfigError } from "../config/config.ts";
import { quoted, shown } from "../config/config_place.ts";
import type { CredentialHeaders, Credentials } from "./credentials.ts";
import { clientNodeLogin, type LegacyLogin } from "./legacy_login.ts";
import { hideSecretsInText } from "./hide_secrets_in_text.ts";
import type { AuthProviderConfig } from "../config/plugin_config.ts";

/** The names of the legacy logins that `@kubernetes/client-node` has code for. */
const KNOWN: ReadonlySet<string> = new Set(["oidc", "gcp", "azure"]);
/** The time limit of a legacy login, in milliseconds. */
const TIMEOUT_MS = 60_000;
/**
 * The time for which the token of a legacy login is used if it states no expiry, in milliseconds.
 */
const OPAQUE_MS = 60_000;

const log = getLogger(["xca", "client", "credentials"]);

/** Options of the class {@linkcode AuthProviderCredentials}, the credentials of a legacy login. */
export interface AuthProviderParts {
  /** The legacy login of the kubeconfig user. */
  readonly authProvider: AuthProviderConfig;
  /** The headers that are sent in addition to the token of the legacy login. */
  readonly fixed: CredentialHeaders;
  /** The clock that measures the expiry of the legacy login's token. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /**
   * The function that prepares the legacy login of a kubeconfig user, and resolves to the function
   * that performs it.
   *
   * @default the code of `@kubernetes/client-node`
   */
  readonly login?: (config: AuthProviderConfig) => Promise<LegacyLogin>;
}

/**
 * The credentials of a kubeconfig user with a legacy login (`auth-provider`). The class logs in on
 * first use, when the token expires, and after a 401 response; concurrent calls share one login. A
 * refreshed token is kept in memory only: unlike kubectl, this class does not write it to the
 * kubeconfig.
 */
export class AuthProviderCredentials implements Credentials {
  readonly #config: AuthProviderConfig;
  readonly #fixed: CredentialHeaders;
  readonly #clock: Clock;
  readonly #start: (config: AuthProviderConfig) => Promise<LegacyLogin>;
  #login: LegacyLogin | undefined;
  #held: { readonly value: string; readonly headers: CredentialHeaders } | undefined;
  #goodUntilMs = -Infinity;
  #asking: Promise<CredentialHeaders> | undefined;

  constructor(parts: AuthProviderParts) {
    const { authProvider, fixed, clock = systemClock, login = clientNodeLogin } = parts;
    this.#config = authProvider;
    this.#fixed = fixed;
    this.#clock = clock;
    this.#start = login;
    if (!KNOWN.has(authProvider.name)) {
      throw this.#error("the login is unknown", [...KNOWN].join(", ") + " are known");
    }
  }

  async headers(): Promise<CredentialHeaders> {
    if (this.#held && this.#clock.now().getTime() < this.#goodUntilMs) return this.#held.headers;
    return await this.#ask();
  }

  async onUnauthorized(sent: CredentialHeaders): Promise<boolean> {
    const refused = this.#held;
    if (refused && sent !== refused.headers) return true;
    await this.#ask();
    return this.#held?.value !== refused?.value;
  }

  #ask(): Promise<CredentialHeaders> {
    this.#asking ??= this.#askOnce().finally(() => this.#asking = undefined);
    return this.#asking;
  }

  async #askOnce(): Promise<CredentialHeaders> {
    if (!this.#login) {
      log.warn(
        "auth-provider is a legacy login ({name}): use an exec plugin instead, such as " +
          "kubectl oidc-login, gke-gcloud-auth-plugin or kubelogin",
        { name: this.#config.name },
      );
    }
    let value: string | undefined;
    try {
      value = await this.#inTime(async () => {
        this.#login ??= await this.#start(this.#config);
        return await this.#login();
      });
    } catch (error) {
      throw this.#error(
        this.#reason(error),
        this.#config.config["cmd-path"]
          ? "run it by hand (this program needs --allow-run=/bin/sh to do so), or use an exec plugin"
          : "log in again, or use an exec plugin instead",
      );
    }
    if (!value) {
      throw this.#error(
        "it has no token that is valid, and cannot get one",
        "log in again, or use an exec plugin instead",
      );
    }
    if (this.#held?.value !== value) {
      this.#held = { value, headers: [["Authorization", value], ...this.#fixed] };
    }
    const nowMs = this.#clock.now().getTime();
    this.#goodUntilMs = expiryMs(value) ?? nowMs + OPAQUE_MS;
    return this.#held.headers;
  }

  /**
   * Returns the message of a legacy login's error without its secrets. The error itself is not kept
   * as a cause, since it may quote the response of the provider.
   */
  #reason(error: unknown): string {
    const { config } = this.#config;
    if (error instanceof Deno.errors.NotCapable) return shown(errorText(error));
    const secrets = Object.entries(config).filter(([key]) => /secret|token/.test(key));
    return shown(hideSecretsInText(errorText(error), secrets.map(([, value]) => value)));
  }

  async #inTime<T>(work: () => Promise<T>): Promise<T> {
    using link = linkedAbort({ timeoutMs: TIMEOUT_MS, clock: this.#clock });
    const { promise, reject } = Promise.withResolvers<never>();
    link.signal.addEventListener("abort", () => reject(link.signal.reason), { once: true });
    return await Promise.race([work(), promise]);
  }

  #error(reason: string, advice: string): ConfigError {
    const { name, place } = this.#config;
    return new ConfigError(
      `Cannot log in with auth-provider ${quoted(name)}${place ? ` of ${place}` : ""}: ` +
        `${reason}; ${advice}`,
    );
  }
}

/**
 * Returns the expiry (`exp`) of a JSON Web Token in an `Authorization` header, in milliseconds
 * since 1970; `undefined` for other tokens. The token is not verified, which is the server's task.
 */
function expiryMs(authorization: string): number | undefined {
  const payload = /^Bearer [\w-]+\.([\w-]+)\.[\w-]*$/.exec(authorization)?.[1];
  if (!payload) return undefined;
  try {
    const { exp } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return typeof exp === "number" ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
