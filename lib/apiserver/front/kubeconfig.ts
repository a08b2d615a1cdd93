import { kubeconfigKey } from "@xca/apimachinery/internal/pki";
import type { PemPair } from "@xca/apimachinery/pki";

/** The cluster and the user of a kubeconfig, for {@linkcode kubeconfigText}. */
export interface KubeconfigParts {
  readonly server: string;
  /** The certificate of the server's certificate authority in the kubeconfig, as PEM text. */
  readonly ca: string;
  readonly user: string;
  readonly client: PemPair;
  /** The name of the kubeconfig's cluster and context. @default {"xca-embedded"} */
  readonly name?: string;
}

/**
 * Returns a kubeconfig, as YAML text, with one cluster, one user and one context, whose
 * certificates and keys are inline.
 */
export function kubeconfigText(parts: KubeconfigParts): string {
  const { server, ca, user, client, name = "xca-embedded" } = parts;
  return `apiVersion: v1
kind: Config
current-context: ${name}
clusters:
- name: ${name}
  cluster:
    server: ${server}
    certificate-authority-data: ${btoa(ca)}
users:
- name: ${JSON.stringify(user)}
  user:
    client-certificate-data: ${btoa(client.cert)}
    client-key-data: ${btoa(kubeconfigKey(client.key))}
contexts:
- name: ${name}
  context:
    cluster: ${name}
    user: ${JSON.stringify(user)}
`;
}
