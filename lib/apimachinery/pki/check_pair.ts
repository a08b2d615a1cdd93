import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { PemPair } from "./pem.ts";

/** What a certificate says. */
export interface CertificateFacts {
  /** The subject's name. */
  readonly commonName: string;
  /** The subject's organizations. */
  readonly organizations: readonly string[];
  /** From when it is valid. */
  readonly notBefore: Date;
  /** Until when it is valid. */
  readonly notAfter: Date;
}

/**
 * Reads a certificate.
 *
 * @throws {Error} When `pem` holds none.
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

/** Name and organizations of a subject as the runtime gives it: a part that stands twice is a list. */
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

/** What a pair must be good for. */
export interface PairDemands {
  /** The time at which it must be valid. */
  readonly at: Date;
  /** The authority that must have signed it, as PEM text. */
  readonly ca?: string;
  /** The names and addresses that it must hold for. */
  readonly hosts?: readonly string[];
}

/**
 * What is wrong with a certificate and its key; `undefined` when nothing is.
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
