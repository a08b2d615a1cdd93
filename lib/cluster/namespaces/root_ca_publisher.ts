// Mirrors `controller/certificates/rootcacertpublisher/publisher.go, Publisher`.
import { ConfigMap, Namespace } from "@xca/apimachinery/meta";
import { ignoreAlreadyExists, isNamespaceGone } from "../writes/expected_failures.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";

const NAME = "kube-root-ca.crt";
const DESCRIPTION = "kubernetes.io/description";
const TEXT =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints " +
  "such as the internal service IP or kubernetes.default.svc. " +
  "No other usage is guaranteed across distributions of Kubernetes clusters.";

/**
 * Creates the controller that keeps the ConfigMap `kube-root-ca.crt`, with the certificates of the
 * API server's authority, in each active namespace. Pods mount it beside their tokens.
 *
 * @param rootCa The certificates of the authority, as PEM.
 */
export function rootCaPublisher(rootCa: string): ControllerDefinition {
  return controllerFor(Namespace)
    .named("root-ca-certificate-publisher-controller")
    .watches(ConfigMap, ({ namespace }) => [namespace], { fieldSelector: `metadata.name=${NAME}` })
    .options({ hotLoopRuns: Infinity })
    .reconcile((context) => publish(context, rootCa));
}

async function publish({ cache, client, key }: ReconcileContext, rootCa: string): Promise<void> {
  const namespace = cache.shared.get(Namespace, key);
  if (namespace?.status?.phase !== "Active") return;
  const data = { "ca.crt": rootCa };
  const found = cache.shared.get(ConfigMap, `${key}/${NAME}`);
  try {
    if (!found) {
      const metadata = { name: NAME, namespace: key, annotations: { [DESCRIPTION]: TEXT } };
      await ignoreAlreadyExists(client.create(ConfigMap, { metadata, data }));
      return;
    }
    const { annotations } = found.metadata;
    const isSame = Object.keys(found.data ?? {}).length === 1 && found.data?.["ca.crt"] === rootCa;
    if (isSame && annotations?.[DESCRIPTION]) return;
    const metadata = { ...found.metadata, annotations: { ...annotations, [DESCRIPTION]: TEXT } };
    await client.update(ConfigMap, structuredClone({ ...found, metadata, data }) as never);
  } catch (error) {
    if (!isNamespaceGone(error)) throw error;
  }
}
