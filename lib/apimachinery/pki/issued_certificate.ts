// Mirrors `controller/certificates/authority/authority.go, CertificateAuthority.Sign` and
// `controller/certificates/authority/policies.go, PermissiveSigningPolicy`.
import type { Buffer } from "node:buffer";
import { createPrivateKey, type KeyObject, sign, X509Certificate } from "node:crypto";
import { extension, ID, serialNumber } from "./certificate.ts";
import type { CertificationRequest } from "./certification_request.ts";
import {
  bitString,
  type Der,
  integer,
  nothing,
  objectIdentifier,
  sequence,
  tagged,
  taggedBytes,
  time,
} from "./der.ts";
import { derValues } from "./der_reader.ts";
import { type PemPair, pemText } from "./pem.ts";

const MINUTE_MS = 60_000;
/** The time before now at which an issued certificate begins to be valid, in milliseconds. */
const BACKDATE_MS = 5 * MINUTE_MS;
/**
 * The validity in milliseconds from which on the backdated time counts as a part of the validity.
 */
const SHORT_MS = 8 * 60 * MINUTE_MS;

/**
 * Options of {@linkcode issueCertificate}, which signs a certificate for a certification request.
 */
export interface IssueOptions {
  /** The usages of the certificate's key, by the names of `certificates.k8s.io`. */
  readonly usages: readonly string[];
  readonly now: Date;
  /**
   * The validity of the certificate, in milliseconds: counted from `now` if it is shorter than
   * eight hours, otherwise from five minutes before `now`, when the certificate begins to be valid.
   * The certificate never outlives that of the authority.
   */
  readonly validityMs: number;
}

/**
 * A record of the bit numbers of key usages in the extension keyUsage (RFC 5280, 4.2.1.3), by their
 * names in `certificates.k8s.io`.
 */
const KEY_USAGE_BITS: Readonly<Record<string, number>> = {
  signing: 0,
  "digital signature": 0,
  "content commitment": 1,
  "key encipherment": 2,
  "data encipherment": 3,
  "key agreement": 4,
  "cert sign": 5,
  "crl sign": 6,
  "encipher only": 7,
  "decipher only": 8,
};

/**
 * A record of the object identifiers of key usages in the extension extKeyUsage (RFC 5280,
 * 4.2.1.12), by their names in `certificates.k8s.io`.
 */
const EXTENDED_USAGES: Readonly<Record<string, string>> = {
  any: "2.5.29.37.0",
  "server auth": ID.serverAuth,
  "client auth": ID.clientAuth,
  "code signing": "1.3.6.1.5.5.7.3.3",
  "email protection": "1.3.6.1.5.5.7.3.4",
  "s/mime": "1.3.6.1.5.5.7.3.4",
  "ipsec end system": "1.3.6.1.5.5.7.3.5",
  "ipsec tunnel": "1.3.6.1.5.5.7.3.6",
  "ipsec user": "1.3.6.1.5.5.7.3.7",
  timestamping: "1.3.6.1.5.5.7.3.8",
  "ocsp signing": "1.3.6.1.5.5.7.3.9",
  "microsoft sgc": "1.3.6.1.4.1.311.10.3.3",
  "netscape sgc": "2.16.840.1.113730.4.1",
};

/**
 * Returns the certificate (X.509 version 3, as PEM text) that an authority issues for a
 * certification request: with the subject, names and key of the request, and the usages of the
 * options. The authority has an RSA, ECDSA or Ed25519 key.
 *
 * @throws {Error} When the authority has expired, cannot be read or has another kind of key, or a
 * usage is unknown.
 */
export function issueCertificate(
  request: CertificationRequest,
  authority: PemPair,
  options: IssueOptions,
): string {
  const certificate = new X509Certificate(authority.cert);
  const key = createPrivateKey(authority.key);
  const [notBefore, notAfter] = validityOf(options, new Date(certificate.validTo));
  const { algorithm, hash } = signatureOf(key);
  const { subject, keyIdentifier } = issuerOf(certificate);
  const body = sequence(
    tagged(0, integer(Uint8Array.of(2))),
    integer(serialNumber()),
    algorithm,
    subject,
    sequence(time(notBefore), time(notAfter)),
    request.subject,
    request.publicKey,
    tagged(3, sequence(...extensionsOf(request, options.usages, keyIdentifier))),
  );
  return pemText("CERTIFICATE", sequence(body, algorithm, bitString(sign(hash, body, key))));
}

/**
 * Returns the start and the end of an issued certificate's validity.
 *
 * @throws {Error} When the authority's certificate has expired.
 */
function validityOf({ now, validityMs }: IssueOptions, authorityEnd: Date): [Date, Date] {
  const notBeforeMs = now.getTime() - BACKDATE_MS;
  if (now >= authorityEnd) {
    throw new Error(
      `refusing to sign a certificate that expired in the past: NotAfter=${authorityEnd.toISOString()}`,
    );
  }
  const endMs = validityMs < SHORT_MS ? now.getTime() + validityMs : notBeforeMs + validityMs;
  return [new Date(notBeforeMs), new Date(Math.min(endMs, authorityEnd.getTime()))];
}

/** Returns the subject of an authority in DER, and the identifier of its key if it has one. */
function issuerOf({ raw }: X509Certificate): { subject: Buffer; keyIdentifier?: Buffer } {
  const [body] = derValues(derValues(raw)[0]!.content);
  const fields = derValues(body!.content);
  const subject = fields[5]!.whole;
  const list = fields.find(({ tag }) => tag === 0xa3);
  const extensions = list
    ? derValues(derValues(list.content)[0]!.content).map(({ content }) => derValues(content))
    : [];
  const wanted = derValues(objectIdentifier(ID.subjectKeyIdentifier) as never)[0]!.content;
  const own = extensions.find(([id]) => id!.content.equals(wanted))?.at(-1);
  return own ? { subject, keyIdentifier: derValues(own.content)[0]!.content } : { subject };
}

const ECDSA: Readonly<Record<string, readonly [id: string, hash: string]>> = {
  prime256v1: [ID.ecdsaWithSha256, "sha256"],
  secp384r1: ["1.2.840.10045.4.3.3", "sha384"],
  secp521r1: ["1.2.840.10045.4.3.4", "sha512"],
};

/**
 * Returns the algorithm identifier (DER) and the name of the hash for signatures by a key, as Go's
 * `crypto/x509` chooses them; the hash is `null` for Ed25519.
 *
 * @throws {Error} When the key is none of RSA, Ed25519, and ECDSA on P-256, P-384 or P-521.
 */
function signatureOf(key: KeyObject): { algorithm: Der; hash: string | null } {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve = "" } = {} } = key;
  if (type === "rsa") {
    const id = objectIdentifier("1.2.840.113549.1.1.11");
    return { algorithm: sequence(id, nothing()), hash: "sha256" };
  }
  if (type === "ed25519") {
    return { algorithm: sequence(objectIdentifier("1.3.101.112")), hash: null };
  }
  const ecdsa = type === "ec" ? ECDSA[namedCurve] : undefined;
  if (!ecdsa) throw new Error(`Cannot sign with a key of type ${type} ${namedCurve}`.trim());
  return { algorithm: sequence(objectIdentifier(ecdsa[0])), hash: ecdsa[1] };
}

function extensionsOf(
  request: CertificationRequest,
  usages: readonly string[],
  issuerKey: Uint8Array | undefined,
): Der[] {
  const unknown = usages.filter((usage) =>
    KEY_USAGE_BITS[usage] === undefined && EXTENDED_USAGES[usage] === undefined
  );
  if (unknown.length > 0) {
    throw new Error(`unrecognized usage values: ${unknown.toSorted().join(", ")}`);
  }
  const bits = usages.flatMap((usage) => KEY_USAGE_BITS[usage] ?? []);
  const extended = [...new Set(usages.flatMap((usage) => EXTENDED_USAGES[usage] ?? []))];
  const names = namesOf(request);
  const hasSubject = derValues(request.subject as Buffer)[0]!.content.length > 0;
  return [
    ...bits.length > 0 ? [extension(ID.keyUsage, namedBits(bits), true)] : [],
    ...extended.length > 0
      ? [extension(ID.extendedKeyUsage, sequence(...extended.map(objectIdentifier)))]
      : [],
    extension(ID.basicConstraints, sequence(), true),
    ...issuerKey ? [extension(ID.authorityKeyIdentifier, sequence(taggedBytes(0, issuerKey)))] : [],
    ...names.length > 0 ? [extension(ID.subjectAltName, sequence(...names), !hasSubject)] : [],
  ];
}

/**
 * Encodes a list of bit numbers as a BIT STRING in DER that ends with the highest of these bits.
 */
function namedBits(bits: readonly number[]): Der {
  const last = Math.max(...bits);
  const bytes = new Uint8Array((last >> 3) + 1);
  for (const bit of bits) bytes[bit >> 3]! |= 0x80 >> (bit & 7);
  return bitString(bytes, 7 - (last & 7));
}

function namesOf({ names: { dns, emails, ips, uris } }: CertificationRequest): Der[] {
  const texts = (tag: number, all: readonly string[]): Der[] =>
    all.map((text) => taggedBytes(tag, Uint8Array.from(text, (each) => each.charCodeAt(0))));
  return [
    ...texts(2, dns),
    ...texts(1, emails),
    ...ips.map((ip) => taggedBytes(7, ip)),
    ...texts(6, uris),
  ];
}
