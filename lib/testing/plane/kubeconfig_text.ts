import { kubeconfigKey } from "@xca/apimachinery/internal/pki";

/** The cluster and the user of a kubeconfig, for {@linkcode kubeconfigText}. */
export interface KubeconfigParts {
  /** The URL of the API server in the kubeconfig. */
  readonly server: string;
  /** The certificate authority in the kubeconfig, as PEM. */
  readonly ca: string;
  /** The name of the user within the kubeconfig. */
  readonly user: string;
  /** The client certificate in the kubeconfig, as PEM. */
  readonly cert: string;
  /** The private key of the client in the kubeconfig, as PEM. */
  readonly key: string;
}

/**
 * Returns the YAML text of a kubeconfig with one cluster, one user and the current context
 * `control-plane`, all data inline.
 */
export function kubeconfigText(parts: KubeconfigParts): string {
  const user = JSON.stringify(parts.user);
  return `apiVersion: v1
kind: Config
current-context: control-plane
clusters:
- name: control-plane
  cluster:
    server: ${parts.server}
    certificate-authority-data: ${btoa(parts.ca)}
users:
- name: ${user}
  user:
    client-certificate-data: ${btoa(parts.cert)}
    client-key-data: ${btoa(kubeconfigKey(parts.key))}
contexts:
- name: control-plane
  context:
    cluster: control-plane
    user: ${user}
`;
}
