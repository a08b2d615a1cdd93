// Mirrors `kubelet/client/kubelet_client.go, NodeConnectionInfoGetter.GetConnectionInfo`.
import { notFound, StatusError } from "@xca/apimachinery/internal/errors";
import type { V1Node } from "@xca/apimachinery/kubernetes-types";
import type { Registry } from "../../machinery/registry.ts";
import type { HostPort } from "../../machinery/registry_reader.ts";

/** The types of node addresses in the order of preference (`--kubelet-preferred-address-types`). */
const ADDRESS_TYPES = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"];
/** The port of kubelets whose node states none. */
const KUBELET_PORT = 10250;

/**
 * Returns the address at which a node's kubelet is reached: that in the node's status, or the
 * address that the registry's `reach` substitutes for it. As in kube-apiserver, the error about a
 * missing node names the given resource, by default `pods`.
 *
 * @throws {StatusError} 404 if the node does not exist; 500 if it has no address.
 */
export function kubeletOf(registry: Registry, name: string, resource = "pods"): HostPort {
  const { reach = (named) => named } = registry;
  return reach(namedKubelet(registry, name, resource));
}

/**
 * Returns the kubelet address that the status of a node states, with the port 10250 if the status
 * states none.
 *
 * @throws {StatusError} 404 if the node does not exist; 500 if it has no address.
 */
export function namedKubelet(registry: Registry, name: string, resource = "pods"): HostPort {
  const node = registry.get("", "nodes", "", name) as V1Node | undefined;
  if (!node) throw notFound({ group: "", resource }, name);
  const { addresses = [], daemonEndpoints } = node.status ?? {};
  const host = ADDRESS_TYPES
    .map((wanted) => addresses.find(({ type }) => type === wanted)?.address)
    .find((address) => address !== undefined);
  if (host === undefined) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(" ");
    throw new StatusError(500, "", `no preferred addresses found; known addresses: [${known}]`);
  }
  return { host, port: daemonEndpoints?.kubeletEndpoint?.Port || KUBELET_PORT };
}
