import {
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
  parseIp,
} from "@xca/apimachinery/internal/validation";
import type { V1Service } from "@xca/apimachinery/kubernetes-types";
import { checkLegacyIp, ipWarnings } from "../../validation/ip_fields.ts";

type Ingress = NonNullable<
  NonNullable<NonNullable<V1Service["status"]>["loadBalancer"]>["ingress"]
>[number];

const INGRESS = FieldPath.of("status", "loadBalancer", "ingress");

function ingressOf({ status }: V1Service): readonly Ingress[] {
  return status?.loadBalancer?.ingress ?? [];
}

/**
 * Validates an update of a Service's status, that is its `loadBalancer.ingress`
 * (`core/validation/validation.go`, `ValidateServiceStatusUpdate`). An IP address that the stored
 * status has already is accepted in any form.
 */
export function validateServiceStatus(service: V1Service, old: V1Service): FieldError[] {
  const ingress = ingressOf(service);
  if (service.spec?.type !== "LoadBalancer" && ingress.length > 0) {
    return [forbiddenField(INGRESS, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const existing = ingressOf(old).flatMap(({ ip }) => ip ? [ip] : []);
  return ingress.flatMap((each, index) => validateIngress(each, existing, INGRESS.index(index)));
}

function validateIngress(
  { ip = "", ipMode, hostname = "" }: Ingress,
  existing: readonly string[],
  path: FieldPath,
): FieldError[] {
  const errors = ip === "" ? [] : checkLegacyIp(path.child("ip"), ip, existing);
  const mode = path.child("ipMode");
  if (ipMode === undefined) {
    if (ip !== "") errors.push(required(mode, "must be specified when `ip` is set"));
  } else if (ip === "") {
    errors.push(forbiddenField(mode, "may not be specified when `ip` is not set"));
  } else if (ipMode !== "VIP" && ipMode !== "Proxy") {
    errors.push(notSupported(mode, ipMode, ["Proxy", "VIP"]));
  }
  if (hostname !== "") {
    const at = path.child("hostname");
    errors.push(...invalidForEach(at, hostname, dnsSubdomainProblems(hostname)));
    if (parseIp(hostname)) {
      errors.push(invalid(at, hostname, "must be a DNS name, not an IP address"));
    }
  }
  return errors;
}

/** Returns the warnings about the addresses in the `status.loadBalancer.ingress` of a Service. */
export function ingressWarnings(service: V1Service): string[] {
  return ingressOf(service).flatMap(({ ip }, index) =>
    ip ? ipWarnings(INGRESS.index(index), ip) : []
  );
}
