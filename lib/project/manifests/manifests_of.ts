import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import type { KubeObject } from "@xca/apimachinery/meta";
import type { Operator } from "../../controller/definition/operator_definition.ts";
import { rbacManifests } from "../../rbac/manifests/rbac_manifests.ts";
import { certManagerManifests } from "../../webhook/configuration/cert_manager.ts";
import { withConversionWebhook } from "../../webhook/configuration/conversion_webhook.ts";
import type { WebhookAddress } from "../../webhook/configuration/webhook_address.ts";
import {
  caBundleTargetsOf,
  webhookConfigurationsOf,
} from "../../webhook/configuration/webhook_configurations.ts";
import { policiesOf } from "../../webhook/rules/policies_of.ts";
import { deploymentRulesOf, webhookCount } from "./deployment_rules.ts";
import {
  CERTIFICATE_FOLDER,
  disruptionBudget,
  managerDeployment,
  metricsService,
  webhookService,
} from "./manager_deployment.ts";
import {
  labelsOf,
  type Manifest,
  type ManifestObject,
  type ManifestPart,
  webhookSecretOf,
  webhookServiceOf,
} from "./manifest.ts";
import { networkPolicy, serviceMonitor } from "./network_objects.ts";

/** Options of {@linkcode manifestsOf}, which generates the manifests of an operator. */
export interface ManifestsOptions {
  /**
   * The name of the operator's Deployment and ServiceAccount, and the prefix of other names, apart
   * from those of CustomResourceDefinitions and admission policies.
   */
  readonly name: string;
  /** The namespace that the operator runs in, which is one of the manifests. */
  readonly namespace: string;
  /** The image of the operator, with its tag or digest. */
  readonly image: string;
  /** The number of replicas of the operator, of which one reconciles. @default {2} */
  readonly replicas?: number | undefined;
  /** The namespaces that the operator watches. @default all */
  readonly watchNamespaces?: readonly string[] | undefined;
  /**
   * The issuer of the certificate of the webhook server: the operator itself, which keeps it in a
   * Secret; cert-manager, which the cluster must have; or OLM, for a bundle.
   *
   * @default {"own"}
   */
  readonly certificates?: "own" | "cert-manager" | "olm" | undefined;
  /**
   * Sets whether the manifests contain a ServiceMonitor, which needs the Prometheus operator.
   * Without `metrics` they never contain a ServiceMonitor.
   *
   * @default {false}
   */
  readonly serviceMonitor?: boolean | undefined;
  /**
   * Sets whether the operator's program serves metrics, and has the permissions to review the
   * access of the readers of the metrics.
   *
   * @default {true}
   */
  readonly metrics?: boolean | undefined;
}

/**
 * Returns the manifests of an operator's deployment, in the order in which they are applied: the
 * namespace, CustomResourceDefinitions, RBAC, the Service and the configurations of webhooks,
 * admission policies, the certificates of cert-manager, the Service of metrics, the Deployment with
 * a PodDisruptionBudget, a NetworkPolicy, and a ServiceMonitor. Objects that the operator or the
 * options do not need are left out. The result depends only on the arguments.
 *
 * The program of the Deployment is expected to be that of `kubectl xca init`: leader election,
 * health on port 8081, metrics on 8443, webhooks on 9443.
 *
 * @throws {TypeError} When a name is invalid, or webhooks contradict each other.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { manifestsOf } from "@xca/operator/project";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const options = { name: "xca", namespace: "xca-system", image: "registry.example.org/xca:1" };
 * const kinds = manifestsOf(xcaOperator, options).map(({ object }) => object.kind);
 * assert.deepEqual(kinds.slice(0, 3), ["Namespace", "CustomResourceDefinition", "CustomResourceDefinition"]);
 * assert(kinds.includes("NetworkPolicy"));
 * ```
 */
export function manifestsOf(operator: Operator, options: ManifestsOptions): Manifest[] {
  const { certificates = "own", image, replicas = 2, watchNamespaces, metrics = true } = options;
  const names = { name: options.name, namespace: options.namespace };
  const targets = caBundleTargetsOf(operator, { name: names.name });
  const isServing = webhookCount(targets) > 0;
  const hasCertManager = isServing && certificates === "cert-manager";
  const address = addressOf(names, hasCertManager);
  const made = new Manifests();
  made.add("namespace", namespaceOf(names));
  made.add("crds", ...definitionsOf(operator, new Set(targets.crds), address));
  made.add(
    "rbac",
    ...rbacManifests(operator, {
      ...deploymentRulesOf(operator, { ...names, watchNamespaces, certificates, metrics }),
      ...names,
      labels: labelsOf(names),
    }),
  );
  if (isServing) made.add("webhooks", webhookService(names));
  made.add(
    "webhooks",
    ...webhookConfigurationsOf(operator, { ...address, name: names.name, labels: labelsOf(names) }),
    ...policiesOf(operator),
  );
  if (hasCertManager) {
    made.add(
      "certificates",
      ...certManagerManifests({
        name: names.name,
        service: address.service!,
        secretName: webhookSecretOf(names),
        labels: labelsOf(names),
      }),
    );
  }
  const certificateFolder = isServing ? CERTIFICATE_FOLDERS[certificates] : undefined;
  const manager = {
    ...names,
    image,
    replicas,
    webhooks: isServing,
    certificateFolder,
    metrics,
    watchNamespaces,
  };
  if (metrics) made.add("manager", metricsService(names));
  made.add("manager", managerDeployment(manager), disruptionBudget(names));
  made.add("network-policy", networkPolicy(names, { webhooks: isServing, metrics }));
  if (options.serviceMonitor && metrics) made.add("monitoring", serviceMonitor(names));
  return made.list;
}

/**
 * The folder of the webhook server's certificate by the issuer of the certificate: none for the
 * operator itself, which keeps the certificate in a Secret. OLM mounts its certificate there by
 * itself.
 */
const CERTIFICATE_FOLDERS = {
  own: undefined,
  "cert-manager": CERTIFICATE_FOLDER,
  olm: "/tmp/k8s-webhook-server/serving-certs",
} as const;

/** A list of the manifests of the operator that were generated so far. */
class Manifests {
  readonly list: Manifest[] = [];

  add(part: ManifestPart, ...objects: readonly unknown[]): void {
    for (const object of objects) this.list.push({ part, object: object as ManifestObject });
  }
}

/**
 * Returns the address by which the API server calls the operator's webhooks: the Service, and the
 * name of the Certificate if cert-manager issues the webhook server's certificate.
 */
function addressOf(
  names: Pick<ManifestsOptions, "name" | "namespace">,
  hasCertManager: boolean,
): WebhookAddress {
  const { namespace } = names;
  return {
    service: { namespace, name: webhookServiceOf(names) },
    ...(hasCertManager &&
      { certManager: { namespace, certificate: `${names.name}-serving-cert` } }),
  };
}

function namespaceOf(names: Pick<ManifestsOptions, "name" | "namespace">): KubeObject {
  const labels = { ...labelsOf(names), "pod-security.kubernetes.io/enforce": "restricted" };
  return { apiVersion: "v1", kind: "Namespace", metadata: { name: names.namespace, labels } };
}

/**
 * Returns the CustomResourceDefinitions of an operator; those of kinds with a converter call the
 * operator's conversion webhook.
 */
function definitionsOf(
  { crds }: Operator,
  converted: ReadonlySet<string>,
  address: WebhookAddress,
): KubeObject[] {
  return crds.map((crd) => {
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      ...crd,
    };
    if (!converted.has(crd.metadata.name ?? "")) return definition;
    return withConversionWebhook(definition as unknown as V1CustomResourceDefinition, address);
  });
}
