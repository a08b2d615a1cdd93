import type { AuthProviderConfig, CredentialPluginPolicy, ExecConfig } from "./plugin_config.ts";

/**
 * The configuration of a connection to an API server, as plain data: the address, the material that
 * verifies the server, and the credentials. It comes from `loadConfig`, `inClusterConfig` or
 * `buildConfigFromFlags`, or is written by hand.
 *
 * A configuration that this package loaded is printed (`console.log`, `JSON.stringify`, a log
 * record) with `REDACTED` in place of its secrets; one written by hand is printed as it is.
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
   * The address of the API server: `https://host:port`, followed by a path where the server is
   * below one. It has no trailing slash.
   */
  readonly server: string;
  /**
   * The namespace of calls that do not name one.
   *
   * @default "default"
   */
  readonly namespace?: string;
  /** The certificate authorities of the server, and the client certificate. */
  readonly tls?: TlsConfig;
  /** The credentials that are sent in headers. */
  readonly credentials?: CredentialsConfig;
  /** The identity to impersonate. */
  readonly impersonate?: ImpersonateConfig;
  /**
   * The time that a call may take, in milliseconds. It does not limit watches.
   *
   * @default none
   */
  readonly requestTimeoutMs?: number;
  /**
   * The value of the `User-Agent` header.
   *
   * @default "xca-operator/<version> (deno/<version>; <os>/<arch>)"
   */
  readonly userAgent?: string;
  /**
   * The origin of this configuration, for messages: `context "kind" in /home/u/.kube/config`. A
   * flag that gave the address comes first: `--server, with context "kind" in ...`.
   */
  readonly source?: string;
  /**
   * The proxy to connect through: an `http`, `https` or `socks5` URL, which may contain a user name
   * and a password. `loadConfig` and `inClusterConfig` take it from the kubeconfig, or else from
   * `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, by the rules of Go's `net/http`.
   */
  readonly proxyUrl?: string;
  /**
   * True to ask for responses without compression. Otherwise the API server compresses responses
   * above 128 KB, though no watches, which saves bandwidth and costs CPU time of the server.
   *
   * @default false
   */
  readonly disableCompression?: boolean;
}

/** The TLS settings of a {@linkcode ClientConfig}. */
export interface TlsConfig {
  /** The certificate authorities that are trusted for this server, and no others, as PEM text. */
  readonly caData?: string;
  /**
   * The absolute path of the file that contains `caData`. It is read again when it is replaced;
   * until then `caData` is used.
   */
  readonly caFile?: string;
  /** The client certificate, as PEM text (a chain may follow). */
  readonly certData?: string;
  /** The file that contains `certData`, read again when it is replaced, together with `keyFile`. */
  readonly certFile?: string;
  /** The private key of the client certificate, as PEM text without encryption. */
  readonly keyData?: string;
  /** The file that contains `keyData`, read again when it is replaced, together with `certFile`. */
  readonly keyFile?: string;
  /**
   * True to accept any certificate of the server.
   *
   * @default false
   */
  readonly insecureSkipVerify?: boolean;
  /**
   * The name that is sent to the server (SNI), and that its certificate must be valid for.
   *
   * @default the server's host
   */
  readonly serverName?: string;
}

/**
 * The secrets of a {@linkcode ClientConfig}: a bearer token, a user name with a password, or a
 * program that prints credentials. A token, a password or a client certificate takes precedence
 * over `exec`; a token or a password over `authProvider`.
 */
export interface CredentialsConfig {
  /**
   * A bearer token. With `tokenFile`, the token that the file had when the configuration was loaded:
   * it is used for 10 seconds, and then for as long as the file cannot be read.
   */
  readonly token?: string;
  /** The absolute path of a file that contains the bearer token, read again when it is replaced. */
  readonly tokenFile?: string;
  /** The user name of basic authentication. */
  readonly username?: string;
  /** The password of basic authentication. */
  readonly password?: string;
  /** The credential plugin: a program that prints a token or a client certificate. */
  readonly exec?: ExecConfig;
  /** The legacy login (`auth-provider`). */
  readonly authProvider?: AuthProviderConfig;
}

/** The identity to impersonate, sent in the `Impersonate-*` headers. */
export interface ImpersonateConfig {
  /** The name of the user. The other fields require it. */
  readonly user?: string;
  /** The groups of the user. */
  readonly groups?: readonly string[];
  /** The UID of the user. */
  readonly uid?: string;
  /** The extra fields of the user. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The global flags of kubectl that concern the connection. Each takes precedence over the
 * kubeconfig. An empty text is a flag that is not set, as in kubectl.
 */
export interface ConfigOverrides {
  /** `--kubeconfig`: the only file to read; it must exist. */
  readonly kubeconfig?: string;
  /** `--context`: the context, in place of `current-context`. */
  readonly context?: string;
  /** `--cluster`: the name of the cluster, in place of that of the context. */
  readonly cluster?: string;
  /** `--user`: the name of the user, in place of that of the context. */
  readonly user?: string;
  /** `-n`, `--namespace`: the namespace, in place of that of the context. */
  readonly namespace?: string;
  /** `-s`, `--server`: the address of the API server. */
  readonly server?: string;
  /** `--token`: a bearer token, in place of the user name, password and token file of the user. */
  readonly token?: string;
  /** `--username`: the user name of basic authentication. */
  readonly username?: string;
  /** `--password`: the password of basic authentication. */
  readonly password?: string;
  /** `--as`: the user to impersonate. */
  readonly as?: string;
  /** `--as-group`: the groups to impersonate. */
  readonly asGroups?: readonly string[];
  /** `--as-uid`: the UID to impersonate. */
  readonly asUid?: string;
  /** `--certificate-authority`: a file of PEM text. */
  readonly certificateAuthority?: string;
  /** `--client-certificate`: a file of PEM text. */
  readonly clientCertificate?: string;
  /** `--client-key`: a file of PEM text. */
  readonly clientKey?: string;
  /** `--insecure-skip-tls-verify`: true to accept any certificate of the server. */
  readonly insecureSkipTlsVerify?: boolean;
  /** `--tls-server-name`: the name that the certificate of the server must be valid for. */
  readonly tlsServerName?: string;
  /**
   * `--request-timeout`: `0` for no limit, whole seconds (`30`), or a duration (`1m30s`, `500ms`).
   */
  readonly requestTimeout?: string;
  /**
   * `credentialPluginPolicy` of kuberc: whether the `exec` plugin or the `auth-provider` of the
   * user may be run.
   *
   * @default "AllowAll", and "DenyAll" in a pod
   */
  readonly credentialPluginPolicy?: CredentialPluginPolicy;
  /**
   * `credentialPluginAllowlist` of kuberc, for the policy `Allowlist`: absolute paths, or names
   * that are looked up on `PATH`. The command of a plugin is compared as the kubeconfig names it,
   * with relative paths made absolute.
   */
  readonly credentialPluginAllowlist?: readonly string[];
}

/**
 * The error for a configuration with an invalid file, field or flag. The message is one line that
 * names the file, field or flag, the reason and the remedy; it never contains a secret. The command
 * line exits with 2.
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
  /** The name of the error. */
  override readonly name = "ConfigError";
}
