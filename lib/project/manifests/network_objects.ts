import type { V1NetworkPolicy } from "@xca/apimachinery/kubernetes-types";
import { WEBHOOK_PORT } from "../../webhook/server/webhook_server.ts";
import {
  type DeploymentNames,
  HEALTH_PORT,
  labelsOf,
  type ManifestObject,
  METRICS_PORT,
  selectorOf,
} from "./manifest.ts";

/**
 * The ports to which a NetworkPolicy allows an operator to connect: those of API servers, through
 * the Service `kubernetes` and directly.
 */
const API_SERVER_PORTS = [443, 6443, 8443, 16443];

/**
 * Returns the manifest of the NetworkPolicy of an operator: all addresses may connect to the
 * operator's port for health and, if it serves these, to those for metrics and webhooks; the
 * operator may connect to DNS and the API server. Policies cannot select the API server, so its
 * ports are open to all addresses.
 */
export function networkPolicy(
  names: DeploymentNames,
  { webhooks, metrics }: { readonly webhooks: boolean; readonly metrics: boolean },
): V1NetworkPolicy {
  const ports = [
    HEALTH_PORT,
    ...(metrics ? [METRICS_PORT] : []),
    ...(webhooks ? [WEBHOOK_PORT] : []),
  ];
  const tcp = (port: number): { protocol: string; port: number } => ({ protocol: "TCP", port });
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: names.name, namespace: names.namespace, labels: labelsOf(names) },
    spec: {
      podSelector: { matchLabels: selectorOf(names) },
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ ports: ports.map(tcp) }],
      egress: [
        { ports: [{ protocol: "UDP", port: 53 }, tcp(53)] },
        { ports: API_SERVER_PORTS.map(tcp) },
      ],
    },
  };
}

/**
 * Returns the manifest of the ServiceMonitor by which Prometheus scrapes an operator's metrics,
 * with the token of Prometheus' own service account, and without verification of the operator's
 * certificate.
 */
export function serviceMonitor(names: DeploymentNames): ManifestObject {
  const { name, namespace } = names;
  const object: ManifestObject & { readonly spec: unknown } = {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "ServiceMonitor",
    metadata: { name, namespace, labels: labelsOf(names) },
    spec: {
      endpoints: [{
        path: "/metrics",
        port: "metrics",
        scheme: "https",
        bearerTokenFile: "/var/run/secrets/kubernetes.io/serviceaccount/token",
        // The certificate of the metrics server is self-signed.
        tlsConfig: { insecureSkipVerify: true },
      }],
      selector: { matchLabels: selectorOf(names) },
    },
  };
  return object;
}
