import type { Sourced } from "../config/config_place.ts";

/**
 * A cluster of a kubeconfig: an entry of `clusters[]`. A field that is not set has an empty text,
 * `false` or `undefined` as its value.
 */
export interface ClusterEntry {
  /** The cluster entry and its file, for error messages: `clusters[name=kind] in /x/config`. */
  readonly place: string;
  /** The URL of the cluster's API server. */
  readonly server: Sourced<string>;
  /** The path of a PEM file with the certificate authorities of the cluster. */
  readonly certificateAuthority: Sourced<string>;
  /** The certificate authorities of the cluster: PEM text as base64. */
  readonly certificateAuthorityData: Sourced<string>;
  /** Reports whether the client accepts any certificate of the cluster's API server. */
  readonly insecureSkipTlsVerify: Sourced<boolean>;
  /** Reports whether the client asks the cluster for responses without compression. */
  readonly disableCompression: Sourced<boolean>;
  /** The name that the certificate of the cluster's API server must be valid for. */
  readonly tlsServerName: Sourced<string>;
  /** The URL of the proxy to the cluster. */
  readonly proxyUrl: Sourced<string>;
  /**
   * The cluster's configuration for credential plugins, as plain JSON: its extension
   * `client.authentication.k8s.io/exec`.
   */
  readonly execExtension: Sourced<unknown>;
}

/**
 * The configuration of the credential plugin (field `exec`) of a kubeconfig user, before its values
 * are checked.
 */
export interface ExecEntry {
  /** The `ExecCredential` API version of the credential plugin. */
  readonly apiVersion: Sourced<string>;
  /** The program of the credential plugin. */
  readonly command: Sourced<string>;
  /** The arguments of the credential plugin. */
  readonly args: readonly string[];
  /** The environment variables of the credential plugin in addition to those of this process. */
  readonly env: readonly { readonly name: Sourced<string>; readonly value: string }[];
  /** The hint for a credential plugin whose program is missing. */
  readonly installHint: string;
  /** Reports whether the client passes information on the cluster to the credential plugin. */
  readonly provideClusterInfo: boolean;
  /**
   * The use of the terminal by the credential plugin: `Never`, `IfAvailable` or `Always`; any other
   * text, which is invalid, is kept until the check.
   */
  readonly interactiveMode: Sourced<string>;
}

/**
 * The configuration of the legacy login (field `auth-provider`) of a kubeconfig user, before its
 * values are checked.
 */
export interface AuthProviderEntry {
  /** The name of the legacy login, such as `oidc`. */
  readonly name: Sourced<string>;
  /** The settings of the legacy login. */
  readonly config: Readonly<Record<string, string>>;
}

/**
 * A user of a kubeconfig: an entry of `users[]`. A field that is not set has an empty text, list or
 * object, or `undefined`, as its value.
 */
export interface UserEntry {
  /** The user entry and its file, for error messages: `users[name=bob] in /x/config`. */
  readonly place: string;
  /** The path of a PEM file with the client certificate of the user. */
  readonly clientCertificate: Sourced<string>;
  /** The client certificate of the user: PEM text as base64. */
  readonly clientCertificateData: Sourced<string>;
  /** The path of a PEM file with the private key of the user. */
  readonly clientKey: Sourced<string>;
  /** The private key of the user: PEM text as base64. */
  readonly clientKeyData: Sourced<string>;
  /** The bearer token of the kubeconfig user. */
  readonly token: Sourced<string>;
  /** The path of a file that contains the user's bearer token. */
  readonly tokenFile: Sourced<string>;
  /** The basic authentication user name of the kubeconfig user. */
  readonly username: Sourced<string>;
  /** The basic authentication password of the kubeconfig user. */
  readonly password: Sourced<string>;
  /** The name of the user that the kubeconfig user impersonates. */
  readonly as: Sourced<string>;
  /** The UID that the kubeconfig user impersonates. */
  readonly asUid: Sourced<string>;
  /** The groups that the kubeconfig user impersonates. */
  readonly asGroups: Sourced<readonly string[]>;
  /** The extra fields that the kubeconfig user impersonates. */
  readonly asUserExtra: Sourced<Readonly<Record<string, readonly string[]>>>;
  /** The credential plugin of the kubeconfig user. */
  readonly exec: Sourced<ExecEntry | undefined>;
  /** The legacy login of the kubeconfig user. */
  readonly authProvider: Sourced<AuthProviderEntry | undefined>;
}

/**
 * A context of a kubeconfig: an entry of `contexts[]`. A field that is not set has an empty text as
 * its value.
 */
export interface ContextEntry {
  /** The context entry and its file, for error messages: `contexts[name=kind] in /x/config`. */
  readonly place: string;
  /** The path of the kubeconfig file that has the context, for error messages. */
  readonly file: string;
  /** The name of the context's cluster; empty when it is not set. */
  readonly cluster: Sourced<string>;
  /** The name of the context's user; empty when it is not set. */
  readonly user: Sourced<string>;
  /** The context's namespace for calls that do not name one; empty when it is not set. */
  readonly namespace: Sourced<string>;
}

/** The content of one kubeconfig file, or of several merged. */
export interface Kubeconfig {
  /** The name of the kubeconfig's current context; empty when it is not set. */
  readonly currentContext: Sourced<string>;
  /** The contexts of the kubeconfig by name. */
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  /** The clusters of the kubeconfig by name. */
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  /** The users of the kubeconfig by name. */
  readonly users: ReadonlyMap<string, UserEntry>;
}
