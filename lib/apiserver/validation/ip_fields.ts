/**
 * Validates fields with IP addresses and ranges (`util/validation/ip.go`, `IsValidIP`).
 *
 * @module
 */
import { type FieldError, type FieldPath, invalid } from "@xca/apimachinery/internal/errors";
import {
  formatCidr,
  formatIp,
  isIpv6,
  isLinkLocal,
  isLoopback,
  isUnspecified,
  networkOf,
  parseCidr,
  parseIp,
  sameIp,
} from "@xca/apimachinery/internal/validation";
import { goQuote } from "@xca/apimachinery/internal/values";

const NOT_AN_IP = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const NOT_A_CIDR = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/**
 * Returns the validation errors of an IP address, which may have any form except ambiguous ones:
 * with leading zeros, or mapped from IPv4 to IPv6. A value in `existing`, the stored values of the
 * field, is valid in any case.
 */
export function checkLegacyIp(
  path: FieldPath,
  value: string,
  existing: readonly string[] = [],
): FieldError[] {
  if (existing.includes(value)) return [];
  const address = parseIp(value);
  if (!address) return [invalid(path, value, NOT_AN_IP)];
  const errors: FieldError[] = [];
  if (address.leadingZeroes) errors.push(invalid(path, value, "must not have leading 0s"));
  if (address.mapped && !address.leadingZeroes) {
    errors.push(invalid(path, value, "must not be an IPv4-mapped IPv6 address"));
  }
  return errors;
}

/** Returns the validation errors of a value that must be an IP address in canonical form. */
export function checkIp(path: FieldPath, value: string): FieldError[] {
  const errors = checkLegacyIp(path, value);
  if (errors.length > 0) return errors;
  const canonical = formatIp(parseIp(value)!);
  if (canonical === value) return [];
  return [invalid(path, value, `must be in canonical form (${goQuote(canonical)})`)];
}

/**
 * Returns the validation errors of an IP range (CIDR), which may have any form except ambiguous
 * ones: with leading zeros, mapped from IPv4 to IPv6, or with bits beyond the prefix length. A
 * value in `existing`, the stored values of the field, is valid in any case.
 */
export function checkLegacyCidr(
  path: FieldPath,
  value: string,
  existing: readonly string[] = [],
): FieldError[] {
  if (existing.includes(value)) return [];
  const range = parseCidr(value);
  if (!range) return [invalid(path, value, NOT_A_CIDR)];
  if (range.leadingZeroes) {
    return [invalid(path, value, "must not have leading 0s in IP or prefix length")];
  }
  if (range.address.mapped) {
    return [invalid(path, value, "must not have an IPv4-mapped IPv6 address")];
  }
  if (!sameIp(networkOf(range), range.address)) {
    return [invalid(path, value, "must not have bits set beyond the prefix length")];
  }
  return [];
}

/** Returns the warnings about a valid IP address that is not canonical; empty for other values. */
export function ipWarnings(path: FieldPath, value: string): string[] {
  const address = parseIp(value);
  if (!address) return [];
  const canonical = goQuote(formatIp(address));
  if (address.leadingZeroes || address.mapped) {
    return [`${path}: non-standard IP address ${goQuote(value)} is invalid: use ${canonical}`];
  }
  if (isIpv6(address) && formatIp(address) !== value) {
    return [
      `${path}: IPv6 address ${
        goQuote(value)
      } should be in RFC 5952 canonical format (${canonical})`,
    ];
  }
  return [];
}

/**
 * Returns the warnings about a valid IP range (CIDR) that is not canonical; empty for other values.
 */
export function cidrWarnings(path: FieldPath, value: string): string[] {
  const range = parseCidr(value);
  if (!range) return [];
  const warnings: string[] = [];
  const quoted = goQuote(value);
  const canonical = goQuote(formatCidr(range));
  if (!sameIp(networkOf(range), range.address)) {
    const single = goQuote(`${formatIp(range.address)}/${range.address.bytes.length * 8}`);
    warnings.push(
      `${path}: CIDR value ${quoted} is ambiguous in this context (should be ${canonical} or ${single}?)`,
    );
  }
  if (range.leadingZeroes || range.address.mapped) {
    warnings.push(`${path}: non-standard CIDR value ${quoted} is invalid: use ${canonical}`);
  }
  if (warnings.length === 0 && isIpv6(range.address) && formatCidr(range) !== value) {
    warnings.push(
      `${path}: IPv6 CIDR value ${quoted} should be in RFC 5952 canonical format (${canonical})`,
    );
  }
  return warnings;
}

/**
 * Returns the validation errors of the IP address of an endpoint, or of one of the `externalIPs` of
 * a Service, which must not be unspecified, loopback, link-local or link-local multicast.
 */
export function checkEndpointIp(path: FieldPath, value: string): FieldError[] {
  const address = parseIp(value);
  if (!address) return [invalid(path, value, "must be a valid IP address")];
  const { bytes } = address;
  const six = isIpv6(address);
  const errors: FieldError[] = [];
  const refuse = (detail: string): void => void errors.push(invalid(path, value, detail));
  if (isUnspecified(address)) refuse(`may not be unspecified (${value})`);
  if (isLoopback(address)) {
    refuse("may not be in the loopback range (127.0.0.0/8, ::1/128)");
  }
  if (isLinkLocal(address)) {
    refuse("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  }
  const linkLocalMulticast = six
    ? bytes[0] === 0xff && (bytes[1]! & 0x0f) === 0x02
    : bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  if (linkLocalMulticast) {
    refuse("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  }
  return errors;
}
