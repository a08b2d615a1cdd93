/**
 * The part of ASN.1's DER that writing a certificate takes: each function gives one encoded value.
 * Reading is left to the runtime.
 *
 * @see ITU-T X.690
 * @module
 */

/** One encoded value. */
export type Der = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

function value(tag: number, ...parts: readonly Uint8Array[]): Der {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = [tag, ...lengthBytes(length)];
  const bytes = new Uint8Array(head.length + length);
  bytes.set(head);
  let at = head.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

/** A SEQUENCE of the given values. */
export function sequence(...values: readonly Uint8Array[]): Der {
  return value(0x30, ...values);
}

/** A SET of one value. */
export function setOf(only: Uint8Array): Der {
  return value(0x31, only);
}

/** A positive INTEGER from its bytes, the most significant first. */
export function integer(bytes: Uint8Array): Der {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const digits = bytes.subarray(start);
  return digits[0]! >= 0x80 ? value(0x02, Uint8Array.of(0), digits) : value(0x02, digits);
}

/** BOOLEAN true. */
export function yes(): Der {
  return value(0x01, Uint8Array.of(0xff));
}

/** An OBJECT IDENTIFIER, from `1.2.840.10045.2.1`. */
export function objectIdentifier(dotted: string): Der {
  const [first, second, ...rest] = dotted.split(".").map(Number);
  const bytes = [first! * 40 + second!];
  for (const arc of rest) {
    const digits = [arc % 128];
    for (let more = Math.floor(arc / 128); more > 0; more = Math.floor(more / 128)) {
      digits.unshift(0x80 | more % 128);
    }
    bytes.push(...digits);
  }
  return value(0x06, Uint8Array.from(bytes));
}

/** A UTF8String. */
export function utf8String(text: string): Der {
  return value(0x0c, encoder.encode(text));
}

/** An OCTET STRING. */
export function octetString(bytes: Uint8Array): Der {
  return value(0x04, bytes);
}

/** A BIT STRING; `unused` bits at the end of the last byte do not count. */
export function bitString(bytes: Uint8Array, unused = 0): Der {
  return value(0x03, Uint8Array.of(unused), bytes);
}

/** A value under the context-specific tag `number`, around other values. */
export function tagged(number: number, ...values: readonly Uint8Array[]): Der {
  return value(0xa0 | number, ...values);
}

/** A value under the context-specific tag `number`, its bytes as they are. */
export function taggedBytes(number: number, bytes: Uint8Array): Der {
  return value(0x80 | number, bytes);
}

/** A time in whole seconds: UTCTime to the year 2049, GeneralizedTime from then on (RFC 5280, 4.1.2.5). */
export function time(date: Date): Der {
  const digits = date.toISOString().replace(/\.\d+Z$/, "Z").replace(/[-:T]/g, "");
  return date.getUTCFullYear() < 2050
    ? value(0x17, encoder.encode(digits.slice(2)))
    : value(0x18, encoder.encode(digits));
}
