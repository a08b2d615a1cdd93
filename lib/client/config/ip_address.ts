import { isIP } from "node:net";

/** A host as it stands in a URL, without the brackets of an IPv6 address. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/**
 * The bytes of an IP address, 4 or 16; `undefined` for anything else. IPv4 within IPv6 is IPv4, as in
 * Go; a zone does not count.
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

/** `::ffff:`, before an IPv4 address. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** By way of a URL, which has them in one form: no IPv4 tail, `::` for zeros. */
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

/** Whether the first `length` bits of two addresses are the same; addresses of two kinds never are. */
export function samePrefix(a: Uint8Array, b: Uint8Array, length: number): boolean {
  if (a.length !== b.length || length > a.length * 8) return false;
  const whole = length >> 3;
  for (let at = 0; at < whole; at++) {
    if (a[at] !== b[at]) return false;
  }
  const rest = 8 - (length & 7);
  return rest === 8 || a[whole]! >> rest === b[whole]! >> rest;
}

/** Whether an address means this machine itself: `127.0.0.0/8` or `::1`. */
export function isLoopback(address: Uint8Array): boolean {
  return address.length === 4
    ? address[0] === 127
    : address.every((byte, at) => byte === (at === 15 ? 1 : 0));
}
