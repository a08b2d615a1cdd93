import type { Sourced } from "../config/config_place.ts";

/** One `clusters[]` entry of a kubeconfig. Empty texts stand for what is not set. */
export interface ClusterEntry {
  /** The file's address of the entry, for messages: `clusters[name=kind] in /x/config`. */
  readonly place: string;
  /** The API server's address. */
  readonly server: Sourced<string>;
  /** A file of PEM text. */
  readonly certificateAuthority: Sourced<string>;
  /** Base64 of PEM text. */
  readonly certificateAuthorityData: Sourced<string>;
  /** Whether any server certificate will do. */
  readonly insecureSkipTlsVerify: Sourced<boolean>;
  /** `disable-compression`. */
  readonly disableCompression: Sourced<boolean>;
  /** The name the server's certificate must carry. */
  readonly tlsServerName: Sourced<string>;
  /** The proxy to dial through. */
  readonly proxyUrl: Sourced<string>;
  /** What a credential plugin is told of the cluster: its extension of that name, as plain JSON. */
  readonly execExtension: Sourced<unknown>;
}

/** The `exec` of a user, as the file has it. */
export interface ExecEntry {
  /** The version of the protocol. */
  readonly apiVersion: Sourced<string>;
  /** The program. */
  readonly command: Sourced<string>;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Further variables. */
  readonly env: readonly { readonly name: Sourced<string>; readonly value: string }[];
  /** How to install it. */
  readonly installHint: string;
  /** Whether it is told of the cluster. */
  readonly provideClusterInfo: boolean;
  /** Whether it may use the terminal. */
  readonly interactiveMode: Sourced<string>;
}

/** The legacy `auth-provider` of a user, as the file has it. */
export interface AuthProviderEntry {
  /** Its name. */
  readonly name: Sourced<string>;
  /** Its settings. */
  readonly config: Readonly<Record<string, string>>;
}

/** One `users[]` entry of a kubeconfig. Empty texts stand for what is not set. */
export interface UserEntry {
  /** The file's address of the entry, for messages: `users[name=bob] in /x/config`. */
  readonly place: string;
  /** A file of PEM text. */
  readonly clientCertificate: Sourced<string>;
  /** Base64 of PEM text. */
  readonly clientCertificateData: Sourced<string>;
  /** A file of PEM text. */
  readonly clientKey: Sourced<string>;
  /** Base64 of PEM text. */
  readonly clientKeyData: Sourced<string>;
  /** A bearer token. */
  readonly token: Sourced<string>;
  /** A file that holds a bearer token. */
  readonly tokenFile: Sourced<string>;
  /** For basic authentication. */
  readonly username: Sourced<string>;
  /** For basic authentication. */
  readonly password: Sourced<string>;
  /** The user to act as. */
  readonly as: Sourced<string>;
  /** The UID to act as. */
  readonly asUid: Sourced<string>;
  /** The groups to act as. */
  readonly asGroups: Sourced<readonly string[]>;
  /** Further facts of the user to act as. */
  readonly asUserExtra: Sourced<Readonly<Record<string, readonly string[]>>>;
  /** The credential plugin. */
  readonly exec: Sourced<ExecEntry | undefined>;
  /** The legacy login. */
  readonly authProvider: Sourced<AuthProviderEntry | undefined>;
}

/** One `contexts[]` entry of a kubeconfig. Empty texts stand for what is not set. */
export interface ContextEntry {
  /** The file's address of the entry, for messages: `contexts[name=kind] in /x/config`. */
  readonly place: string;
  /** The file, for messages. */
  readonly file: string;
  /** The name of a cluster. */
  readonly cluster: Sourced<string>;
  /** The name of a user. */
  readonly user: Sourced<string>;
  /** The namespace of calls that name none. */
  readonly namespace: Sourced<string>;
}

/** One kubeconfig file, or several merged. */
export interface Kubeconfig {
  /** The name of the context to use; empty when not set. */
  readonly currentContext: Sourced<string>;
  /** Contexts by name. */
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  /** Clusters by name. */
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  /** Users by name. */
  readonly users: ReadonlyMap<string, UserEntry>;
}
