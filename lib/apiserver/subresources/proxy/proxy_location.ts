// Mirrors `registry/core/pod/strategy.go, ResourceLocation`.
import { isIP } from "node:net";
import { PRETEND_ANNOTATION } from "@xca/apimachinery/internal/meta";
import { badRequest, notFound, StatusError } from "@xca/apimachinery/internal/errors";
import {
  type IpAddress,
  isIpv6,
  isLinkLocal,
  isLoopback,
  isUnspecified,
  parseIp,
} from "@xca/apimachinery/internal/validation";
import type {
  V1Endpoint,
  V1EndpointSlice,
  V1Node,
  V1Pod,
  V1Service,
} from "@xca/apimachinery/kubernetes-types";
import type { Registry } from "../../machinery/registry.ts";
import type { RequestContext } from "../../machinery/request_context.ts";
import type { DialTarget } from "../connection/dial.ts";
import { kubeletOf, namedKubelet } from "../connection/kubelet_address.ts";

/** The address to which a proxy request is forwarded. */
export interface ProxyLocation {
  readonly scheme: "http" | "https";
  /**
   * The host of the server behind the proxy, with the port if one is known, which URLs in redirects
   * and HTML pages may name.
   */
  readonly host: string;
  /**
   * Returns the address of the server to which a proxy request is forwarded.
   *
   * @throws {Error} If the port is greater than 65,535.
   */
  readonly target: () => DialTarget;
}

/** The parsed name in a proxy request: `name`, `name:port` or `scheme:name:port`. */
interface ProxyName {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/**
 * Parses the name in a proxy request (`util/net/port_split.go`, `SplitSchemeNamePort`). An absent
 * scheme or port is empty.
 *
 * @throws {StatusError} 400 if the name is empty, has more than three parts, or has a scheme other
 * than `http` and `https`.
 */
function proxyName(id: string, kind: string): ProxyName {
  const parts = id.split(":");
  const [scheme, name, port] = parts.length === 3 ? parts : ["", parts[0], parts[1] ?? ""];
  if (parts.length <= 3 && name && ["", "http", "https"].includes(scheme!)) {
    return { scheme: scheme!, name, port: port! };
  }
  throw badRequest(`invalid ${kind} request ${JSON.stringify(id)}`);
}

/**
 * Returns the address at which a pod is reached, by default at the pod's first container port
 * (`registry/core/pod/strategy.go`, `ResourceLocation`).
 *
 * @throws {StatusError} 400 for an invalid name, and for a pod without an address or with a
 * forbidden one; 404 if the pod does not exist; 500 for a port by name.
 */
export function podLocation(
  { namespace, name: id }: RequestContext,
  registry: Registry,
): ProxyLocation {
  const { scheme, name, port } = proxyName(id, "pod");
  const pod = registry.get("", "pods", namespace, name) as V1Pod | undefined;
  if (!pod) throw notFound({ group: "", resource: "pods" }, name);
  const first = pod.spec?.containers?.find(({ ports }) => (ports ?? []).length > 0)?.ports?.[0];
  const ip = pod.status?.podIPs?.[0]?.ip ?? "";
  checkAddress(ip);
  const chosen = port === "" ? String(first?.containerPort ?? "") : port;
  return location(registry, scheme, ip, chosen, pod);
}

/**
 * Returns the address of a ready endpoint of a Service, which is chosen at random
 * (`registry/core/service/storage/storage.go`, `ResourceLocation`).
 *
 * @throws {StatusError} 400 for an invalid name; 404 if the request names a port by number, and the
 * Service does not exist; 503 if there is no such port or ready endpoint.
 */
export function serviceLocation(context: RequestContext, registry: Registry): ProxyLocation {
  const { namespace, name: id } = context;
  const random = (): number => Number.parseInt(context.uid().slice(0, 8), 16) / 2 ** 32;
  const { scheme, name, port } = proxyName(id, "service");
  const portName = /^[+-]?\d+$/.test(port)
    ? namedPort(registry, namespace, name, Number(port))
    : port;
  const slices = [...registry.list("discovery.k8s.io", "endpointslices", namespace)]
    .filter(({ metadata }) => metadata?.labels?.["kubernetes.io/service-name"] === name)
    .map((slice) => slice as V1EndpointSlice);
  const ordered = shuffled(slices, random)
    .sort((a, b) => Number(a.addressType !== "IPv4") - Number(b.addressType !== "IPv4"));
  for (const { ports, endpoints: all } of ordered) {
    const endpoints = all ?? [];
    for (const each of ports ?? []) {
      if ((each.name ?? "") !== portName || each.port === undefined) continue;
      const offset = Math.floor(random() * endpoints.length);
      const [found] = endpoints.map((_, at) => endpoints[(at + offset) % endpoints.length]!)
        .flatMap((endpoint) => podOf(registry, namespace, endpoint) ?? []);
      if (found) {
        return location(registry, scheme, found.status!.podIPs![0]!.ip, String(each.port), found);
      }
    }
  }
  throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
}

/**
 * Returns the address of a node's kubelet, or of another port of the node if the request names one
 * (`registry/core/node/strategy.go`, `ResourceLocation`).
 *
 * @throws {StatusError} 400 if the name is invalid or the address is forbidden; 404 if the node
 * does not exist; 500 if the node has no address, or for a port by name.
 */
export function nodeLocation({ name: id }: RequestContext, registry: Registry): ProxyLocation {
  const { scheme, name, port } = proxyName(id, "node");
  const kubelet = kubeletOf(registry, name, "nodes");
  const named = namedKubelet(registry, name, "nodes");
  if (port === "" || port === String(named.port)) {
    return { scheme: "https", host: joined(named.host, String(named.port)), target: () => kubelet };
  }
  if (isIP(named.host) !== 0) checkAddress(named.host);
  return location(registry, scheme, named.host, port);
}

function joined(host: string, port: string): string {
  const bracketed = host.includes(":") ? `[${host}]` : host;
  return port === "" ? bracketed : `${bracketed}:${port}`;
}

/** The default ports of URL schemes that Go knows, by the name of the scheme. */
const NAMED_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

/**
 * Returns the address at which a port of a pod or a node is reached; without a port, the default
 * port of the scheme. The kubelet of a simulated node acts as an HTTP proxy to its pods.
 *
 * @throws {StatusError} 500 for a port by name.
 */
function location(
  registry: Registry,
  scheme: string,
  host: string,
  port: string,
  pod?: V1Pod,
): ProxyLocation {
  const asked = scheme === "https" ? "https" : "http";
  // kube-apiserver panics for a port by name, of which Go makes no URL.
  if (!/^\d*$/.test(port)) {
    throw new StatusError(500, "", `dial tcp: lookup tcp/${port}: unknown port`);
  }
  return {
    scheme: asked,
    host: joined(host, port),
    target: () => {
      const number = port === "" ? NAMED_PORTS[asked]! : Number(port);
      if (number > 65_535) throw new Error(`dial tcp: address ${port}: invalid port`);
      const node = pod?.spec?.nodeName &&
        registry.get("", "nodes", "", pod.spec.nodeName) as V1Node | undefined;
      const { annotations } = (node || undefined)?.metadata ?? {};
      const isPretended = annotations?.[PRETEND_ANNOTATION] === "true";
      const proxy = isPretended ? kubeletOf(registry, pod!.spec!.nodeName!) : undefined;
      return { scheme: asked, host, port: number, ...(proxy && { proxy }) };
    },
  };
}

/**
 * Throws an error unless requests may be forwarded to an address: an IP address, but not a
 * loopback, link-local, multicast, broadcast or unspecified one.
 *
 * @throws {StatusError} 400
 */
function checkAddress(ip: string): void {
  const address = parseIp(ip);
  if (!address || !isGlobalUnicast(address)) throw badRequest("address not allowed");
}

/** Mirrors Go's `net.IP.IsGlobalUnicast`, which judges IPv4-mapped addresses as IPv4. */
function isGlobalUnicast(address: IpAddress): boolean {
  const { bytes } = address;
  const isMulticast = isIpv6(address) ? bytes[0] === 0xff : (bytes[0]! & 0xf0) === 0xe0;
  const isBroadcast = !isIpv6(address) && bytes.every((byte) => byte === 255);
  return !isUnspecified(address) && !isLoopback(address) && !isLinkLocal(address) &&
    !isMulticast && !isBroadcast;
}

/**
 * Returns the name of a Service's port by its number; empty for a port without a name.
 *
 * @throws {StatusError} 404 if the Service does not exist, 503 if it does not have the port.
 */
function namedPort(registry: Registry, namespace: string, name: string, port: number): string {
  const service = registry.get("", "services", namespace, name) as V1Service | undefined;
  if (!service) throw notFound({ group: "", resource: "services" }, name);
  const found = service.spec?.ports?.find((each) => each.port === port);
  if (found) return found.name ?? "";
  throw unavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
}

/**
 * Returns the pod of an endpoint; `undefined` if the endpoint is not ready, or its address does not
 * belong to a pod.
 */
function podOf(registry: Registry, namespace: string, endpoint: V1Endpoint): V1Pod | undefined {
  const { conditions, targetRef, addresses } = endpoint;
  if (conditions?.ready === false || targetRef?.namespace !== namespace) return undefined;
  const pod = registry.get("", "pods", namespace, targetRef.name ?? "") as V1Pod | undefined;
  return pod?.status?.podIPs?.some(({ ip }) => ip === addresses[0]) ? pod : undefined;
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items.map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function unavailable(message: string): StatusError {
  return new StatusError(503, "ServiceUnavailable", message);
}
