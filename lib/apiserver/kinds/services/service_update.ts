/**
 * Completes an update of a Service (`core/service/storage/storage.go`, `patchAllocatedValues`):
 * stored allocated values that the update leaves out are restored where the new type uses them, and
 * removed otherwise.
 *
 * @module
 */
import {
  isExternallyAccessible,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePort,
  nodePortsOf,
  sameTexts,
  type ServiceSpec,
} from "./service_fields.ts";

/**
 * Sets the stored cluster IPs, node ports and health check node port in an updated Service that
 * leaves them out, in place, as far as both the stored and the new type of the Service use them.
 */
export function keepAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
    if (!spec.clusterIPs?.length && old.clusterIPs?.length) spec.clusterIPs = [...old.clusterIPs];
  }
  if (needsNodePort(old) && needsNodePort(spec)) keepNodePorts(spec, old);
  if (
    needsHealthCheckPort(old) && needsHealthCheckPort(spec) && !spec.healthCheckNodePort &&
    old.healthCheckNodePort
  ) spec.healthCheckNodePort = old.healthCheckNodePort;
}

/**
 * Sets the absent node ports of an updated Service to the stored node ports of the ports with the
 * same names, regardless of the ports' other fields, unless another port of the update has the node
 * port.
 */
function keepNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const said = new Set(nodePortsOf(spec));
  const byName = new Map((old.ports ?? []).map((port) => [port.name ?? "", port.nodePort]));
  for (const port of spec.ports ?? []) {
    if (port.nodePort) continue;
    const before = byName.get(port.name ?? "");
    if (before && !(said.has(before) && nodePortsOf(old).includes(before))) port.nodePort = before;
  }
}

/**
 * Sets the `clusterIPs` of a Service from `clusterIP`, the only field that old clients set: at a
 * creation if `clusterIPs` is absent, in an update if only `clusterIP` changed (an emptied
 * `clusterIP` removes `clusterIPs`). An update that omits `clusterIPs` but leaves `clusterIP`
 * unchanged gets the stored `clusterIPs`.
 */
export function alignClusterIps(spec: ServiceSpec, old: ServiceSpec | undefined): void {
  const now = spec.clusterIP ?? "";
  if (!old) {
    if (now !== "" && !spec.clusterIPs?.length) spec.clusterIPs = [now];
    return;
  }
  const before = old.clusterIP ?? "";
  if (old.clusterIPs?.length && !spec.clusterIPs?.length && now === before) {
    spec.clusterIPs = [...old.clusterIPs];
  }
  if (now === before || !sameTexts(spec.clusterIPs, old.clusterIPs)) return;
  if (now === "") delete spec.clusterIPs;
  else spec.clusterIPs = [now];
}

/**
 * Removes the cluster IPs, IP families, node ports and other fields of a Service that its stored
 * type used and its new type does not use, in place, unless the update changed them.
 */
export function dropByType(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIp(old) && !needsClusterIp(spec)) {
    const same = (spec.clusterIP ?? "") === (old.clusterIP ?? "") &&
      sameTexts(spec.clusterIPs, old.clusterIPs);
    if (same) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (sameTexts(spec.ipFamilies, old.ipFamilies)) delete spec.ipFamilies;
    if (spec.ipFamilyPolicy === old.ipFamilyPolicy) delete spec.ipFamilyPolicy;
  }
  if (needsNodePort(old) && !needsNodePort(spec)) {
    const before = nodePortsOf(old);
    if (nodePortsOf(spec).every((port) => before.includes(port))) {
      for (const port of spec.ports ?? []) delete port.nodePort;
    }
  }
  dropOfLoadBalancer(spec, old);
  if (
    isExternallyAccessible(old) && !isExternallyAccessible(spec) &&
    spec.externalTrafficPolicy === old.externalTrafficPolicy
  ) delete spec.externalTrafficPolicy;
}

function dropOfLoadBalancer(spec: ServiceSpec, old: ServiceSpec): void {
  if (
    needsHealthCheckPort(old) && !needsHealthCheckPort(spec) &&
    spec.healthCheckNodePort === old.healthCheckNodePort
  ) delete spec.healthCheckNodePort;
  if (old.type !== "LoadBalancer" || spec.type === "LoadBalancer") return;
  if (spec.allocateLoadBalancerNodePorts === old.allocateLoadBalancerNodePorts) {
    delete spec.allocateLoadBalancerNodePorts;
  }
  if (spec.loadBalancerClass === old.loadBalancerClass) delete spec.loadBalancerClass;
}
