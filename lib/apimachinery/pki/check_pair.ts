import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { PemPair } from "./pem.ts";

/** The facts of a certificate, as {@linkcode parseCertificate} returns them. */
export interface CertificateFacts {
  /** The common name of the certificate's subject. */
  readonly commonName: string;
  /** The organizations of the certificate's subject. */
  readonly organizations: readonly string[];
  /** The start of the certificate's validity. */
  readonly notBefore: Date;
  /** The end of the certificate's validity. */
  readonly notAfter: Date;
}

/**
 * Parses a PEM certificate.
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
 * Returns the common name and the organizations of a certificate's subject in the form of the
 * runtime, where an attribute that occurs several times is a list.
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
  /** The authority that must have signed the certificate, as PEM text. */
  readonly ca?: string;
  /** The host names and IP addresses that the certificate must be valid for. */
  readonly hosts?: readonly string[];
}

/**
 * Returns the reason why a certificate and its key do not meet the requirements; `undefined` when
 * they do.
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
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pair.cert);
    if (!certificate.publicKey.equals(createPublicKey(createPrivateKey(pair.key)))) {
      return "the key belongs to another certificate";
    }
  } catch (error) {
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  const { notBefore, notAfter } = validityOf(certificate);
  if (demands.at < notBefore) return `it is valid from ${notBefore.toISOString()} only`;
  if (demands.at > notAfter) return `it was valid until ${notAfter.toISOString()}`;
  if (demands.ca && !certificate.verify(new X509Certificate(demands.ca).publicKey)) {
    return "another authority signed it";
  }
  const missing = demands.hosts?.find((host) => !holdsFor(certificate, host));
  return missing === undefined ? undefined : `it does not hold for ${missing}`;
}

function holdsFor(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
}
