/**
 * Decoding of ASN.1 values in DER, for values that the runtime does not decode.
 *
 * @see ITU-T X.690
 * @module
 */
import type { Buffer } from "node:buffer";

/**
 * A record of the tag bytes of ASN.1 values that certificates and certification requests contain.
 */
export const TAG = { bitString: 0x03, octetString: 0x04, sequence: 0x30 } as const;

/** A decoded DER value. */
export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  /** The bytes of the DER value, including its tag and length. */
  readonly whole: Buffer;
}

/**
 * Returns the consecutive DER values of a buffer.
 *
 * @throws {Error} If the last value is incomplete.
 */
export function derValues(bytes: Buffer): DerValue[] {
  const found: DerValue[] = [];
  for (let at = 0; at < bytes.length;) {
    let length = bytes[at + 1]!;
    let start = at + 2;
    if (length > 0x80) {
      const digits = length - 0x80;
      if (digits > 4 || start + digits > bytes.length) throw truncated();
      length = bytes.readUIntBE(start, digits);
      start += digits;
    }
    const end = start + length;
    if (!(end <= bytes.length)) throw truncated();
    found.push({
      tag: bytes[at]!,
      content: bytes.subarray(start, end),
      whole: bytes.subarray(at, end),
    });
    at = end;
  }
  return found;
}

function truncated(): Error {
  return new Error("asn1: syntax error: data truncated");
}
