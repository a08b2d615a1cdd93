import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import { checkLegacyIp } from "../../validation/ip_fields.ts";
import { familyOf, isHeadless, NO_CLUSTER_IP, type ServiceSpec } from "./service_fields.ts";

const SPEC = FieldPath.of("spec");
const ADDRESSES = SPEC.child("clusterIPs");
const FAMILIES = SPEC.child("ipFamilies");
const POLICY = SPEC.child("ipFamilyPolicy");
const POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"];
const FIXED = "may not change once set";

/**
 * Validates the cluster IPs and IP families of a Service (`core/validation/validation.go`,
 * `ValidateServiceClusterIPsRelatedFields`).
 */
export function validateClusterIps(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
): FieldError[] {
  if (spec.type === "ExternalName") return [];
  const errors = [...validatePrimary(spec), ...validateFamilies(spec)];
  const { clusterIPs = [] } = spec;
  const addressErrors = validateAddresses(clusterIPs, old?.clusterIPs);
  errors.push(...addressErrors);
  if (clusterIPs.length > 2) {
    errors.push(invalid(ADDRESSES, clusterIPs, "may only hold up to 2 values"));
  }
  if (addressErrors.length > 0) return errors;
  if (clusterIPs.length > 1 && !isDualStack(clusterIPs)) {
    const detail = "may specify no more than one IP for each IP family";
    errors.push(invalid(ADDRESSES, clusterIPs, detail));
  }
  return isHeadless(spec) ? errors : [...errors, ...validateMatch(spec)];
}

function isDualStack(addresses: readonly string[]): boolean {
  const families = addresses.map(familyOf);
  return families.includes("IPv4") && families.includes("IPv6");
}

/**
 * Checks that the `clusterIP` of a Service equals the first of its `clusterIPs`. Returns the field
 * errors.
 */
function validatePrimary({ clusterIP = "", clusterIPs = [] }: ServiceSpec): FieldError[] {
  if (clusterIP === "") {
    if (clusterIPs.length === 0) return [];
    return [invalid(ADDRESSES, clusterIPs, "must be empty when `clusterIP` is not specified")];
  }
  if (clusterIPs.length === 0) return [required(ADDRESSES)];
  if (clusterIPs[0] === clusterIP) return [];
  return [invalid(ADDRESSES, clusterIPs, "first value must match `clusterIP`")];
}

function validateFamilies({ ipFamilies = [], ipFamilyPolicy }: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, family] of ipFamilies.entries()) {
    const path = FAMILIES.index(index);
    if (family !== "IPv4" && family !== "IPv6") {
      errors.push(notSupported(path, family, ["IPv4", "IPv6"]));
    }
    if (seen.has(family)) errors.push(duplicate(path, family));
    seen.add(family);
  }
  if (ipFamilyPolicy !== undefined && !POLICIES.includes(ipFamilyPolicy)) {
    errors.push(notSupported(POLICY, ipFamilyPolicy, POLICIES));
  }
  return errors;
}

function validateAddresses(
  addresses: readonly string[],
  existing: readonly string[] | undefined,
): FieldError[] {
  return addresses.flatMap((address, index) => {
    if (index > 0 || address !== NO_CLUSTER_IP) {
      return checkLegacyIp(ADDRESSES.index(index), address, existing);
    }
    if (addresses.length === 1) return [];
    return [invalid(ADDRESSES, addresses, "'None' must be the first and only value")];
  });
}

/**
 * Checks that each cluster IP of a Service is of the IP family with the same index, if there is
 * one. Returns the field errors.
 */
function validateMatch({ clusterIPs = [], ipFamilies = [] }: ServiceSpec): FieldError[] {
  return clusterIPs.flatMap((address, index) => {
    const wanted = ipFamilies[index];
    const isIpv6 = familyOf(address) === "IPv6";
    const fits = !wanted || (wanted === "IPv6" ? isIpv6 : wanted !== "IPv4" || !isIpv6);
    if (fits) return [];
    const detail = `expected an ${wanted} value as indicated by \`ipFamilies[${index}]\``;
    return [invalid(ADDRESSES.index(index), address, detail)];
  });
}

/**
 * Validates an update of a Service's cluster IPs: the first cannot change; the second may be added,
 * and may be removed under the policy `SingleStack`. A Service that is or was of type ExternalName,
 * and one that stays headless, are exempt.
 */
export function validateClusterIpChange(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (spec.type === "ExternalName" || old.type === "ExternalName") return [];
  if (isHeadless(spec) && isHeadless(old)) return [];
  const { clusterIPs: now = [] } = spec;
  const { clusterIPs: before = [] } = old;
  const changed = (index: number): FieldError => invalid(ADDRESSES.index(index), now, FIXED);
  if (now.length === before.length) {
    return before.flatMap((address, index) => address === now[index] ? [] : [changed(index)]);
  }
  const errors: FieldError[] = [];
  if (now.length === 0) {
    errors.push(invalid(ADDRESSES.index(0), now, "primary clusterIP can not be unset"));
  }
  if (before.length > 0 && now.length > 0 && now[0] !== before[0]) errors.push(changed(0));
  if (now.length === 1 && before.length === 2 && spec.ipFamilyPolicy !== "SingleStack") {
    const detail = "must be set to 'SingleStack' when releasing the secondary clusterIP";
    errors.push(invalid(POLICY, spec.ipFamilyPolicy, detail));
  }
  return errors;
}

/**
 * Validates an update of a Service's IP families: the first cannot change; the second may be added,
 * and may be removed under the policy `SingleStack`. A Service that is or was headless or of type
 * ExternalName is exempt.
 */
export function validateFamilyChange(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (spec.type === "ExternalName" || old.type === "ExternalName") return [];
  if (isHeadless(spec) || isHeadless(old)) return [];
  const { ipFamilies: now = [], clusterIPs = [] } = spec;
  const { ipFamilies: before = [] } = old;
  if (now.length === before.length) {
    return before.flatMap((family, index) =>
      family === now[index] ? [] : [invalid(FAMILIES.index(0), now, FIXED)]
    );
  }
  const errors: FieldError[] = [];
  if (before.length > now.length && clusterIPs.length === 0) {
    errors.push(invalid(FAMILIES.index(0), now, "primary ipFamily can not be unset"));
  }
  if (before.length > 0 && now.length > 0 && now[0] !== before[0]) {
    errors.push(invalid(FAMILIES.index(0), clusterIPs, FIXED));
  }
  if (now.length === 1 && before.length === 2 && spec.ipFamilyPolicy !== "SingleStack") {
    const detail = "must be set to 'SingleStack' when releasing the secondary ipFamily";
    errors.push(invalid(POLICY, spec.ipFamilyPolicy, detail));
  }
  return errors;
}
