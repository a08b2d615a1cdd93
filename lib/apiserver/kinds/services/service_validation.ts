import {
  duplicate,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsSubdomainProblems,
  invalidForEach,
  qualifiedNameProblems,
  validateLabels,
} from "@xca/apimachinery/internal/validation";
import type { V1Service } from "@xca/apimachinery/kubernetes-types";
import { checkEndpointIp, checkLegacyCidr, checkLegacyIp } from "../../validation/ip_fields.ts";
import { portNumberProblems } from "../../validation/ports.ts";
import {
  isExternallyAccessible,
  isHeadless,
  needsHealthCheckPort,
  type ServiceSpec,
} from "./service_fields.ts";
import { validateClusterIps } from "./service_cluster_ip_validation.ts";
import { validateServicePorts } from "./service_port_validation.ts";

const SPEC = FieldPath.of("spec");
const HINTS = "service.kubernetes.io/topology-aware-hints";
const MODE = "service.kubernetes.io/topology-mode";
const SOURCE_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges";
const LOAD_BALANCER_ONLY = "may only be used when `type` is 'LoadBalancer'";
const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
/** The maximum timeout of a Service's client IP affinity in seconds: one day. */
const MAX_AFFINITY_SECONDS = 86_400;

/** Validates a Service, new or updated (`core/validation/validation.go`, `validateService`). */
export function validateService(service: V1Service, old: V1Service | undefined): FieldError[] {
  const spec = service.spec!;
  return [
    ...validateTopology(service),
    ...validateType(spec),
    ...validateServicePorts(spec),
    ...validateLabels(spec.selector, SPEC.child("selector")),
    ...validateAffinity(spec),
    ...validateClusterIps(spec, old?.spec),
    ...validateExternalIps(spec, old?.spec),
    ...validateTypeName(spec),
    ...validateNodePorts(spec),
    ...validateSourceRanges(service, old),
    ...validateLoadBalancerFields(spec),
    ...validateExternalTraffic(spec),
    ...validateInternalTraffic(spec),
    ...validateTrafficDistribution(spec),
  ];
}

function validateTopology({ metadata: { annotations = {} } }: V1Service): FieldError[] {
  const hints = annotations[HINTS];
  const mode = annotations[MODE];
  if (hints === undefined || mode === undefined || hints === mode) return [];
  const path = FieldPath.of("metadata", "annotations").key(MODE);
  return [invalid(path, mode, `must match annotations[${HINTS}] when both are specified`)];
}

function validateType(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const headless = isHeadless(spec);
  if (!spec.ports?.length && !headless && spec.type !== "ExternalName") {
    errors.push(required(SPEC.child("ports")));
  }
  if (headless && (spec.type === "LoadBalancer" || spec.type === "NodePort")) {
    const detail = `may not be set to 'None' for ${spec.type} services`;
    errors.push(invalid(SPEC.child("clusterIPs").index(0), "None", detail));
  }
  if (spec.type === "ExternalName") errors.push(...validateExternalName(spec));
  return errors;
}

function validateExternalName(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ["clusterIPs", "ipFamilies", "ipFamilyPolicy"] as const) {
    if (spec[field]?.length) {
      errors.push(forbiddenField(SPEC.child(field), "may not be set for ExternalName services"));
    }
  }
  const path = SPEC.child("externalName");
  const name = (spec.externalName ?? "").replace(/\.$/, "");
  if (name === "") errors.push(required(path));
  else errors.push(...invalidForEach(path, name, dnsSubdomainProblems(name)));
  return errors;
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): FieldError[] {
  const path = SPEC.child("sessionAffinity");
  const config = SPEC.child("sessionAffinityConfig");
  if (sessionAffinity === "ClientIP") {
    const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 0;
    if (seconds > 0 && seconds <= MAX_AFFINITY_SECONDS) return [];
    const detail = `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`;
    return [invalid(config.child("clientIP", "timeoutSeconds"), seconds, detail)];
  }
  if (sessionAffinity !== "None") {
    return [notSupported(path, sessionAffinity, ["ClientIP", "None"])];
  }
  if (sessionAffinityConfig === undefined) return [];
  return [forbiddenField(config, "must not be set when session affinity is None")];
}

function validateExternalIps(
  { externalIPs = [] }: ServiceSpec,
  old: ServiceSpec | undefined,
): FieldError[] {
  return externalIPs.flatMap((address, index) => {
    const path = SPEC.child("externalIPs").index(index);
    const errors = checkLegacyIp(path, address, old?.externalIPs);
    return errors.length > 0 ? errors : checkEndpointIp(path, address);
  });
}

function validateTypeName({ type = "" }: ServiceSpec): FieldError[] {
  return TYPES.includes(type) ? [] : [notSupported(SPEC.child("type"), type, TYPES)];
}

function validateNodePorts({ type, ports = [] }: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const path = SPEC.child("ports");
  if (type === "ClusterIP") {
    for (const [index, { nodePort }] of ports.entries()) {
      if (!nodePort) continue;
      const detail = "may not be used when `type` is 'ClusterIP'";
      errors.push(forbiddenField(path.index(index).child("nodePort"), detail));
    }
  }
  const nodePorts = new Set<string>();
  for (const [index, { protocol, nodePort }] of ports.entries()) {
    if (!nodePort) continue;
    const key = `${protocol} ${nodePort}`;
    if (nodePorts.has(key)) errors.push(duplicate(path.index(index).child("nodePort"), nodePort));
    nodePorts.add(key);
  }
  const numbers = new Set<string>();
  for (const [index, { protocol, port }] of ports.entries()) {
    const key = `${protocol} ${port}`;
    if (numbers.has(key)) errors.push(duplicate(path.index(index), shownPort(protocol!, port)));
    numbers.add(key);
  }
  return errors;
}

/**
 * Returns the record of a Service's port that error messages show: the fields of the internal type,
 * empty except for protocol and number.
 */
function shownPort(protocol: string, port: number): unknown {
  return {
    Name: "",
    Protocol: protocol,
    AppProtocol: null,
    Port: port,
    TargetPort: 0,
    NodePort: 0,
  };
}

function validateSourceRanges(service: V1Service, old: V1Service | undefined): FieldError[] {
  const { type, loadBalancerSourceRanges: ranges = [] } = service.spec!;
  const errors: FieldError[] = [];
  if (ranges.length > 0) {
    const path = SPEC.child("LoadBalancerSourceRanges");
    if (type !== "LoadBalancer") errors.push(forbiddenField(path, LOAD_BALANCER_ONLY));
    const existing = (old?.spec?.loadBalancerSourceRanges ?? []).map((range) => range.trim());
    for (const [index, range] of ranges.entries()) {
      errors.push(...checkLegacyCidr(path.index(index), range.trim(), existing));
    }
    return errors;
  }
  const annotation = service.metadata.annotations?.[SOURCE_RANGES];
  if (annotation === undefined) return errors;
  const path = FieldPath.of("metadata", "annotations").key(SOURCE_RANGES);
  if (type !== "LoadBalancer") errors.push(forbiddenField(path, LOAD_BALANCER_ONLY));
  if (old?.metadata.annotations?.[SOURCE_RANGES] === annotation) return errors;
  if (annotation.trim() === "") return errors;
  for (const range of annotation.trim().split(",")) {
    errors.push(...checkLegacyCidr(path, range.trim()));
  }
  return errors;
}

function validateLoadBalancerFields(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.type !== "LoadBalancer" && spec.allocateLoadBalancerNodePorts !== undefined) {
    const path = SPEC.child("allocateLoadBalancerNodePorts");
    errors.push(forbiddenField(path, LOAD_BALANCER_ONLY));
  }
  return [...errors, ...validateLoadBalancerClass(spec)];
}

/** Validates the load balancer class of a Service. */
export function validateLoadBalancerClass({ type, loadBalancerClass }: ServiceSpec): FieldError[] {
  if (loadBalancerClass === undefined) return [];
  const path = SPEC.child("loadBalancerClass");
  if (type !== "LoadBalancer") return [forbiddenField(path, LOAD_BALANCER_ONLY)];
  return invalidForEach(path, loadBalancerClass, qualifiedNameProblems(loadBalancerClass));
}

function validateExternalTraffic(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const { externalTrafficPolicy: policy = "", healthCheckNodePort: port = 0 } = spec;
  const policyPath = SPEC.child("externalTrafficPolicy");
  if (!isExternallyAccessible(spec)) {
    const detail = "may only be set for externally-accessible services";
    if (policy !== "") errors.push(invalid(policyPath, policy, detail));
  } else if (policy === "") errors.push(required(policyPath));
  else if (policy !== "Cluster" && policy !== "Local") {
    errors.push(notSupported(policyPath, policy, ["Cluster", "Local"]));
  }
  const portPath = SPEC.child("healthCheckNodePort");
  if (needsHealthCheckPort(spec)) {
    if (port === 0) errors.push(required(portPath));
    else errors.push(...invalidForEach(portPath, port, portNumberProblems(port)));
  } else if (port !== 0) {
    const detail =
      "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(invalid(portPath, port, detail));
  }
  return errors;
}

function validateInternalTraffic({ internalTrafficPolicy: policy }: ServiceSpec): FieldError[] {
  if (policy === undefined || policy === "Cluster" || policy === "Local") return [];
  return [notSupported(SPEC.child("internalTrafficPolicy"), policy, ["Cluster", "Local"])];
}

function validateTrafficDistribution({ trafficDistribution: value }: ServiceSpec): FieldError[] {
  const supported = ["PreferClose", "PreferSameZone", "PreferSameNode"];
  if (value === undefined || supported.includes(value)) return [];
  return [notSupported(SPEC.child("trafficDistribution"), value, supported)];
}
