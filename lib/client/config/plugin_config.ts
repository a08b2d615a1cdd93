/** The use of the terminal by a credential plugin: never, if available, or always. */
export type InteractiveMode = ExecConfig["interactiveMode"];

/** A version of the `ExecCredential` API that a credential plugin speaks. */
export type ExecApiVersion = ExecConfig["apiVersion"];

/** The versions of the `ExecCredential` API that credential plugins may speak. */
export const EXEC_API_VERSIONS: readonly ExecApiVersion[] = [
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
];

/**
 * The configuration of a
 * {@linkcode https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 * | credential plugin} of a kubeconfig user: a program that prints a token, a client certificate,
 * or both. The program runs with all rights of the user, even where this process has fewer
 * permissions.
 */
export interface ExecConfig {
  /** The version of the `ExecCredential` API that the credential plugin speaks. */
  readonly apiVersion:
    | "client.authentication.k8s.io/v1"
    | "client.authentication.k8s.io/v1beta1";
  /**
   * The path of the plugin program, or a name that is looked up on `PATH`. A relative path starts
   * at the working folder.
   */
  readonly command: string;
  /** The command line arguments of the credential plugin. @default {[]} */
  readonly args?: readonly string[];
  /**
   * Environment variables of the plugin in addition to those of this process. A later variable
   * replaces an earlier variable of the same name.
   *
   * @default {[]}
   */
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  /**
   * The use of the terminal by the credential plugin to ask the user: never, if standard input is a
   * terminal, or always, which gives a ConfigError without a terminal.
   */
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  /**
   * Sets whether the client passes information on the cluster to the credential plugin, in
   * `KUBERNETES_EXEC_INFO`.
   *
   * @default {false}
   */
  readonly provideClusterInfo?: boolean;
  /**
   * The value of `spec.cluster.config` in the information on the cluster that is passed to the
   * plugin with `provideClusterInfo`: plain JSON.
   *
   * @default none
   */
  readonly clusterConfig?: unknown;
  /** The hint to the user when the program of the credential plugin is missing. */
  readonly installHint?: string;
  /**
   * The time from its start after which the client kills the credential plugin, in milliseconds.
   *
   * @default {60_000}, and 600_000 where the plugin has the terminal
   */
  readonly timeoutMs?: number;
  /**
   * The field and file that configure the plugin, for error messages: `users[name=bob].user.exec in
   * /home/u/.kube/config`.
   */
  readonly place?: string;
}

/**
 * The configuration of the legacy login of a kubeconfig user (`auth-provider`), the predecessor of
 * exec plugins. The login is performed by code of `@kubernetes/client-node`, which is loaded for
 * this purpose alone.
 */
export interface AuthProviderConfig {
  /** The name of the legacy login: `oidc`, `gcp` or `azure`; any other gives a ConfigError. */
  readonly name: string;
  /** The settings of the legacy login, secrets included. */
  readonly config: Readonly<Record<string, string>>;
  /** The field and file that configure the legacy login, for error messages. */
  readonly place?: string;
}

/**
 * The policy for credential plugins, as in kubectl's settings file (kuberc): all, none, or those of
 * a list may be run. A kubeconfig of unknown origin could otherwise run any program on this
 * machine.
 */
export type CredentialPluginPolicy = "AllowAll" | "DenyAll" | "Allowlist";
