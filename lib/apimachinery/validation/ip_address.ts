/**
 * Parses IP addresses and ranges leniently (leading zeros, IPv4 in IPv6), so that stored values
 * stay valid, while callers can reject these forms in new ones.
 *
 * Mirrors `utils/net/parse.go, ParseIPSloppy`.
 *
 * @module
 */

/** An IP address as 4 or 16 bytes; an IPv4-mapped IPv6 address has 4. */
export interface IpAddress {
  readonly bytes: readonly number[];
  /**
   * Reports whether the IP address was written as an IPv4-mapped IPv6 address, such as
   * `::ffff:1.2.3.4`.
   */
  readonly mapped: boolean;
  /**
   * Reports whether an octet of the IPv4 address, or of the IPv4 part of the IPv6 address, was
   * written with leading zeros.
   */
  readonly leadingZeroes: boolean;
}

/**
 * A range of IP addresses (CIDR): the address with which it was written, host bits included, and
 * the length of the prefix in bits. For an IPv4-mapped address, `prefix` counts from the first of
 * 128 bits.
 */
export interface IpRange {
  readonly address: IpAddress;
  readonly prefix: number;
  readonly leadingZeroes: boolean;
}

/** Parses an IPv4 or IPv6 address; `undefined` for an invalid text. */
export function parseIp(text: string): IpAddress | undefined {
  if (!text.includes(":")) return parseIpv4(text);
  const bytes = parseIpv6(text);
  if (!bytes) return undefined;
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 255 && bytes[11] === 255;
  const tail = text.slice(text.lastIndexOf(":") + 1);
  const leadingZeroes = tail.includes(".") && parseIpv4(tail)!.leadingZeroes;
  return { bytes: mapped ? bytes.slice(12) : bytes, mapped, leadingZeroes };
}

const IPV4 = /^([0-9]+)\.([0-9]+)\.([0-9]+)\.([0-9]+)$/;

function parseIpv4(text: string): IpAddress | undefined {
  const [, ...parts] = IPV4.exec(text) ?? [];
  if (parts.length === 0) return undefined;
  const bytes = parts.map(Number);
  if (bytes.some((byte) => byte > 255)) return undefined;
  const leadingZeroes = parts.some((part) => part.length > 1 && part.startsWith("0"));
  return { bytes, mapped: false, leadingZeroes };
}

function parseIpv6(text: string): number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, at) => wordsOf(half, at === halves.length - 1));
  if (!head || (halves.length === 2 && !tail)) return undefined;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const words = [...head, ...new Array<number>(missing).fill(0), ...tail ?? []];
  return words.flatMap((word) => [word >> 8, word & 255]);
}

/**
 * Parses the 16-bit words of one half of an IPv6 address, such as `a:b:c`; the last word may be an
 * IPv4 address, which makes two words.
 */
function wordsOf(half: string, mayEndInIpv4: boolean): number[] | undefined {
  if (half === "") return [];
  const words: number[] = [];
  const parts = half.split(":");
  for (const [at, part] of parts.entries()) {
    if (mayEndInIpv4 && at === parts.length - 1 && part.includes(".")) {
      const bytes = parseIpv4(part)?.bytes;
      if (!bytes) return undefined;
      words.push(bytes[0]! * 256 + bytes[1]!, bytes[2]! * 256 + bytes[3]!);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) words.push(parseInt(part, 16));
    else return undefined;
  }
  return words;
}

/** Reports whether an IP address is IPv6 and not IPv4-mapped. */
export function isIpv6(address: IpAddress): boolean {
  return address.bytes.length === 16;
}

/** Reports whether an address is the unspecified one, `0.0.0.0` or `::`. */
export function isUnspecified({ bytes }: IpAddress): boolean {
  return bytes.every((byte) => byte === 0);
}

/** Reports whether an address is in the loopback range, `127.0.0.0/8` or `::1`. */
export function isLoopback(address: IpAddress): boolean {
  const { bytes } = address;
  if (!isIpv6(address)) return bytes[0] === 127;
  return bytes.slice(0, -1).every((byte) => byte === 0) && bytes.at(-1) === 1;
}

/** Reports whether an address is a link-local unicast one, of `169.254.0.0/16` or `fe80::/10`. */
export function isLinkLocal(address: IpAddress): boolean {
  const [first, second] = address.bytes as [number, number];
  return isIpv6(address)
    ? first === 0xfe && (second & 0xc0) === 0x80
    : first === 169 && second === 254;
}

/** Formats an IP address in canonical form (IPv6 by RFC 5952). */
export function formatIp({ bytes }: Pick<IpAddress, "bytes">): string {
  if (bytes.length === 4) return bytes.join(".");
  const words = Array.from({ length: 8 }, (_, at) => bytes[2 * at]! * 256 + bytes[2 * at + 1]!);
  const gap = longestZeroRun(words);
  const hex = (part: readonly number[]): string => part.map((word) => word.toString(16)).join(":");
  if (!gap) return hex(words);
  return `${hex(words.slice(0, gap.start))}::${hex(words.slice(gap.end))}`;
}

function longestZeroRun(words: readonly number[]): { start: number; end: number } | undefined {
  let longest: { start: number; end: number } | undefined;
  for (let start = 0; start < words.length; start++) {
    let end = start;
    while (end < words.length && words[end] === 0) end++;
    if (end - start >= 2 && end - start > (longest ? longest.end - longest.start : 0)) {
      longest = { start, end };
    }
    start = Math.max(start, end);
  }
  return longest;
}

/** Parses an IP range, such as `10.0.0.0/24`; `undefined` for an invalid text. */
export function parseCidr(text: string): IpRange | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  const address = parseIp(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (!address || !/^[0-9]{1,4}$/.test(digits)) return undefined;
  const prefix = Number(digits);
  if (prefix > (address.mapped ? 128 : address.bytes.length * 8)) return undefined;
  const leadingZeroes = address.leadingZeroes || (digits.length > 1 && digits.startsWith("0"));
  return { address, prefix, leadingZeroes };
}

/** Returns the first address of an IP range. */
export function networkOf({ address, prefix }: IpRange): IpAddress {
  const bits = address.mapped ? Math.max(0, prefix - 96) : prefix;
  const bytes = address.bytes.map((byte, at) => {
    const kept = Math.min(8, Math.max(0, bits - at * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return { ...address, bytes };
}

/** Formats an IP range in canonical form: its first address and its prefix. */
export function formatCidr(range: IpRange): string {
  const prefix = range.address.mapped ? Math.max(0, range.prefix - 96) : range.prefix;
  return `${formatIp(networkOf(range))}/${prefix}`;
}

/**
 * Reports whether two IP addresses are the same; an IPv4-mapped address is the same as its IPv4
 * address.
 */
export function sameIp(a: IpAddress, b: IpAddress): boolean {
  return a.bytes.length === b.bytes.length && a.bytes.every((byte, at) => byte === b.bytes[at]);
}

/**
 * Reports whether an IP range contains an address; `false` for an address of the other family.
 * IPv4-mapped addresses and ranges count as IPv4.
 */
export function rangeHolds(range: IpRange, address: IpAddress): boolean {
  return range.address.bytes.length === address.bytes.length &&
    sameIp(
      networkOf({ ...range, address: { ...address, mapped: range.address.mapped } }),
      networkOf(range),
    );
}
