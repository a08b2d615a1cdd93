import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import {
  bitString,
  type Der,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  tagged,
  taggedBytes,
  time,
  utf8String,
  yes,
} from "./der.ts";
import { pemText } from "./pem.ts";

/** The subject of a certificate: its common name and organizations. */
export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** The fields of a certificate that {@linkcode signCertificate} signs. */
export interface CertificateRequest {
  readonly subject: Subject;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /**
   * The purpose of the certificate's key; the purpose of an authority's key is to sign
   * certificates. If `undefined`, the certificate has none of the extensions basicConstraints,
   * keyUsage, extKeyUsage and authorityKeyIdentifier.
   */
  readonly usage?: "authority" | "serverAuth" | "clientAuth";
  /**
   * The DNS names and IP addresses that a serving certificate is valid for; absent for other
   * certificates.
   */
  readonly names?: { readonly dns: readonly string[]; readonly ips: readonly string[] };
}

/** The signer of certificates: its name and key, which is ECDSA on P-256. */
export interface Issuer {
  readonly subject: Subject;
  readonly key: KeyObject;
}

/** A record of the ASN.1 object identifiers in certificates (RFC 5280, RFC 5758) by short names. */
export const ID = {
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
} as const;

/**
 * Returns a signed certificate (X.509 version 3, ECDSA with SHA-256) as PEM text.
 *
 * @throws {TypeError} When an IP address is invalid.
 */
export function signCertificate(request: CertificateRequest, issuer: Issuer): string {
  const algorithm = sequence(objectIdentifier(ID.ecdsaWithSha256));
  const body = sequence(
    tagged(0, integer(Uint8Array.of(2))),
    integer(serialNumber()),
    algorithm,
    nameOf(issuer.subject),
    sequence(time(request.notBefore), time(request.notAfter)),
    nameOf(request.subject),
    spki(request.publicKey),
    tagged(3, sequence(...extensionsOf(request, issuer))),
  );
  const signature = sign("sha256", body, issuer.key);
  return pemText("CERTIFICATE", sequence(body, algorithm, bitString(signature)));
}

/**
 * Returns a random serial number of a certificate (128 bits), which is unique without a record of
 * earlier serial numbers.
 */
export function serialNumber(): Uint8Array {
  const bytes = randomBytes(16);
  bytes[0] = 0x40 | bytes[0]! & 0x3f; // Positive, and of constant length.
  return bytes;
}

function nameOf({ commonName, organizations = [] }: Subject): Der {
  const part = (id: string, text: string): Der =>
    setOf(sequence(objectIdentifier(id), utf8String(text)));
  return sequence(
    part(ID.commonName, commonName),
    ...organizations.map((name) => part(ID.organization, name)),
  );
}

function spki(key: KeyObject): Uint8Array {
  return key.export({ type: "spki", format: "der" });
}

/**
 * Returns the identifier of a public key (20 bytes) for the extensions of a certificate. RFC 5280
 * suggests the hash of the key's bits; this function hashes the whole key information, which is
 * equivalent, since the identifiers of issuer and subject are computed in the same way.
 */
function keyIdentifier(key: KeyObject): Uint8Array {
  return createHash("sha256").update(spki(key)).digest().subarray(0, 20);
}

function extensionsOf(request: CertificateRequest, issuer: Issuer): Der[] {
  const { usage, names, publicKey } = request;
  const extensions = [extension(ID.subjectKeyIdentifier, octetString(keyIdentifier(publicKey)))];
  if (usage === "authority") {
    extensions.push(extension(ID.basicConstraints, sequence(yes()), true));
    extensions.push(extension(ID.keyUsage, bitString(Uint8Array.of(0x04), 2), true));
  } else if (usage !== undefined) {
    const issuerKey = keyIdentifier(createPublicKey(issuer.key));
    extensions.push(extension(ID.basicConstraints, sequence(), true));
    extensions.push(extension(ID.keyUsage, bitString(Uint8Array.of(0x80), 7), true));
    extensions.push(extension(ID.extendedKeyUsage, sequence(objectIdentifier(ID[usage]))));
    extensions.push(extension(ID.authorityKeyIdentifier, sequence(taggedBytes(0, issuerKey))));
  }
  if (names) extensions.push(extension(ID.subjectAltName, sequence(...generalNames(names))));
  return extensions;
}

/** Returns an extension of a certificate, encoded in DER with its object identifier. */
export function extension(id: string, content: Der, critical = false): Der {
  return sequence(objectIdentifier(id), ...(critical ? [yes()] : []), octetString(content));
}

function generalNames(names: NonNullable<CertificateRequest["names"]>): Der[] {
  return [
    ...names.dns.map((name) => taggedBytes(2, new TextEncoder().encode(name))),
    ...names.ips.map((ip) => taggedBytes(7, addressBytes(ip))),
  ];
}

/**
 * Returns the 4 or 16 bytes that encode an IP address in a certificate.
 *
 * @throws {TypeError} When the text is not an IP address.
 */
function addressBytes(ip: string): Uint8Array {
  if (isIP(ip) === 4) return Uint8Array.from(ip.split("."), Number);
  if (isIP(ip) !== 6) {
    throw new TypeError(
      `Cannot put ${JSON.stringify(ip)} into a certificate: it is not an IP address`,
    );
  }
  // The URL parser returns the shortest form of an address, without dotted parts.
  const short = new URL(`http://[${ip}]`).hostname.slice(1, -1);
  const [head, tail] = short.split("::").map((half) => half === "" ? [] : half.split(":"));
  const groups = tail === undefined
    ? head!
    : [...head!, ...Array(8 - head!.length - tail.length).fill("0"), ...tail];
  return Uint8Array.from(groups.flatMap((group) => {
    const number = parseInt(group, 16);
    return [number >> 8, number & 0xff];
  }));
}
