// Mirrors `controller/certificates/clustertrustbundlepublisher/publisher.go, ClusterTrustBundlePublisher`.
import { createHash } from "node:crypto";
import { ClusterTrustBundle } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import type { Client } from "../../client/typed/client.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";

/**
 * The name of the controller that publishes the API server's certificate authority as a
 * ClusterTrustBundle.
 */
export const TRUST_BUNDLE_PUBLISHER =
  "kube-apiserver-serving-clustertrustbundle-publisher-controller";

/** The signer name of ClusterTrustBundles for the serving certificates of API servers. */
const SIGNER = "kubernetes.io/kube-apiserver-serving";
/** The number of hex digits of the certificates' hash in the name of a ClusterTrustBundle. */
const HASH_DIGITS = 24;

/**
 * Creates the controller that keeps one ClusterTrustBundle with the certificates of the API
 * server's authority, and deletes the other bundles of the signer.
 *
 * @param rootCa The certificates of the authority, as PEM.
 */
export function trustBundlePublisher(rootCa: string): ControllerDefinition {
  const hash = createHash("sha256").update(rootCa).digest("hex").slice(0, HASH_DIGITS);
  const name = `${SIGNER.replaceAll("/", ":")}:${hash}`;
  return controllerFor(ClusterTrustBundle)
    .named(TRUST_BUNDLE_PUBLISHER)
    // No event is delivered for a bundle that does not exist yet.
    .reconcilesOn("authority", ({ enqueue }) => enqueue(name))
    .options({ workers: 1, hotLoopRuns: Infinity })
    .reconcile((context) => publish(context, name, rootCa));
}

async function publish(
  { cache, client }: ReconcileContext,
  name: string,
  trustBundle: string,
): Promise<void> {
  const found = cache.shared.get(ClusterTrustBundle, name);
  if (!found) {
    await client.create(ClusterTrustBundle, {
      metadata: { name },
      spec: { signerName: SIGNER, trustBundle },
    });
  } else if (found.spec.trustBundle !== trustBundle) {
    const spec = { ...found.spec, trustBundle };
    await client.update(ClusterTrustBundle, structuredClone({ ...found, spec }) as never);
  }
  for (const { metadata, spec } of await cache.shared.list(ClusterTrustBundle)) {
    if (spec.signerName !== SIGNER || metadata.name === name) continue;
    await ignoreNotFound(client.delete(ClusterTrustBundle, metadata.name!));
  }
}

/**
 * Reports whether an API server serves ClusterTrustBundles in version `v1`, as Kubernetes does from
 * 1.37 on. Rejects when the server refuses the request.
 */
export async function hasTrustBundles(client: Client): Promise<boolean> {
  const path = "/apis/certificates.k8s.io/v1";
  const served = await client.requestJson({ method: "GET", path }) as {
    readonly resources?: readonly { readonly name: string }[];
  };
  return served.resources?.some((each) => each.name === ClusterTrustBundle.plural) ?? false;
}
