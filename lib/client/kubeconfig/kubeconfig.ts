import type { Sourced } from "../config/config_place.ts";

/** An entry of `clusters[]` of a kubeconfig. A field that is not set is an empty text. */
export interface ClusterEntry {
  /** The entry and its file, for messages: `clusters[name=kind] in /x/config`. */
  readonly place: string;
  /** The address of the API server. */
  readonly server: Sourced<string>;
  /** The path of a file of PEM text. */
  readonly certificateAuthority: Sourced<string>;
  /** PEM text as base64. */
  readonly certificateAuthorityData: Sourced<string>;
  /** True to accept any certificate of the server. */
  readonly insecureSkipTlsVerify: Sourced<boolean>;
  /** True to ask for responses without compression. */
  readonly disableCompression: Sourced<boolean>;
  /** The name that the certificate of the server must be valid for. */
  readonly tlsServerName: Sourced<string>;
  /** The proxy to connect through. */
  readonly proxyUrl: Sourced<string>;
  /**
   * The configuration that is passed to credential plugins, as plain JSON: the extension
   * `client.authentication.k8s.io/exec` of the cluster.
   */
  readonly execExtension: Sourced<unknown>;
}

/** The field `exec` of a user, before it is checked. */
export interface ExecEntry {
  /** The version of the protocol. */
  readonly apiVersion: Sourced<string>;
  /** The program. */
  readonly command: Sourced<string>;
  /** The arguments. */
  readonly args: readonly string[];
  /** Additional environment variables. */
  readonly env: readonly { readonly name: Sourced<string>; readonly value: string }[];
  /** The hint for a program that is missing. */
  readonly installHint: string;
  /** True to pass information on the cluster to the plugin. */
  readonly provideClusterInfo: boolean;
  /** The use of the terminal. */
  readonly interactiveMode: Sourced<string>;
}

/** The field `auth-provider` of a user, before it is checked. */
export interface AuthProviderEntry {
  /** The name. */
  readonly name: Sourced<string>;
  /** The settings. */
  readonly config: Readonly<Record<string, string>>;
}

/** An entry of `users[]` of a kubeconfig. A field that is not set is an empty text. */
export interface UserEntry {
  /** The entry and its file, for messages: `users[name=bob] in /x/config`. */
  readonly place: string;
  /** The path of a file of PEM text. */
  readonly clientCertificate: Sourced<string>;
  /** PEM text as base64. */
  readonly clientCertificateData: Sourced<string>;
  /** The path of a file of PEM text. */
  readonly clientKey: Sourced<string>;
  /** PEM text as base64. */
  readonly clientKeyData: Sourced<string>;
  /** A bearer token. */
  readonly token: Sourced<string>;
  /** The path of a file that contains a bearer token. */
  readonly tokenFile: Sourced<string>;
  /** The user name of basic authentication. */
  readonly username: Sourced<string>;
  /** The password of basic authentication. */
  readonly password: Sourced<string>;
  /** The user to impersonate. */
  readonly as: Sourced<string>;
  /** The UID to impersonate. */
  readonly asUid: Sourced<string>;
  /** The groups to impersonate. */
  readonly asGroups: Sourced<readonly string[]>;
  /** The extra fields to impersonate. */
  readonly asUserExtra: Sourced<Readonly<Record<string, readonly string[]>>>;
  /** The credential plugin. */
  readonly exec: Sourced<ExecEntry | undefined>;
  /** The legacy login. */
  readonly authProvider: Sourced<AuthProviderEntry | undefined>;
}

/** An entry of `contexts[]` of a kubeconfig. A field that is not set is an empty text. */
export interface ContextEntry {
  /** The entry and its file, for messages: `contexts[name=kind] in /x/config`. */
  readonly place: string;
  /** The path of the file, for messages. */
  readonly file: string;
  /** The name of a cluster. */
  readonly cluster: Sourced<string>;
  /** The name of a user. */
  readonly user: Sourced<string>;
  /** The namespace of calls that do not name one. */
  readonly namespace: Sourced<string>;
}

/** One kubeconfig file, or several merged. */
export interface Kubeconfig {
  /** The name of the current context; empty when it is not set. */
  readonly currentContext: Sourced<string>;
  /** Contexts by name. */
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  /** Clusters by name. */
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  /** Users by name. */
  readonly users: ReadonlyMap<string, UserEntry>;
}
