import type { AuthProviderConfig, CredentialPluginPolicy, ExecConfig } from "./plugin_config.ts";

/**
 * What a connection to an API server needs, as plain data: where it is, what proves it, and who we
 * are. It comes from `loadConfig`, `inClusterConfig`, `buildConfigFromFlags`, or is written by hand.
 *
 * A configuration that this package loaded prints (`console.log`, `JSON.stringify`, a log record)
 * with its secrets as `REDACTED`; one written by hand prints as any object does.
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
  /** The API server: `https://host:port`, with a path when it sits behind one. No trailing slash. */
  readonly server: string;
  /**
   * The namespace of calls that name none.
   *
   * @default "default"
   */
  readonly namespace?: string;
  /** What proves the server, and the client certificate. */
  readonly tls?: TlsConfig;
  /** What proves us, next to a client certificate. */
  readonly credentials?: CredentialsConfig;
  /** Whom we act as. */
  readonly impersonate?: ImpersonateConfig;
  /**
   * The longest one call may take, in milliseconds; watches are not calls.
   *
   * @default none
   */
  readonly requestTimeoutMs?: number;
  /**
   * What we call ourselves.
   *
   * @default "xca-operator/<version> (deno/<version>; <os>/<arch>)"
   */
  readonly userAgent?: string;
  /**
   * Where this configuration came from, for messages: `context "kind" in /home/u/.kube/config`. Where
   * a flag gave the address, that flag first: `--server, with context "kind" in ...`.
   */
  readonly source?: string;
  /**
   * The proxy to dial through: an `http`, `https` or `socks5` URL, which may hold a name and password.
   * `loadConfig` and `inClusterConfig` take it from the kubeconfig, else from `HTTPS_PROXY`,
   * `HTTP_PROXY` and `NO_PROXY`, as Go's programs read them.
   */
  readonly proxyUrl?: string;
  /**
   * Ask for answers as they are. Otherwise the API server compresses the large ones (above 128 KB,
   * never a watch): less to carry, at its cost.
   *
   * @default false
   */
  readonly disableCompression?: boolean;
}

/** The TLS side of a {@linkcode ClientConfig}. */
export interface TlsConfig {
  /** The only certificate authorities trusted for this server, as PEM text (one or several). */
  readonly caData?: string;
  /**
   * The file that holds them, read again as it is replaced. An absolute path. While it was never
   * read, `caData` counts.
   */
  readonly caFile?: string;
  /** The client certificate, as PEM text (a chain may follow). */
  readonly certData?: string;
  /** The file that holds it, read again as it is replaced, together with `keyFile`. */
  readonly certFile?: string;
  /** The client certificate's private key, as PEM text, not encrypted. */
  readonly keyData?: string;
  /** The file that holds it, read again as it is replaced, together with `certFile`. */
  readonly keyFile?: string;
  /**
   * Accept any server certificate.
   *
   * @default false
   */
  readonly insecureSkipVerify?: boolean;
  /**
   * The name to ask for (SNI) and to check the server's certificate against.
   *
   * @default the server's host
   */
  readonly serverName?: string;
}

/**
 * The secrets of a {@linkcode ClientConfig}: a bearer token, or a name and a password, or a program
 * to get credentials from. A token, a password or a client certificate goes before `exec`; a token or
 * a password before `authProvider`.
 */
export interface CredentialsConfig {
  /**
   * A bearer token. With `tokenFile`, the token that the file had when the configuration was loaded:
   * it is used for 10 seconds, and then for as long as the file cannot be read.
   */
  readonly token?: string;
  /** A file that holds the bearer token, read again as it is replaced. An absolute path. */
  readonly tokenFile?: string;
  /** For basic authentication. */
  readonly username?: string;
  /** For basic authentication. */
  readonly password?: string;
  /** A program to get a token or a client certificate from. */
  readonly exec?: ExecConfig;
  /** A legacy login. */
  readonly authProvider?: AuthProviderConfig;
}

/** Whom to act as, by the `Impersonate-*` headers. */
export interface ImpersonateConfig {
  /** The user's name. The other fields need it. */
  readonly user?: string;
  /** The user's groups. */
  readonly groups?: readonly string[];
  /** The user's UID. */
  readonly uid?: string;
  /** Further facts about the user. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * kubectl's global flags on the connection, each over what the kubeconfig says. An empty text counts
 * as not given, as with kubectl's flags.
 */
export interface ConfigOverrides {
  /** `--kubeconfig`: the one file to read; it must exist. */
  readonly kubeconfig?: string;
  /** `--context`: the context to use, over `current-context`. */
  readonly context?: string;
  /** `--cluster`: the name of the cluster to use, over the context's. */
  readonly cluster?: string;
  /** `--user`: the name of the user to use, over the context's. */
  readonly user?: string;
  /** `-n`, `--namespace`: over the context's. */
  readonly namespace?: string;
  /** `-s`, `--server`: the address of the API server. */
  readonly server?: string;
  /** `--token`: a bearer token. It turns off the user's name, password and token file. */
  readonly token?: string;
  /** `--username`: for basic authentication. */
  readonly username?: string;
  /** `--password`: for basic authentication. */
  readonly password?: string;
  /** `--as`: the user to act as. */
  readonly as?: string;
  /** `--as-group`, repeated. */
  readonly asGroups?: readonly string[];
  /** `--as-uid`. */
  readonly asUid?: string;
  /** `--certificate-authority`: a file of PEM text. */
  readonly certificateAuthority?: string;
  /** `--client-certificate`: a file of PEM text. */
  readonly clientCertificate?: string;
  /** `--client-key`: a file of PEM text. */
  readonly clientKey?: string;
  /** `--insecure-skip-tls-verify`. */
  readonly insecureSkipTlsVerify?: boolean;
  /** `--tls-server-name`. */
  readonly tlsServerName?: string;
  /** `--request-timeout`: `0` for none, whole seconds (`30`), or a duration (`1m30s`, `500ms`). */
  readonly requestTimeout?: string;
  /**
   * kuberc's `credentialPluginPolicy`: whether the user's `exec` plugin (or `auth-provider`) may run.
   *
   * @default "AllowAll", and "DenyAll" in a pod
   */
  readonly credentialPluginPolicy?: CredentialPluginPolicy;
  /**
   * kuberc's `credentialPluginAllowlist`, for the policy `Allowlist`: absolute paths, or names that
   * are looked for on `PATH`. A plugin is compared as the kubeconfig names it, its path made absolute.
   */
  readonly credentialPluginAllowlist?: readonly string[];
}

/**
 * A configuration that cannot be used: a file, field or flag is wrong. The message is one line that
 * names the place, what is wrong with it and what to do; it never holds a secret. The command line
 * exits with 2 on it.
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
  /** The error's name, the same for every instance. */
  override readonly name = "ConfigError";
}
