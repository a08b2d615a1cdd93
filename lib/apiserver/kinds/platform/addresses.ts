import {
  declared,
  type FieldError,
  FieldPath,
  invalid,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsSubdomainProblems,
  formatCidr,
  invalidForEach,
  isIpv6,
  parseCidr,
  pathSegmentNameProblems,
} from "@xca/apimachinery/internal/validation";
import { goQuote } from "@xca/apimachinery/internal/values";
import type { V1IPAddress, V1ServiceCIDR } from "@xca/apimachinery/kubernetes-types";
import { keepMetadata } from "../../machinery/keep_metadata.ts";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { declareImmutable, IMMUTABLE } from "../../validation/immutable.ts";
import { checkIp, checkLegacyCidr } from "../../validation/ip_fields.ts";

const PARENT = FieldPath.of("spec", "parentRef");
const RANGES = FieldPath.of("spec", "cidrs");

/**
 * The strategy of IPAddresses, which validates writes: an IPAddress is named by its address
 * (registry/networking/ipaddress, `Strategy`).
 */
export const ipAddressStrategy: KindStrategy = typedStrategy<V1IPAddress>({
  validateName: addressNameProblems,
  validateCreate: validateParent,
  validateUpdate: (address, old) => [
    ...validateParent(address),
    ...declareImmutable(address.spec?.parentRef, old.spec?.parentRef, PARENT),
  ],
});

function addressNameProblems(name: string): string[] {
  return checkIp(FieldPath.root, name).map(({ body }) => body.slice(body.indexOf(": must") + 2));
}

function validateParent({ spec }: V1IPAddress): FieldError[] {
  const parent = spec?.parentRef;
  if (!parent) return declared(required(PARENT));
  const { group, resource, namespace, name } = parent;
  const segment = (at: string, text: string | undefined, isRequired: boolean): FieldError[] => {
    if (!text) return isRequired ? declared(required(PARENT.child(at))) : [];
    return invalidForEach(PARENT.child(at), text, pathSegmentNameProblems(text, false));
  };
  return [
    ...group ? invalidForEach(PARENT.child("group"), group, dnsSubdomainProblems(group)) : [],
    ...segment("resource", resource, true),
    ...segment("name", name, true),
    ...segment("namespace", namespace, false),
  ];
}

/**
 * The strategy of ServiceCIDRs, which prepares objects for storage and validates writes
 * (registry/networking/servicecidr, `Strategy`).
 */
export const serviceCidrStrategy: KindStrategy = typedStrategy<V1ServiceCIDR>({
  prepareForCreate(range) {
    range.status = {};
  },
  validateCreate: ({ spec }) => validateRanges(spec?.cidrs ?? []),
  prepareForUpdate(range, old) {
    range.status = old.status ?? {};
  },
  validateUpdate: ({ spec }, old) => validateChange(spec?.cidrs ?? [], old.spec?.cidrs ?? []),
  status: {
    prepareForUpdate(range, old) {
      range.spec = old.spec ?? {};
      keepMetadata(range, old);
    },
  },
  metadataOfUpdate: "change",
});

function validateRanges(ranges: readonly string[]): FieldError[] {
  if (ranges.length === 0) return [required(RANGES, "at least one CIDR required")];
  if (ranges.length > 2) {
    return [invalid(RANGES, { CIDRs: ranges }, "may only hold up to 2 values")];
  }
  const errors = ranges.flatMap((text, index) => validateRange(text, RANGES.index(index)));
  const families = ranges.map(parseCidr).map((range) => range && isIpv6(range.address));
  if (ranges.length === 2 && families[0] !== undefined && families[0] === families[1]) {
    const detail = "may specify no more than one IP for each IP family, " +
      "i.e 192.168.0.0/24 and 2001:db8::/64";
    errors.push(invalid(RANGES, ranges, detail));
  }
  return errors;
}

function validateRange(text: string, path: FieldPath): FieldError[] {
  const errors = checkLegacyCidr(path, text);
  if (errors.length > 0) return errors;
  const canonical = formatCidr(parseCidr(text)!);
  const detail = `must be in canonical form (${goQuote(canonical)})`;
  return canonical === text ? [] : [invalid(path, text, detail)];
}

/**
 * Checks that an update of a ServiceCIDR leaves the ranges unchanged or adds a second range, of the
 * other IP family. Returns the field errors.
 */
function validateChange(ranges: readonly string[], old: readonly string[]): FieldError[] {
  const changed = (index: number): FieldError[] =>
    ranges[index] === old[index] ? [] : [invalid(RANGES.index(index), ranges[index], IMMUTABLE)];
  if (ranges.length === old.length) return old.flatMap((_, index) => changed(index));
  if (old.length === 1 && ranges.length === 2) return [...changed(0), ...validateRanges(ranges)];
  return [invalid(RANGES, ranges, IMMUTABLE)];
}
