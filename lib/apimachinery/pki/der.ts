/**
 * Encoding of the ASN.1 values that certificates contain, in DER. Each function returns one encoded
 * value. The runtime decodes certificates.
 *
 * @see ITU-T X.690
 * @module
 */

/** A DER-encoded ASN.1 value. */
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

/** Encodes an ASN.1 SEQUENCE of values in DER. */
export function sequence(...values: readonly Uint8Array[]): Der {
  return value(0x30, ...values);
}

/** Encodes an ASN.1 SET OF values in DER, and sorts the values by their bytes. */
export function setOf(...values: readonly Uint8Array[]): Der {
  return value(0x31, ...values.toSorted(compareBytes));
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? -1);
}

/** Encodes a positive ASN.1 INTEGER in DER from its bytes, the most significant first. */
export function integer(bytes: Uint8Array): Der {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const digits = bytes.subarray(start);
  return digits[0]! >= 0x80 ? value(0x02, Uint8Array.of(0), digits) : value(0x02, digits);
}

/** Encodes the ASN.1 BOOLEAN true in DER. */
export function yes(): Der {
  return value(0x01, Uint8Array.of(0xff));
}

/** Encodes the ASN.1 NULL in DER. */
export function nothing(): Der {
  return value(0x05);
}

/** Encodes an ASN.1 OBJECT IDENTIFIER in DER from its dotted form, such as `1.2.840.10045.2.1`. */
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

/** Encodes an ASN.1 UTF8String in DER. */
export function utf8String(text: string): Der {
  return value(0x0c, encoder.encode(text));
}

/**
 * Encodes a text in DER as Go's `encoding/asn1` does: as a PrintableString if it can be one, else
 * as a UTF8String.
 */
export function directoryString(text: string): Der {
  return /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text)
    ? value(0x13, encoder.encode(text))
    : utf8String(text);
}

/** Encodes an ASN.1 OCTET STRING in DER. */
export function octetString(bytes: Uint8Array): Der {
  return value(0x04, bytes);
}

/**
 * Encodes an ASN.1 BIT STRING in DER. The last `unused` bits of the last byte are not part of the
 * string.
 */
export function bitString(bytes: Uint8Array, unused = 0): Der {
  return value(0x03, Uint8Array.of(unused), bytes);
}

/** Encodes a constructed ASN.1 value with the context-specific tag `number` in DER. */
export function tagged(number: number, ...values: readonly Uint8Array[]): Der {
  return value(0xa0 | number, ...values);
}

/** Encodes a primitive ASN.1 value with the context-specific tag `number` in DER. */
export function taggedBytes(number: number, bytes: Uint8Array): Der {
  return value(0x80 | number, bytes);
}

/**
 * Encodes an ASN.1 time in whole seconds in DER: UTCTime until 2049, GeneralizedTime from 2050 on
 * (RFC 5280, 4.1.2.5).
 */
export function time(date: Date): Der {
  const digits = date.toISOString().replace(/\.\d+Z$/, "Z").replace(/[-:T]/g, "");
  return date.getUTCFullYear() < 2050
    ? value(0x17, encoder.encode(digits.slice(2)))
    : value(0x18, encoder.encode(digits));
}
