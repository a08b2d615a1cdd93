import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { PemPair } from "./pem.ts";
import { certificatesIn, pemBlocks } from "./pem_blocks.ts";

/** The subject and validity of a certificate, as {@linkcode parseCertificate} returns them. */
export interface CertificateFacts {
  /** The common name of the certificate's subject; empty if the subject has none. */
  readonly commonName: string;
  /** The organizations of the certificate's subject; empty if the subject has none. */
  readonly organizations: readonly string[];
  /** The start of the certificate's validity. */
  readonly notBefore: Date;
  /** The end of the certificate's validity. */
  readonly notAfter: Date;
}

/**
 * Returns the subject and validity of the first certificate in a PEM text.
 *
 * @throws {Error} When `pem` does not contain a certificate.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { CertificateAuthority, parseCertificate } from "@xca/apimachinery/pki";
 *
 * const authority = await CertificateAuthority.create("test-ca", new Date());
 * const { cert } = await authority.client("jane", ["developers"]);
 * assert.deepEqual(parseCertificate(cert).organizations, ["developers"]);
 * ```
 */
export function parseCertificate(pem: string): CertificateFacts {
  const certificate = new X509Certificate(pem);
  return { ...subjectOf(certificate.toLegacyObject().subject), ...validityOf(certificate) };
}

/**
 * Returns the common name and the organizations of a certificate's subject, given in the form of
 * the runtime, where an attribute that occurs several times is a list. Of several common names the
 * first counts.
 */
export function subjectOf(
  subject: unknown,
): { commonName: string; organizations: readonly string[] } {
  const { CN, O } = (subject ?? {}) as Readonly<Record<string, string | string[] | undefined>>;
  const organizations = O === undefined ? [] : typeof O === "string" ? [O] : O;
  return { commonName: (typeof CN === "string" ? CN : CN?.[0]) ?? "", organizations };
}

function validityOf(certificate: X509Certificate): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(certificate.validFrom), notAfter: new Date(certificate.validTo) };
}

/** The requirements that {@linkcode checkPair} checks a certificate and its key against. */
export interface PairDemands {
  /** The time at which the certificate must be valid. */
  readonly at: Date;
  /**
   * The certificates of the authorities, as PEM text. One of them must have signed the certificate
   * or one of the intermediates through which its signatures lead. Without them, the signatures are
   * not checked.
   */
  readonly ca?: string;
  /**
   * The host names and IP addresses that the certificate must all be valid for. Without them, the
   * alternative names are not checked.
   */
  readonly hosts?: readonly string[];
}

/**
 * Returns the reason why a certificate and its key do not meet the requirements; `undefined` when
 * they do. The function checks the form of both texts, that the key belongs to the first
 * certificate, the dates of all certificates, the signatures up to the authority, and the
 * alternative names. The common name does not count, as for clients written in Go.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { CertificateAuthority, checkPair } from "@xca/apimachinery/pki";
 *
 * const now = new Date();
 * const authority = await CertificateAuthority.create("test-ca", now);
 * const pair = await authority.serving("localhost", ["localhost"], []);
 * assert.equal(checkPair(pair, { at: now, ca: authority.cert, hosts: ["localhost"] }), undefined);
 * assert.match(checkPair(pair, { at: now, hosts: ["example.com"] })!, /does not hold for example.com/);
 * ```
 */
export function checkPair(pair: PemPair, demands: PairDemands): string | undefined {
  const fault = faultOfCertificateText(pair.cert) ?? faultOfKeyText(pair.key);
  if (fault !== undefined) return fault;
  let chain: X509Certificate[];
  let key: KeyObject;
  try {
    chain = certificatesIn(pair.cert).map((text) => new X509Certificate(text));
    key = createPublicKey(createPrivateKey(pair.key));
  } catch (error) {
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  return faultOfKey(chain, key) ?? faultOfDates(chain, demands.at) ??
    (demands.ca ? faultOfChain(chain, demands.ca, demands.at) : undefined) ??
    faultOfNames(chain[0]!, demands.hosts ?? []);
}

function faultOfCertificateText(text: string): string | undefined {
  if (text.trim() === "") return "it cannot be read: the certificate is empty";
  const labels = pemBlocks(text).map(({ label }) => label);
  if (labels.includes("CERTIFICATE")) return undefined;
  return labels.some((label) => label.endsWith("PRIVATE KEY"))
    ? "it cannot be read: a private key stands where the certificate should be"
    : "it cannot be read: the certificate is not complete PEM text";
}

function faultOfKeyText(text: string): string | undefined {
  if (text.trim() === "") return "it cannot be read: the private key is empty";
  const blocks = pemBlocks(text);
  const key = blocks.find(({ label }) => label.endsWith("PRIVATE KEY"));
  if (key === undefined) {
    return blocks.some(({ label }) => label === "CERTIFICATE")
      ? "it cannot be read: a certificate stands where the private key should be"
      : "it cannot be read: the private key is not complete PEM text";
  }
  const isEncrypted = key.label.startsWith("ENCRYPTED") || /^Proc-Type:.*ENCRYPTED/m.test(key.text);
  return isEncrypted
    ? "the private key is encrypted with a password; store it without one"
    : undefined;
}

function faultOfKey(chain: readonly X509Certificate[], key: KeyObject): string | undefined {
  const index = chain.findIndex((certificate) => certificate.publicKey.equals(key));
  if (index === 0) return undefined;
  return index < 0
    ? "the key belongs to another certificate"
    : "the certificates are in the wrong order: that of the key must be the first";
}

function faultOfDates(chain: readonly X509Certificate[], at: Date): string | undefined {
  for (const [index, certificate] of chain.entries()) {
    const { notBefore, notAfter } = validityOf(certificate);
    const which = index === 0 ? "it" : `its intermediate ${oneLine(certificate.subject)}`;
    if (at < notBefore) {
      return `${which} is valid from ${notBefore.toISOString()} only, and it is ${at.toISOString()}`;
    }
    if (at > notAfter) return `${which} was valid until ${notAfter.toISOString()}`;
  }
  return undefined;
}

/**
 * Checks that signatures lead from the first certificate, over intermediates, to one of the
 * authorities, and that this authority is valid. Returns the problem; `undefined` when there is
 * none.
 */
function faultOfChain(
  chain: readonly X509Certificate[],
  ca: string,
  at: Date,
): string | undefined {
  let authorities: X509Certificate[];
  try {
    authorities = certificatesIn(ca).map((text) => new X509Certificate(text));
  } catch (error) {
    return `its authority cannot be read: ${
      error instanceof Error ? error.message : String(error)
    }`;
  }
  const unused = new Set(chain.slice(1));
  for (let current = chain[0]!;;) {
    if (authorities.some((each) => each.raw.equals(current.raw))) return undefined;
    const signer = authorities.find((each) => isSignedBy(current, each));
    if (signer) {
      const fault = faultOfDates([signer], at);
      return fault && `its authority ${oneLine(signer.subject)}: ${fault}`;
    }
    const next = [...unused].find((each) => each.ca && isSignedBy(current, each));
    if (!next) return "another authority signed it";
    unused.delete(next);
    current = next;
  }
}

/**
 * Reports whether `issuer` signed a certificate: its subject is the issuer's name in the
 * certificate, and its key verifies the signature. Dates and purposes are not checked.
 */
export function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  if (certificate.issuer !== issuer.subject) return false;
  try {
    return certificate.verify(issuer.publicKey);
  } catch {
    return false; // The key of the issuer is of another kind than the signature.
  }
}

function faultOfNames(
  certificate: X509Certificate,
  hosts: readonly string[],
): string | undefined {
  const names = alternativeNames(certificate);
  const missing = hosts.find((host) => !names.some((name) => matches(name, host)));
  if (missing === undefined) return undefined;
  const known = names.length > 0 ? names.join(", ") : "no alternative name at all";
  return `it does not hold for ${missing}, but for ${known}`;
}

/**
 * Returns the DNS names and IP addresses for which a certificate is valid, IPv6 addresses in the
 * notation of the runtime; the common name does not count.
 */
export function alternativeNames({ subjectAltName }: X509Certificate): string[] {
  return [...(subjectAltName ?? "").matchAll(/(?:DNS|IP Address):([^,]+)/g)].map(([, name]) =>
    name!
  );
}

/**
 * Reports whether a name in a certificate matches a host name. A wildcard stands for one label, the
 * first (RFC 6125, 6.4.3).
 */
function matches(name: string, host: string): boolean {
  if (isIP(host) !== 0) return isIP(name) !== 0 && sameAddress(name, host);
  const [wanted, given] = [host, name].map((each) => each.toLowerCase().replace(/\.$/, ""));
  if (!given!.startsWith("*.")) return given === wanted;
  const dot = wanted!.indexOf(".");
  return dot > 0 && wanted!.slice(dot) === given!.slice(1);
}

function sameAddress(one: string, other: string): boolean {
  const normal = (address: string): string =>
    isIP(address) === 6 ? new URL(`http://[${address}]`).hostname : address;
  return normal(one) === normal(other);
}

/**
 * Returns the subject of a certificate, whose attributes the runtime separates by newlines, in one
 * line.
 */
function oneLine(subject: string): string {
  return subject.replaceAll("\n", ", ");
}
