import { pemBlocks } from "./pem.ts";

/**
 * The ASN.1 tag of an INTEGER. The constants below it are the other tags of certificates and keys
 * (ITU-T X.690).
 */
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const SEQUENCE = 0x30;
const VERSION = 0xa0;
/** The ASN.1 tag of the element with the public key in an EC private key (RFC 5915). */
const PUBLIC_KEY = 0xa1;

interface Value {
  readonly tag: number;
  readonly content: Uint8Array;
}

/**
 * Reports whether a private key contains the public key of a certificate, both as PEM text: the
 * modulus of RSA, or the point of a curve. This comparison takes a fraction of the time that
 * loading `node:crypto` takes, with which the caller compares other keys.
 *
 * @returns `false` when the keys differ, or cannot be compared.
 */
export function carriesKeyOf(certificate: string, key: string): boolean {
  const certified = certifiedKey(pemBlocks(certificate)[0]?.bytes);
  const own = publicKeyOf(pemBlocks(key)[0]?.bytes);
  return certified !== undefined && own !== undefined && isSame(certified, own);
}

/**
 * Returns the public key in the DER bytes of a certificate (RFC 5280): the modulus of RSA, or the
 * bits of another key; `undefined` when there is none.
 */
function certifiedKey(bytes: Uint8Array | undefined): Uint8Array | undefined {
  const [toBeSigned] = sequenceIn(bytes) ?? [];
  const fields = valuesIn(toBeSigned?.content) ?? [];
  const first = fields[0]?.tag === VERSION ? 1 : 0;
  // serial number, signature, issuer, validity, subject, subjectPublicKeyInfo
  const [, bits] = valuesIn(fields[first + 5]?.content) ?? [];
  if (bits?.tag !== BIT_STRING || bits.content[0] !== 0) return undefined;
  const key = bits.content.subarray(1);
  const [modulus] = sequenceIn(key) ?? [];
  return modulus?.tag === INTEGER ? modulus.content : key;
}

/**
 * Returns the public key that the DER bytes of a private key contain, within PKCS #8 or not (RFC
 * 5208, RFC 8017, RFC 5915): the modulus of RSA, or the bits of an EC key; `undefined` when there
 * is none.
 */
function publicKeyOf(bytes: Uint8Array | undefined): Uint8Array | undefined {
  const fields = sequenceIn(bytes) ?? [];
  const [version, second, third] = fields;
  if (version?.tag !== INTEGER) return undefined;
  if (second?.tag === SEQUENCE && third?.tag === OCTET_STRING) return publicKeyOf(third.content);
  if (second?.tag === INTEGER) return second.content;
  const [bits] = valuesIn(fields.find(({ tag }) => tag === PUBLIC_KEY)?.content) ?? [];
  return bits?.tag === BIT_STRING && bits.content[0] === 0 ? bits.content.subarray(1) : undefined;
}

/** Returns the values inside an ASN.1 SEQUENCE; `undefined` when the bytes are not one SEQUENCE. */
function sequenceIn(bytes: Uint8Array | undefined): Value[] | undefined {
  const [only, more] = valuesIn(bytes) ?? [];
  return only?.tag === SEQUENCE && !more ? valuesIn(only.content) : undefined;
}

/**
 * Returns the consecutive ASN.1 values in DER bytes; `undefined` when the last one is incomplete.
 */
function valuesIn(bytes: Uint8Array | undefined): Value[] | undefined {
  if (!bytes) return undefined;
  const values: Value[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = bytes[at]!;
    let length = bytes[at + 1] ?? 0;
    at += 2;
    if (length > 0x80) {
      const count = length & 0x7f;
      length = 0;
      for (const byte of bytes.subarray(at, at + count)) length = length * 256 + byte;
      at += count;
    }
    if (at + length > bytes.length) return undefined;
    values.push({ tag, content: bytes.subarray(at, at + length) });
    at += length;
  }
  return values;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length > 0 && a.length === b.length && a.every((byte, at) => byte === b[at]);
}
