// Mirrors `cel/library/ip.go, IP`.
import { goQuote } from "../../values/go_text.ts";
import {
  formatIp,
  type IpAddress,
  networkOf,
  parseIp,
  rangeHolds,
  sameIp,
} from "../../validation/ip_address.ts";
import { type Library, namedType } from "../declarations.ts";
import type { CelType } from "../types/cel_type.ts";
import { CelError, CelObject, type CelValue } from "../values/value.ts";

/** The CEL value of an IP address. */
class Ip extends CelObject {
  override readonly type: CelType = namedType("net.IP");
  override readonly size: number;

  constructor(readonly address: IpAddress) {
    super();
    this.size = address.bytes.length;
  }

  override equals(other: CelObject): boolean {
    return sameIp(this.address, (other as Ip).address);
  }

  override toString(): string {
    return formatIp(this.address);
  }
}

/**
 * The CEL value of an IP range (CIDR): an address, whose host bits may be set, and a prefix length.
 */
class Cidr extends CelObject {
  override readonly type: CelType = namedType("net.CIDR");
  override readonly size: number;

  constructor(readonly address: IpAddress, readonly prefix: number) {
    super();
    this.size = Math.ceil(prefix / 8);
  }

  override equals(other: CelObject): boolean {
    const { address, prefix } = other as Cidr;
    return sameIp(this.address, address) && this.prefix === prefix;
  }

  override toString(): string {
    return `${formatIp(this.address)}/${this.prefix}`;
  }

  get range(): { address: IpAddress; prefix: number; leadingZeroes: boolean } {
    return { address: this.address, prefix: this.prefix, leadingZeroes: false };
  }

  contains(address: IpAddress): boolean {
    return rangeHolds(this.range, address);
  }
}

/**
 * Returns the error message for a text that is not an IP address, which begins with `ParseAddr`
 * like that of Go's `netip` package. Only for IPv4 does it state the exact reason.
 */
function parseProblem(text: string): string {
  const fail = (why: string): string => `ParseAddr(${goQuote(text)}): ${why}`;
  if (text.includes(":") || !text.includes(".")) return fail("unable to parse IP");
  const fields = text.split(".");
  const odd = text.search(/[^0-9.]/);
  if (odd >= 0) return fail(`unexpected character (at ${goQuote(text.slice(odd))})`);
  if (fields.some((field) => field === "")) {
    return fail("IPv4 field must have at least one digit");
  }
  if (fields.some((field) => field.length > 1 && field.startsWith("0"))) {
    return fail("IPv4 field has octet with leading zero");
  }
  if (fields.some((field) => Number(field) > 255)) return fail("IPv4 field has value >255");
  return fail(fields.length < 4 ? "IPv4 address too short" : "IPv4 address too long");
}

function toIp(text: string): Ip | CelError {
  const [bare = ""] = text.split("%", 1);
  const parsed = parseIp(bare);
  if (!parsed || parsed.leadingZeroes || (text.includes("%") && !text.includes(":"))) {
    return new CelError(
      `IP Address ${goQuote(text)} parse error during conversion from string: ${
        parseProblem(text)
      }`,
    );
  }
  if (bare !== text) {
    return new CelError(`IP address ${goQuote(text)} with zone value is not allowed`);
  }
  if (parsed.mapped) {
    return new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  }
  return new Ip(parsed);
}

const CIDR_ERROR = "network address parse error during conversion from string: ";

function toCidr(text: string): Cidr | CelError {
  const fail = (why: string): CelError =>
    new CelError(`${CIDR_ERROR}${CIDR_ERROR}netip.ParsePrefix(${goQuote(text)}): ${why}`);
  const slash = text.lastIndexOf("/");
  if (slash < 0) return fail("no '/'");
  const address = text.slice(0, slash);
  const parsed = parseIp(address);
  if (!parsed || parsed.leadingZeroes) return fail(parseProblem(address));
  const bits = text.slice(slash + 1);
  if (!/^(0|[1-9]\d*)$/.test(bits)) return fail(`bad bits after slash: ${goQuote(bits)}`);
  const prefix = Number(bits);
  if (prefix > (parsed.mapped ? 128 : parsed.bytes.length * 8)) {
    return fail("prefix length out of range");
  }
  if (parsed.mapped) {
    return new CelError(`${CIDR_ERROR}IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  }
  return new Cidr(parsed, prefix);
}

function bytes(value: CelValue | undefined): readonly number[] {
  return (value as Ip).address.bytes;
}

function isUnspecified(all: readonly number[]): boolean {
  return all.every((byte) => byte === 0);
}

function isLoopback(all: readonly number[]): boolean {
  return all.length === 4
    ? all[0] === 127
    : all.slice(0, 15).every((byte) => byte === 0) && all[15] === 1;
}

function isMulticast(all: readonly number[]): boolean {
  return all.length === 4 ? (all[0]! & 0xf0) === 0xe0 : all[0] === 0xff;
}

function isLinkLocalMulticast(all: readonly number[]): boolean {
  return all.length === 4
    ? all[0] === 224 && all[1] === 0 && all[2] === 0
    : all[0] === 0xff && (all[1]! & 0x0f) === 2;
}

function isLinkLocalUnicast(all: readonly number[]): boolean {
  return all.length === 4
    ? all[0] === 169 && all[1] === 254
    : all[0] === 0xfe && (all[1]! & 0xc0) === 0x80;
}

function isGlobalUnicast(all: readonly number[]): boolean {
  return !isUnspecified(all) && !isLoopback(all) && !isMulticast(all) &&
    !isLinkLocalUnicast(all) && all.some((byte) => byte !== 255 || all.length !== 4);
}

function containsIp(range: CelValue | undefined, ip: Ip | CelError): CelValue {
  // kube-apiserver discards the reason why the address is invalid.
  if (ip instanceof CelError) return new CelError("no such overload");
  return (range as Cidr).contains(ip.address);
}

function containsCidr(range: CelValue | undefined, part: Cidr | CelError): CelValue {
  if (part instanceof CelError) return part;
  const { prefix } = range as Cidr;
  return prefix <= part.prefix && (range as Cidr).contains(part.address);
}

/** The CEL library of functions for IP addresses and ranges. */
export const NETWORKS: Library = {
  signatures: `
    ip string_to_ip(string) net.IP
    family ip_family.(net.IP) int
    ip.isCanonical ip_is_canonical(string) bool
    isUnspecified ip_is_unspecified.(net.IP) bool
    isLoopback ip_is_loopback.(net.IP) bool
    isLinkLocalMulticast ip_is_link_local_multicast.(net.IP) bool
    isLinkLocalUnicast ip_is_link_local_unicast.(net.IP) bool
    isGlobalUnicast ip_is_global_unicast.(net.IP) bool
    isIP is_ip(string) bool
    string ip_to_string(net.IP) string
    cidr string_to_cidr(string) net.CIDR
    containsIP cidr_contains_ip_string.(net.CIDR, string) bool
    containsIP cidr_contains_ip_ip.(net.CIDR, net.IP) bool
    containsCIDR cidr_contains_cidr_string.(net.CIDR, string) bool
    containsCIDR cidr_contains_cidr.(net.CIDR, net.CIDR) bool
    ip cidr_ip.(net.CIDR) net.IP
    prefixLength cidr_prefix_length.(net.CIDR) int
    masked cidr_masked.(net.CIDR) net.CIDR
    isCIDR is_cidr(string) bool
    string cidr_to_string(net.CIDR) string`,
  implementations: {
    string_to_ip: (text) => toIp(text as string),
    ip_family: (ip) => bytes(ip).length === 4 ? 4n : 6n,
    ip_is_canonical: (text) => {
      const ip = toIp(text as string);
      return ip instanceof CelError ? ip : String(ip) === text;
    },
    ip_is_unspecified: (ip) => isUnspecified(bytes(ip)),
    ip_is_loopback: (ip) => isLoopback(bytes(ip)),
    ip_is_link_local_multicast: (ip) => isLinkLocalMulticast(bytes(ip)),
    ip_is_link_local_unicast: (ip) => isLinkLocalUnicast(bytes(ip)),
    ip_is_global_unicast: (ip) => isGlobalUnicast(bytes(ip)),
    is_ip: (text) => toIp(text as string) instanceof Ip,
    ip_to_string: (ip) => String(ip as Ip),
    string_to_cidr: (text) => toCidr(text as string),
    cidr_contains_ip_string: (range, text) => containsIp(range, toIp(text as string)),
    cidr_contains_ip_ip: (range, ip) => containsIp(range, ip as Ip),
    cidr_contains_cidr_string: (range, text) => containsCidr(range, toCidr(text as string)),
    cidr_contains_cidr: (range, part) => containsCidr(range, part as Cidr),
    cidr_ip: (range) => new Ip((range as Cidr).address),
    cidr_prefix_length: (range) => BigInt((range as Cidr).prefix),
    cidr_masked: (range) => new Cidr(networkOf((range as Cidr).range), (range as Cidr).prefix),
    is_cidr: (text) => toCidr(text as string) instanceof Cidr,
    cidr_to_string: (range) => String(range as Cidr),
  },
};
