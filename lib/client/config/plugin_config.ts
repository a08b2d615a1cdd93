/** Whether a credential plugin is given the terminal, as in a kubeconfig. */
export type InteractiveMode = "Never" | "IfAvailable" | "Always";

/** A version of the protocol that a credential plugin speaks. */
export type ExecApiVersion =
  | "client.authentication.k8s.io/v1"
  | "client.authentication.k8s.io/v1beta1";

/** The versions of the protocol that a credential plugin speaks. */
export const EXEC_API_VERSIONS: readonly ExecApiVersion[] = [
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
];

/**
 * A program that is run to get credentials: a token, a client certificate, or both
 * ({@linkcode https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins | credential plugins}).
 * It runs with all rights of the user, whatever this process itself may do.
 */
export interface ExecConfig {
  /** The version that it is to speak. */
  readonly apiVersion: ExecApiVersion;
  /** A path, or a name to be looked for on `PATH`. A relative path starts at the working folder. */
  readonly command: string;
  /** Its arguments. @default {[]} */
  readonly args?: readonly string[];
  /** Variables beside those of this process. A later one replaces an earlier one. @default {[]} */
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  /** Whether it may ask the person at the terminal. */
  readonly interactiveMode: InteractiveMode;
  /** Whether it is told of the cluster, in `KUBERNETES_EXEC_INFO`. @default {false} */
  readonly provideClusterInfo?: boolean;
  /** What it is told as `spec.cluster.config`: plain JSON. @default none */
  readonly clusterConfig?: unknown;
  /** How to install it: shown when it is missing. */
  readonly installHint?: string;
  /**
   * How long it may take, in milliseconds; then it is killed.
   *
   * @default {60_000}, and 600_000 where a person may be asked
   */
  readonly timeoutMs?: number;
  /** Where this was configured, for messages: `users[name=bob].user.exec in /home/u/.kube/config`. */
  readonly place?: string;
}

/**
 * A login of the kind that exec plugins replaced (`auth-provider`): run by the code of
 * `@kubernetes/client-node`, which is loaded for it alone.
 */
export interface AuthProviderConfig {
  /** `oidc`, `gcp` or `azure`. */
  readonly name: string;
  /** Its settings, secrets included. */
  readonly config: Readonly<Record<string, string>>;
  /** Where this was configured, for messages. */
  readonly place?: string;
}

/**
 * Which programs a kubeconfig may have run, as kuberc says it: all, none, or those on a list. A
 * kubeconfig from somebody else is otherwise somebody else's program on this machine.
 */
export type CredentialPluginPolicy = "AllowAll" | "DenyAll" | "Allowlist";
