/**
 * What the fields of a Service, taken together, mean.
 *
 * @module
 */
import { parseIp } from "@xca/apimachinery/internal/validation";
import type { V1Service } from "@xca/apimachinery/kubernetes-types";

/** What a user wants of a Service. */
export type ServiceSpec = NonNullable<V1Service["spec"]>;

/** One port of a Service. */
export type ServicePort = NonNullable<ServiceSpec["ports"]>[number];

/** The value of `clusterIP` that asks for no address. */
export const NO_CLUSTER_IP = "None";

/** Whether it has an address of its own, or says that it has none: all but names of others. */
export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

/** Whether each of its ports is open on the nodes. */
export function needsNodePort({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Whether nodes answer a load balancer's question if they serve it. */
export function needsHealthCheckPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

/** Whether it is reached from outside of the cluster. */
export function isExternallyAccessible({ type, externalIPs = [] }: ServiceSpec): boolean {
  return type === "LoadBalancer" || type === "NodePort" ||
    (type === "ClusterIP" && externalIPs.length > 0);
}

/** Whether it has no address: names alone. */
export function isHeadless({ clusterIPs = [] }: ServiceSpec): boolean {
  return clusterIPs.length === 1 && clusterIPs[0] === NO_CLUSTER_IP;
}

/** The node ports that stand in it. */
export function nodePortsOf({ ports = [] }: ServiceSpec): number[] {
  return ports.flatMap(({ nodePort }) => nodePort ? [nodePort] : []);
}

/** Whether both lists of texts are equal; an absent one is empty. */
export function sameTexts(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}

/** The family of an address. */
export function familyOf(address: string): "IPv4" | "IPv6" | "unknown" {
  const parsed = parseIp(address);
  if (!parsed) return "unknown";
  return parsed.bytes.length === 16 ? "IPv6" : "IPv4";
}
