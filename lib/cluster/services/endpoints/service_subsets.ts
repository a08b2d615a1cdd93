// Mirrors `controller/endpoint/endpoints_controller.go, podToEndpointAddressForService` and
// `addEndpointSubset` there.
import { isReady, type ReadPod } from "../../pods/pod_state.ts";
import { endpointPorts, hasEndpoint, type ReadService } from "../endpoint_slice/pod_endpoints.ts";
import { type Address, repackSubsets, type Subset } from "./repack_subsets.ts";

/** Returns the subsets of the Endpoints of a Service, from the pods that its selector matches. */
export function subsetsOf(service: ReadService, pods: readonly ReadPod[]): Subset[] {
  return repackSubsets(pods.flatMap((pod) => podSubsets(service, pod)));
}

/**
 * Returns the subsets of a Service's Endpoints for one pod: one per port, or one without ports for
 * a headless Service that has no ports. A pod that has terminated or lacks an address of the family
 * gives none, nor does one that is being deleted, unless the Service publishes addresses that are
 * not ready.
 */
function podSubsets(service: ReadService, pod: ReadPod): Subset[] {
  const { clusterIP, ports = [], publishNotReadyAddresses = false } = service.spec ?? {};
  if (!hasEndpoint(pod)) return [];
  if (pod.metadata.deletionTimestamp !== undefined && !publishNotReadyAddresses) return [];
  const address = addressOf(service, pod);
  if (!address) return [];
  const own = publishNotReadyAddresses || isReady(pod)
    ? { addresses: [address] }
    : { notReadyAddresses: [address] };
  if (ports.length === 0) return clusterIP === "None" ? [own] : [];
  return endpointPorts(service, pod).map(({ name, port, ...rest }) => ({
    ...own,
    ports: [{ ...(name && { name }), port: port!, ...rest }],
  }));
}

/**
 * Returns the address of a pod in the first IP family of a Service; `undefined` if the pod has
 * none. The family of a Service that names none is that of its cluster IP, or, for a headless
 * Service, of the pod's own IP.
 */
function addressOf(service: ReadService, pod: ReadPod): Address | undefined {
  const { name, namespace, uid } = pod.metadata;
  const { hostname, nodeName, subdomain } = pod.spec!;
  const isIPv6 = hasIPv6(service, pod);
  const ip = (pod.status?.podIPs ?? []).map((each) => each.ip)
    .find((each) => each.includes(":") === isIPv6);
  if (ip === undefined) return undefined;
  return {
    ip,
    ...(hostname && subdomain === service.metadata.name && { hostname }),
    ...(nodeName && { nodeName }),
    targetRef: { kind: "Pod", namespace, name, uid } as NonNullable<Address["targetRef"]>,
  };
}

function hasIPv6({ spec }: ReadService, { status }: ReadPod): boolean {
  const { clusterIP, ipFamilies = [] } = spec ?? {};
  if (ipFamilies.length > 0) return ipFamilies[0] === "IPv6";
  const own = clusterIP && clusterIP !== "None" ? clusterIP : status?.podIP ?? "";
  return own.includes(":");
}
