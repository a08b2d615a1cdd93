import { kubeconfigKey } from "@xca/apimachinery/internal/pki";

/** What {@linkcode kubeconfigText} writes: one cluster, one user, one context. */
export interface KubeconfigParts {
  /** The API server's address. */
  readonly server: string;
  /** The certificate authority, as PEM text. */
  readonly ca: string;
  /** The user's name, in the file alone. */
  readonly user: string;
  /** The client certificate, as PEM text. */
  readonly cert: string;
  /** The client's private key, as PEM text. */
  readonly key: string;
}

/** A kubeconfig file with everything inline and the context `control-plane`. */
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
