import { type FieldError, FieldPath, invalid } from "@xca/apimachinery/internal/errors";
import { validateClusterIps } from "./service_cluster_ip_validation.ts";
import {
  familyOf,
  needsClusterIp,
  NO_CLUSTER_IP,
  sameTexts,
  type ServiceSpec,
} from "./service_fields.ts";

type Family = "IPv4" | "IPv6";

const SPEC = FieldPath.of("spec");
const POLICY = SPEC.child("ipFamilyPolicy");

/**
 * Sets the IP family policy and the IP families of a Service in a single-stack cluster, in place
 * (`core/service/storage/alloc.go`, `Allocators.initIPFamilyFields`).
 *
 * @returns The errors why the families cannot be determined; none if they can.
 */
export function settleFamilies(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  clusterFamily: Family,
): FieldError[] {
  if (spec.type === "ExternalName" || keepsPreferredFamilies(spec, old)) return [];
  const isPlainName = spec.clusterIP === NO_CLUSTER_IP && !hasSelector(spec);
  spec.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? (isPlainName ? "RequireDualStack" : "SingleStack");

  const unfit = validateClusterIps(spec, old);
  if (unfit.length > 0) return unfit;
  const errors = [
    ...(old ? settleRelease(spec, old) : []),
    ...refuseTwoOfOne(spec),
    ...inferFamilies(spec, clusterFamily),
  ];
  if (errors.length > 0) return errors;
  if (isPlainName) {
    settlePlainName(spec, clusterFamily);
    return [];
  }
  return settleForCluster(spec, clusterFamily);
}

function hasSelector({ selector }: ServiceSpec): boolean {
  return Object.keys(selector ?? {}).length > 0;
}

/**
 * Reports whether an update of a Service with the policy `PreferDualStack` leaves its type, policy,
 * cluster IPs and IP families unchanged.
 */
function keepsPreferredFamilies(spec: ServiceSpec, old: ServiceSpec | undefined): boolean {
  if (!old || old.type !== spec.type || !needsClusterIp(spec)) return false;
  if (spec.ipFamilyPolicy !== "PreferDualStack") return false;
  if (old.ipFamilyPolicy !== undefined && old.ipFamilyPolicy !== "PreferDualStack") return false;
  return sameTexts(spec.clusterIPs, old.clusterIPs) && sameTexts(spec.ipFamilies, old.ipFamilies);
}

/**
 * Removes the second cluster IP and IP family of a Service with the policy `SingleStack`, in place,
 * as far as the update leaves them unchanged. Returns errors for an update that removes them under
 * another policy.
 */
function settleRelease(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  if (spec.ipFamilyPolicy === "SingleStack") {
    if (sameTexts(clusterIPs, old.clusterIPs) && clusterIPs.length > 1) {
      spec.clusterIPs = clusterIPs.slice(0, 1);
    }
    if (sameTexts(ipFamilies, old.ipFamilies) && ipFamilies.length > 1) {
      spec.ipFamilies = ipFamilies.slice(0, 1);
    }
    return [];
  }
  const errors: FieldError[] = [];
  const refuse = (what: string): void => {
    const detail = `must be 'SingleStack' to release the secondary ${what}`;
    errors.push(invalid(POLICY, spec.ipFamilyPolicy, detail));
  };
  const reduced = (now: readonly string[], before: readonly string[] = []): boolean =>
    now.length > 0 && now.length < before.length;
  if (reduced(clusterIPs, old.clusterIPs)) refuse("cluster IP");
  if (reduced(ipFamilies, old.ipFamilies)) refuse("IP family");
  return errors;
}

function refuseTwoOfOne({ ipFamilyPolicy, clusterIPs, ipFamilies }: ServiceSpec): FieldError[] {
  if (ipFamilyPolicy !== "SingleStack") return [];
  const errors: FieldError[] = [];
  const refuse = (what: string): void => {
    const detail = "must be 'RequireDualStack' or 'PreferDualStack' when multiple " +
      `${what} are specified`;
    errors.push(invalid(POLICY, ipFamilyPolicy, detail));
  };
  if (clusterIPs?.length === 2) refuse("cluster IPs");
  if (ipFamilies?.length === 2) refuse("IP families");
  return errors;
}

/**
 * Appends to a Service's IP families, in place, those of its requested cluster IPs for which it
 * states no family, up to the first `None`. Returns an error for each address of a family that the
 * cluster does not have, whose family is not appended.
 */
function inferFamilies(spec: ServiceSpec, clusterFamily: Family): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, address] of (spec.clusterIPs ?? []).entries()) {
    if (address === NO_CLUSTER_IP) break;
    if (index < (spec.ipFamilies ?? []).length) continue;
    const family = familyOf(address);
    if (family === clusterFamily) spec.ipFamilies = [...spec.ipFamilies ?? [], family];
    else {
      const path = SPEC.child("clusterIPs").index(index);
      errors.push(invalid(path, spec.clusterIPs, `${family} is not configured on this cluster`));
    }
  }
  return errors;
}

/**
 * Sets the IP families of a headless Service without selector, which may have both in every
 * cluster: those that it states or else that of the cluster, and the other one unless the policy is
 * `SingleStack`.
 */
function settlePlainName(spec: ServiceSpec, clusterFamily: Family): void {
  const families = spec.ipFamilies?.length ? spec.ipFamilies : [clusterFamily];
  spec.ipFamilies = families.length < 2 && spec.ipFamilyPolicy !== "SingleStack"
    ? [families[0]!, families[0] === "IPv4" ? "IPv6" : "IPv4"]
    : families;
}

function settleForCluster(spec: ServiceSpec, clusterFamily: Family): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.ipFamilyPolicy === "RequireDualStack") {
    const detail = "this cluster is not configured for dual-stack services";
    errors.push(invalid(POLICY, spec.ipFamilyPolicy, detail));
  }
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (family === clusterFamily) continue;
    const path = SPEC.child("ipFamilies").index(index);
    errors.push(invalid(path, family, "not configured on this cluster"));
  }
  if (errors.length === 0 && !spec.ipFamilies?.length) spec.ipFamilies = [clusterFamily];
  return errors;
}
