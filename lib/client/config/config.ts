import { markClass } from "@xca/apimachinery/internal/base";
import type { AuthProviderConfig, CredentialPluginPolicy, ExecConfig } from "./plugin_config.ts";

/**
 * The configuration of a connection to an API server, as plain data: the address, the material that
 * verifies the server, and the credentials. The configuration comes from `loadConfig`,
 * `inClusterConfig` or `configFromKubeConfigLike`, or is written by hand.
 *
 * A configuration that this package loaded or that `inNamespace` changed is printed (`console.log`,
 * `JSON.stringify`, a log record) with `REDACTED` in place of its secrets; a configuration that was
 * written by hand is printed unchanged.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { ClientConfig } from "@xca/operator/client";
 *
 * const config: ClientConfig = {
 *   server: "https://127.0.0.1:6443",
 *   namespace: "default",
 *   credentials: { tokenFile: "/run/secrets/token" },
 * };
 * assert(config.tls === undefined);
 * ```
 */
export interface ClientConfig {
  /**
   * The URL of the API server: `https://host:port`, with a path if the server is below one, and
   * without a trailing slash.
   */
  readonly server: string;
  /**
   * The namespace in which the client creates and applies an object if neither the object nor the
   * call names one. Other calls do not use this namespace.
   *
   * @default "default"
   */
  readonly namespace?: string;
  /**
   * The TLS settings of the connection: certificate authorities of the server, and the client
   * certificate.
   *
   * @default the default roots of the runtime, and no client certificate
   */
  readonly tls?: TlsConfig;
  /** The credentials of the client other than the certificate in `tls`. */
  readonly credentials?: CredentialsConfig;
  /** The user identity that the client impersonates. @default none */
  readonly impersonate?: ImpersonateConfig;
  /**
   * The default time limit of a call, retries included, in milliseconds; {@linkcode
   * CallOptions.timeoutMs} of a call takes precedence. Each page of a list has this limit; watches,
   * followed logs and WebSockets have none.
   *
   * @default none
   */
  readonly requestTimeoutMs?: number;
  /**
   * The value of the `User-Agent` header in the client's requests.
   *
   * @default "xca-operator/<version> (deno/<version>; <os>/<arch>)"
   */
  readonly userAgent?: string;
  /**
   * The origin of the client configuration, for error messages: `context "kind" in
   * /home/u/.kube/config`. If a flag set the address, the flag comes first: `--server, with context
   * "kind" in ...`.
   */
  readonly source?: string;
  /**
   * The proxy through which the client connects: an `http`, `https` or `socks5` URL, which may
   * contain a user name and a password. `loadConfig` and `inClusterConfig` take it from the
   * kubeconfig, or else from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, by the rules of Go's
   * `net/http`. The client itself reads no variables: without `proxyUrl` it connects directly.
   */
  readonly proxyUrl?: string;
  /**
   * Sets whether the client asks for responses without compression. Otherwise the API server
   * compresses responses above 128 KB, except for watches; compression saves bandwidth and costs
   * CPU time of the server.
   *
   * @default false
   */
  readonly disableCompression?: boolean;
}

/** The TLS settings of a {@linkcode ClientConfig}. */
export interface TlsConfig {
  /**
   * The certificate authorities that the client trusts for this server, and no others, as PEM text.
   *
   * @default the default roots of the runtime
   */
  readonly caData?: string;
  /**
   * The path of the file that contains `caData`. The file may be replaced: the client reads it
   * again once its content is older than a minute. The client uses `caData`, if given, for the
   * first minute after its creation.
   */
  readonly caFile?: string;
  /** The client certificate, as PEM text (a chain may follow). */
  readonly certData?: string;
  /**
   * The path of the file that contains the client certificate (`certData`), which may be replaced:
   * the client reads it again, together with `keyFile`, once its content is older than a minute.
   * The client uses `certData` and `keyData`, if given, for the first minute.
   */
  readonly certFile?: string;
  /**
   * The private key of the client certificate, as unencrypted PEM text. A client certificate
   * requires `keyData` or `keyFile`.
   */
  readonly keyData?: string;
  /**
   * The path of the file that contains the client's private key (`keyData`), which may be replaced:
   * the client reads it again, together with `certFile`, once its content is older than a minute.
   */
  readonly keyFile?: string;
  /**
   * Sets whether the client accepts any certificate of the server, without verification, also if
   * `caData` is given.
   *
   * @default false
   */
  readonly insecureSkipVerify?: boolean;
  /**
   * The server name that the client sends (SNI), and that the server's certificate must be valid
   * for.
   *
   * @default the server's host
   */
  readonly serverName?: string;
}

/**
 * The credentials of a {@linkcode ClientConfig}: a bearer token, a user name with a password, a
 * program that prints credentials (`exec`), or a legacy login (`authProvider`). A token, a password
 * or a client certificate takes precedence over `exec`; a token, a password or a used `exec` over
 * `authProvider`. A token together with a password is an error.
 */
export interface CredentialsConfig {
  /**
   * The bearer token that the client sends. With `tokenFile`, the token that the file had when the
   * configuration was loaded: the client uses it for 10 seconds after its creation, and then for as
   * long as the file cannot be read.
   */
  readonly token?: string;
  /**
   * The path of a file that contains the client's bearer token. The file may be replaced: the
   * client reads it again once the token is older than a minute, and after a 401 response.
   */
  readonly tokenFile?: string;
  /** The user name of the client's basic authentication. */
  readonly username?: string;
  /** The password of the client's basic authentication. */
  readonly password?: string;
  /**
   * The configuration of the credential plugin: a program that prints a token or a client
   * certificate.
   */
  readonly exec?: ExecConfig;
  /** The configuration of the legacy login of a kubeconfig user (`auth-provider`). */
  readonly authProvider?: AuthProviderConfig;
}

/** The identity to impersonate, sent in the `Impersonate-*` headers. */
export interface ImpersonateConfig {
  /** The name of the impersonated user. The other fields require it. */
  readonly user?: string;
  /** The groups of the impersonated user. */
  readonly groups?: readonly string[];
  /** The UID of the impersonated user. */
  readonly uid?: string;
  /** The extra fields of the impersonated user: the values by name. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The global flags of kubectl that concern the connection, and its settings for credential plugins.
 * Each flag takes precedence over the kubeconfig. A flag whose value is an empty text counts as not
 * set, as in kubectl.
 */
export interface ConfigOverrides {
  /** The flag `--kubeconfig`: the only kubeconfig file to read; it must exist. */
  readonly kubeconfig?: string;
  /** The flag `--context`: the kubeconfig context, in place of `current-context`. */
  readonly context?: string;
  /** The flag `--cluster`: the name of the kubeconfig cluster, in place of that of the context. */
  readonly cluster?: string;
  /** The flag `--user`: the name of the kubeconfig user, in place of that of the context. */
  readonly user?: string;
  /** The flag `-n` or `--namespace`: the namespace, in place of that of the kubeconfig context. */
  readonly namespace?: string;
  /**
   * The flag `-s` or `--server`: the URL of the API server, in place of that of the kubeconfig
   * cluster, whose TLS server name is then not used.
   */
  readonly server?: string;
  /**
   * The flag `--token`: a bearer token, in place of all credentials of the kubeconfig user except a
   * client certificate.
   */
  readonly token?: string;
  /**
   * The flag `--username`: the user name of basic authentication, in place of the user name, the
   * tokens, the credential plugin and the legacy login of the kubeconfig user.
   */
  readonly username?: string;
  /**
   * The flag `--password`: the password of basic authentication, in place of the password, the
   * tokens, the credential plugin and the legacy login of the kubeconfig user.
   */
  readonly password?: string;
  /** The flag `--as`: the user to impersonate. */
  readonly as?: string;
  /** The flag `--as-group`: the groups to impersonate. */
  readonly asGroups?: readonly string[];
  /** The flag `--as-uid`: the UID to impersonate. */
  readonly asUid?: string;
  /**
   * The flag `--certificate-authority`: the path of a PEM file with the certificate authorities of
   * the server, in place of the authorities and the `insecure-skip-tls-verify` of the kubeconfig
   * cluster.
   */
  readonly certificateAuthority?: string;
  /**
   * The flag `--client-certificate`: the path of a PEM file with the client certificate, in place
   * of the client certificate, the credential plugin and the legacy login of the kubeconfig user,
   * whose private key remains unless `--client-key` is given.
   */
  readonly clientCertificate?: string;
  /**
   * The flag `--client-key`: the path of a PEM file with the client's private key, in place of that
   * of the kubeconfig user.
   */
  readonly clientKey?: string;
  /**
   * The flag `--insecure-skip-tls-verify`: if true, the client accepts any certificate of the
   * server, and the certificate authorities of the kubeconfig cluster are not used; `false` is as
   * if not set.
   */
  readonly insecureSkipTlsVerify?: boolean;
  /**
   * The flag `--tls-server-name`: the name that the server's certificate must be valid for, in
   * place of that of the kubeconfig cluster.
   */
  readonly tlsServerName?: string;
  /**
   * The flag `--request-timeout`: `0` for no limit, whole seconds (`30`), or a duration (`1m30s`,
   * `500ms`). Not set, there is no limit.
   */
  readonly requestTimeout?: string;
  /**
   * The `credentialPluginPolicy` of kubectl's settings file (kuberc): the policy that decides
   * whether the `exec` plugin or the `auth-provider` login of the user may be run.
   *
   * @default "AllowAll", and "DenyAll" in a pod
   */
  readonly credentialPluginPolicy?: CredentialPluginPolicy;
  /**
   * The `credentialPluginAllowlist` of kubectl's settings file (kuberc), for the policy
   * `Allowlist`: absolute paths, or names that are looked up on `PATH`. The command of a plugin is
   * compared as the kubeconfig names it, with relative paths made absolute.
   */
  readonly credentialPluginAllowlist?: readonly string[];
}

/**
 * The error for a client configuration with an invalid file, field or flag. The message is one line
 * that names the file, field or flag, the reason and the remedy; it never contains a secret. The
 * command line exits with code 2.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigError, createClient } from "@xca/operator/client";
 *
 * const credentials = { token: "abc", username: "jane", password: "secret" };
 * assert.throws(
 *   () => createClient({ server: "https://example.invalid", credentials }),
 *   (error) => error instanceof ConfigError && /configure one of them/.test(error.message),
 * );
 * ```
 */
export class ConfigError extends Error {
  /** The name of this error class, `ConfigError`. */
  override readonly name = "ConfigError";

  static {
    markClass(this, Symbol.for("@xca/operator/ConfigError"));
  }
}
