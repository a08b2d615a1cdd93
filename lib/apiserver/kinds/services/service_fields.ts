/**
 * Types, constants and functions for the fields of a Service (`core/service/strategy.go`,
 * `needsClusterIP`).
 *
 * @module
 */
import { parseIp } from "@xca/apimachinery/internal/validation";
import type { V1Service } from "@xca/apimachinery/kubernetes-types";

/** The spec of a Service. */
export type ServiceSpec = NonNullable<V1Service["spec"]>;

/** A port of a Service. */
export type ServicePort = NonNullable<ServiceSpec["ports"]>[number];

/** The value of a Service's `clusterIP` that makes the Service headless. */
export const NO_CLUSTER_IP = "None";

/** Reports whether a Service has a cluster IP or is headless: all except ExternalName Services. */
export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

/** Reports whether a Service can have node ports: one of the type `NodePort` or `LoadBalancer`. */
export function needsNodePort({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/**
 * Reports whether a Service has a health check node port: a `LoadBalancer` with the external
 * traffic policy `Local`.
 */
export function needsHealthCheckPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

/**
 * Reports whether a Service is reachable from outside of the cluster: one of the type
 * `LoadBalancer` or `NodePort`, or of the type `ClusterIP` with external IPs.
 */
export function isExternallyAccessible({ type, externalIPs = [] }: ServiceSpec): boolean {
  return type === "LoadBalancer" || type === "NodePort" ||
    (type === "ClusterIP" && externalIPs.length > 0);
}

/** Reports whether a Service is headless, which its `clusterIPs` decide: exactly one, `None`. */
export function isHeadless({ clusterIPs = [] }: ServiceSpec): boolean {
  return clusterIPs.length === 1 && clusterIPs[0] === NO_CLUSTER_IP;
}

/**
 * Returns the node port numbers that a Service's ports state, without its health check node port.
 */
export function nodePortsOf({ ports = [] }: ServiceSpec): number[] {
  return ports.flatMap(({ nodePort }) => nodePort ? [nodePort] : []);
}

/** Reports whether two lists of texts in a Service are equal; an absent list is empty. */
export function sameTexts(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}

/** Returns the IP family of an IP address in text form; `unknown` for any other text. */
export function familyOf(address: string): "IPv4" | "IPv6" | "unknown" {
  const parsed = parseIp(address);
  if (!parsed) return "unknown";
  return parsed.bytes.length === 16 ? "IPv6" : "IPv4";
}
