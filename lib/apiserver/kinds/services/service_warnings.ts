import { FieldPath } from "@xca/apimachinery/internal/errors";
import type { V1Service } from "@xca/apimachinery/kubernetes-types";
import { cidrWarnings, ipWarnings } from "../../validation/ip_fields.ts";
import { NO_CLUSTER_IP } from "./service_fields.ts";

const SPEC = FieldPath.of("spec");
const HINTS = "service.kubernetes.io/topology-aware-hints";

/** Returns the warnings about a Service (`api/service/warnings.go`, `GetWarningsForService`). */
export function serviceWarnings({ metadata, spec = {} }: V1Service): string[] {
  const warnings: string[] = [];
  const { type, clusterIP = "", clusterIPs = [], externalIPs = [], loadBalancerIP = "" } = spec;
  if (metadata.annotations?.[HINTS] !== undefined) {
    warnings.push(
      `annotation ${HINTS} is deprecated, please use service.kubernetes.io/topology-mode instead`,
    );
  }
  if (clusterIP !== "" && clusterIP !== NO_CLUSTER_IP) {
    warnings.push(
      ...clusterIPs.flatMap((address, index) =>
        ipWarnings(SPEC.child("clusterIPs").index(index), address)
      ),
    );
  }
  const headless = type === "ClusterIP" && clusterIP === NO_CLUSTER_IP;
  if (headless) {
    if (loadBalancerIP !== "") {
      warnings.push("spec.loadBalancerIP is ignored for headless services");
    }
    if (externalIPs.length > 0) warnings.push("spec.externalIPs is ignored for headless services");
    if (spec.sessionAffinity !== "None") {
      warnings.push("spec.SessionAffinity is ignored for headless services");
    }
  }
  for (const [index, address] of externalIPs.entries()) {
    warnings.push(...ipWarnings(SPEC.child("externalIPs").index(index), address));
  }
  if (externalIPs.length > 0 && !headless && type !== "ExternalName") {
    warnings.push(
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    );
  }
  if (loadBalancerIP !== "") {
    warnings.push(...ipWarnings(SPEC.child("loadBalancerIP"), loadBalancerIP));
  }
  for (const [index, range] of (spec.loadBalancerSourceRanges ?? []).entries()) {
    warnings.push(...cidrWarnings(SPEC.child("loadBalancerSourceRanges").index(index), range));
  }
  return [...warnings, ...typeWarnings(spec)];
}

function typeWarnings(
  { type, externalIPs = [], externalName = "", trafficDistribution }: NonNullable<
    V1Service["spec"]
  >,
): string[] {
  const warnings: string[] = [];
  if (type === "ExternalName" && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (type !== "ExternalName" && externalName !== "") {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (trafficDistribution === "PreferClose") {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}
