import type { V1Service } from "@xca/apimachinery/kubernetes-types";
import { isExternallyAccessible, needsClusterIp } from "./service_fields.ts";

/** The default timeout of a Service's client IP affinity in seconds: three hours. */
const AFFINITY_SECONDS = 10_800;

/** Sets the defaults of a Service, in place (`apis/core/v1/defaults.go`, `SetDefaults_Service`). */
export function defaultService(service: V1Service): void {
  const spec = service.spec ??= {};
  spec.sessionAffinity ||= "None";
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (
    spec.sessionAffinity === "ClientIP" &&
    spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined
  ) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: AFFINITY_SECONDS } };
  }
  spec.type ||= "ClusterIP";
  for (const port of spec.ports ?? []) {
    port.protocol ||= "TCP";
    if (!port.targetPort) port.targetPort = port.port ?? 0;
  }
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= "Cluster";
  if (needsClusterIp(spec)) spec.internalTrafficPolicy ??= "Cluster";
  if (spec.type === "LoadBalancer") spec.allocateLoadBalancerNodePorts ??= true;
  const status = service.status ??= {};
  status.loadBalancer ??= {};
  if (spec.type !== "LoadBalancer") return;
  for (const ingress of status.loadBalancer.ingress ?? []) {
    if (ingress.ip) ingress.ipMode ??= "VIP";
  }
}
