/** The use of the terminal by a credential plugin, as in a kubeconfig. */
export type InteractiveMode = ExecConfig["interactiveMode"];

/** A version of the protocol that a credential plugin speaks. */
export type ExecApiVersion = ExecConfig["apiVersion"];

/** The versions of the protocol that a credential plugin speaks. */
export const EXEC_API_VERSIONS: readonly ExecApiVersion[] = [
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
];

/**
 * A
 * {@linkcode https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 * | credential plugin}: a program that prints a token, a client certificate, or both. It runs with
 * all rights of the user, also where this process has fewer permissions.
 */
export interface ExecConfig {
  /** The version of the protocol. */
  readonly apiVersion:
    | "client.authentication.k8s.io/v1"
    | "client.authentication.k8s.io/v1beta1";
  /**
   * The path of the program, or a name that is looked up on `PATH`. A relative path starts at the
   * working folder.
   */
  readonly command: string;
  /** The arguments. @default {[]} */
  readonly args?: readonly string[];
  /**
   * Environment variables in addition to those of this process. A later one replaces an earlier
   * one.
   *
   * @default {[]}
   */
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  /** Whether the plugin may use the terminal to ask the user. */
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  /**
   * True to pass information on the cluster to the plugin, in `KUBERNETES_EXEC_INFO`.
   *
   * @default {false}
   */
  readonly provideClusterInfo?: boolean;
  /** The value of `spec.cluster.config` in that information: plain JSON. @default none */
  readonly clusterConfig?: unknown;
  /** The hint that is shown when the program is missing. */
  readonly installHint?: string;
  /**
   * The time after which the plugin is killed, in milliseconds.
   *
   * @default {60_000}, and 600_000 where the plugin has the terminal
   */
  readonly timeoutMs?: number;
  /**
   * The field and file of the plugin, for messages: `users[name=bob].user.exec in
   * /home/u/.kube/config`.
   */
  readonly place?: string;
}

/**
 * A legacy login (`auth-provider`), the predecessor of exec plugins. The code of
 * `@kubernetes/client-node` runs it, which is loaded for that purpose alone.
 */
export interface AuthProviderConfig {
  /** The name: `oidc`, `gcp` or `azure`. */
  readonly name: string;
  /** The settings, secrets included. */
  readonly config: Readonly<Record<string, string>>;
  /** The field and file of the login, for messages. */
  readonly place?: string;
}

/**
 * The credential plugins that may be run, as in kuberc: all, none, or those of a list. A kubeconfig
 * of unknown origin could otherwise run any program on this machine.
 */
export type CredentialPluginPolicy = "AllowAll" | "DenyAll" | "Allowlist";
