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
 * @throws {Error} If a value is incomplete, or its length is not encoded by the rules of DER.
 */
export function derValues(bytes: Buffer): DerValue[] {
  const found: DerValue[] = [];
  for (let at = 0; at < bytes.length;) {
    const { length, start } = lengthAt(bytes, at + 1);
    const end = start + length;
    if (end > bytes.length) throw syntaxError("data truncated");
    found.push({
      tag: bytes[at]!,
      content: bytes.subarray(start, end),
      whole: bytes.subarray(at, end),
    });
    at = end;
  }
  return found;
}

/**
 * Decodes the length of a DER value, and returns it with the offset of the value's first content
 * byte.
 *
 * @param at The offset of the first length byte.
 * @throws {Error} With the message of Go's `encoding/asn1` (`parseTagAndLength`), if the length is
 * incomplete or is not encoded by the rules of DER.
 */
function lengthAt(bytes: Buffer, at: number): { readonly length: number; readonly start: number } {
  const byteAt = (offset: number): number => {
    const byte = bytes[offset];
    if (byte === undefined) throw syntaxError("truncated tag or length");
    return byte;
  };
  const first = byteAt(at);
  if (first < 0x80) return { length: first, start: at + 1 };
  if (first === 0x80) throw syntaxError("indefinite length found (not DER)");
  const start = at + 1 + (first & 0x7f);
  let length = 0;
  for (let offset = at + 1; offset < start; offset++) {
    const byte = byteAt(offset);
    if (length >= 2 ** 23) throw structureError("length too large");
    length = length * 256 + byte;
    if (length === 0) throw structureError("superfluous leading zeros in length");
  }
  if (length < 0x80) throw structureError("non-minimal length");
  return { length, start };
}

function syntaxError(message: string): Error {
  return new Error(`asn1: syntax error: ${message}`);
}

function structureError(message: string): Error {
  return new Error(`asn1: structure error: ${message}`);
}
