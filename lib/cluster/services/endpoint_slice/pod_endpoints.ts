// Mirrors `endpointslice/utils.go, podToEndpoint`, `getEndpointPorts` and `FindPort` there.
import type {
  DiscoveryV1EndpointPort,
  V1Endpoint,
  V1Node,
  V1Service,
  V1ServicePort,
} from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import { isReady, isTerminal, type ReadPod } from "../../pods/pod_state.ts";

/** A deeply read-only Service. */
export type ReadService = DeepReadonly<V1Service>;

/** A deeply read-only node. */
export type ReadNode = DeepReadonly<V1Node>;

/** An IP address family, as EndpointSlices name it. */
export type AddressType = "IPv4" | "IPv6";

/** The key of the node label with the zone. */
const ZONE = "topology.kubernetes.io/zone";

/** Reports whether a pod has an IP address and has not terminated. */
export function hasEndpoint(pod: ReadPod): boolean {
  const { podIP, podIPs = [] } = pod.status ?? {};
  return !isTerminal(pod) && (Boolean(podIP) || podIPs.length > 0);
}

/**
 * Returns the endpoint of a Service for a pod, with the pod's addresses of one family, perhaps
 * none. With `publishNotReadyAddresses` the endpoint is ready even if the pod is not.
 */
export function podEndpoint(
  pod: ReadPod,
  node: ReadNode | undefined,
  service: ReadService,
  addressType: AddressType,
): V1Endpoint {
  const { name, namespace, uid } = pod.metadata;
  const { hostname, nodeName, subdomain } = pod.spec!;
  const serving = isReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const zone = node?.metadata.labels?.[ZONE];
  return {
    addresses: (pod.status?.podIPs ?? []).map(({ ip }) => ip)
      .filter((ip) => ip.includes(":") === (addressType === "IPv6")),
    conditions: {
      ready: service.spec?.publishNotReadyAddresses === true || (serving && !terminating),
      serving,
      terminating,
    },
    ...(hostname && subdomain === service.metadata.name && { hostname }),
    ...(nodeName && { nodeName }),
    targetRef: { kind: "Pod", namespace, name, uid } as NonNullable<V1Endpoint["targetRef"]>,
    ...(zone && { zone }),
  };
}

/**
 * Returns the endpoint ports of a Service for a pod. A named target port that the pod lacks is left
 * out; a headless Service may have none.
 */
export function endpointPorts(service: ReadService, pod: ReadPod): DiscoveryV1EndpointPort[] {
  return (service.spec?.ports ?? []).flatMap((servicePort) => {
    const { appProtocol, name = "", protocol = "TCP" } = servicePort;
    const port = containerPort(pod, servicePort);
    return port === undefined
      ? []
      : [{ name, port, protocol, ...(appProtocol && { appProtocol }) }];
  });
}

/**
 * Returns the container port that a Service port refers to, by number or by name; without a target
 * port, the number of the Service port. Returns `undefined` if the pod has no container port of
 * that name and protocol.
 */
function containerPort(
  { spec }: ReadPod,
  { port, protocol = "TCP", targetPort }: DeepReadonly<V1ServicePort>,
): number | undefined {
  if (typeof targetPort === "number") return targetPort;
  if (targetPort === undefined) return port;
  const sidecars = (spec?.initContainers ?? [])
    .filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...spec?.containers ?? [], ...sidecars].flatMap(({ ports = [] }) => ports)
    .find((each) => each.name === targetPort && (each.protocol ?? "TCP") === protocol)
    ?.containerPort;
}

/**
 * Returns the IP address families of a Service; both for a Service that names none and has no
 * cluster IP.
 */
export function addressTypesOf({ spec }: ReadService): AddressType[] {
  const { clusterIP, ipFamilies = [] } = spec ?? {};
  if (ipFamilies.length > 0) return [...new Set(ipFamilies)] as AddressType[];
  if (clusterIP && clusterIP !== "None") return [clusterIP.includes(":") ? "IPv6" : "IPv4"];
  return ["IPv4", "IPv6"];
}
