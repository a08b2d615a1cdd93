import { isIP } from "node:net";

/** Returns the host of a URL without the brackets of an IPv6 address. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/**
 * Returns the 4 or 16 bytes of an IP address; `undefined` for another text. An IPv4-mapped IPv6
 * address is an IPv4 address, as in Go. The zone is ignored.
 */
export function addressBytes(address: string): Uint8Array | undefined {
  switch (isIP(address)) {
    case 4:
      return Uint8Array.from(address.split("."), Number);
    case 6: {
      const bytes = bytesOfIPv6(address.replace(/%.*/, ""));
      return MAPPED.every((byte, at) => bytes[at] === byte) ? bytes.subarray(12) : bytes;
    }
    default:
      return undefined;
  }
}

/** The first 12 bytes of IPv4-mapped IPv6 addresses, `::ffff:`. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/**
 * Returns the 16 bytes of an IPv6 address. The URL parser first brings the text into a canonical
 * form: without dotted parts, with `::` for zeros.
 */
function bytesOfIPv6(address: string): Uint8Array {
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text = ""): string[] => text === "" ? [] : text.split(":");
  const [before, after] = [groups(head), groups(tail)];
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  const bytes = [...before, ...zeros, ...after].flatMap((group) => {
    const number = parseInt(group, 16);
    return [number >> 8, number & 0xff];
  });
  return Uint8Array.from(bytes);
}

/**
 * Reports whether the first `length` bits of two addresses ({@linkcode addressBytes}) are equal;
 * `false` for an IPv4 and an IPv6 address, and when `length` exceeds the bits of an address.
 */
export function samePrefix(a: Uint8Array, b: Uint8Array, length: number): boolean {
  if (a.length !== b.length || length > a.length * 8) return false;
  const whole = length >> 3;
  for (let at = 0; at < whole; at++) {
    if (a[at] !== b[at]) return false;
  }
  const rest = 8 - (length & 7);
  return rest === 8 || a[whole]! >> rest === b[whole]! >> rest;
}

/**
 * Reports whether the bytes of an address ({@linkcode addressBytes}) are a loopback address:
 * `127.0.0.0/8` or `::1`.
 */
export function isLoopback(address: Uint8Array): boolean {
  return address.length === 4
    ? address[0] === 127
    : address.every((byte, at) => byte === (at === 15 ? 1 : 0));
}
