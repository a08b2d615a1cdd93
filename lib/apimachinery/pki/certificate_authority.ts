import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { type Issuer, signCertificate } from "./certificate.ts";
import { generateKeys, type KeyKind, privatePem } from "./key_pair.ts";
import type { PemPair } from "./pem.ts";

const DAY_MS = 86_400_000;
/**
 * The time in milliseconds by which the validity of certificates begins before `now`, since the
 * clocks of two machines may differ.
 */
const LEEWAY_MS = 300_000;

/** Options of {@linkcode CertificateAuthority.create}, which creates a certificate authority. */
export interface CertificateAuthorityOptions {
  /**
   * The validity of the authority's own certificate, in days after the `now` that
   * {@linkcode CertificateAuthority.create} is called with. @default {1}
   */
  readonly days?: number;
}

/** Options of the certificates that a {@linkcode CertificateAuthority} signs. */
export interface SignOptions {
  /**
   * The time from which the days of the signed certificate's validity count. The validity begins
   * five minutes before.
   *
   * @default {the time that the authority was created with}
   */
  readonly now?: Date;
  /**
   * The validity of the signed certificate, in days after {@linkcode SignOptions.now}. @default {1}
   */
  readonly days?: number;
  /** The kind of the signed certificate's key. @default {"P-256"} */
  readonly kind?: KeyKind;
}

/**
 * A certificate authority in memory. By default certificates are valid for one day, and keys are
 * ECDSA on P-256.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { CertificateAuthority } from "@xca/apimachinery/pki";
 *
 * const authority = await CertificateAuthority.create("test-ca", new Date());
 * const { cert, key } = await authority.serving("localhost", ["localhost"], ["127.0.0.1"]);
 * assert.match(cert, /BEGIN CERTIFICATE/);
 * assert.match(key, /BEGIN PRIVATE KEY/);
 * ```
 */
export class CertificateAuthority {
  /** The certificate of the authority, as PEM text. */
  readonly cert: string;
  readonly #issuer: Issuer;
  readonly #now: Date;

  private constructor(cert: string, issuer: Issuer, now: Date) {
    this.cert = cert;
    this.#issuer = issuer;
    this.#now = now;
  }

  /**
   * Creates a certificate authority named `commonName` with a new key. The certificate of the
   * authority is valid from five minutes before `now` until `days` days after `now`.
   */
  static async create(
    commonName: string,
    now: Date,
    { days = 1 }: CertificateAuthorityOptions = {},
  ): Promise<CertificateAuthority> {
    const { privateKey, publicKey } = await generateKeys();
    const issuer = { subject: { commonName }, key: privateKey };
    const cert = signCertificate(
      { subject: issuer.subject, publicKey, usage: "authority", ...validity(now, days) },
      issuer,
    );
    return new CertificateAuthority(cert, issuer, now);
  }

  /**
   * Creates a certificate authority from its certificate and private key, which {@linkcode
   * CertificateAuthority.pair} returned earlier. `now` is the default of
   * {@linkcode SignOptions.now}; the certificate may have expired by then.
   *
   * @throws {Error} When the certificate or the key is unreadable, the key does not belong to the
   * certificate, or the key is not ECDSA on P-256.
   */
  static load({ cert, key }: PemPair, now: Date): CertificateAuthority {
    const certificate = new X509Certificate(cert);
    const privateKey = createPrivateKey(key);
    const { asymmetricKeyDetails, asymmetricKeyType } = privateKey;
    if (!certificate.publicKey.equals(createPublicKey(privateKey))) {
      throw new Error("Cannot use the authority: its key belongs to another certificate");
    }
    if (asymmetricKeyType !== "ec" || asymmetricKeyDetails?.namedCurve !== "prime256v1") {
      throw new Error("Cannot use the authority: its key is not ECDSA on P-256");
    }
    const { CN } = certificate.toLegacyObject().subject as { CN: string };
    return new CertificateAuthority(cert, { subject: { commonName: CN }, key: privateKey }, now);
  }

  /**
   * The certificate and the private key of the authority. The caller must store the pair where only
   * its owner can read the key.
   */
  get pair(): PemPair {
    return { cert: this.cert, key: privatePem(this.#issuer.key) };
  }

  /**
   * Generates a key and signs a serving certificate for it with DNS names and IP addresses. A
   * `Date` in place of the options is their `now`.
   *
   * @throws {TypeError} When an IP address is invalid.
   */
  serving(
    commonName: string,
    dns: readonly string[],
    ips: readonly string[],
    options: SignOptions | Date = {},
  ): Promise<PemPair> {
    const asked = options instanceof Date ? { now: options } : options;
    return this.#sign({ commonName }, "serverAuth", asked, { dns, ips });
  }

  /**
   * Generates a key and signs a client certificate for it. Kubernetes reads the common name as the
   * user, and the organizations as the user's groups. A key kind in place of the options is their
   * `kind`.
   */
  client(
    user: string,
    groups: readonly string[],
    options: SignOptions | KeyKind = {},
  ): Promise<PemPair> {
    const asked = typeof options === "string" ? { kind: options } : options;
    return this.#sign({ commonName: user, organizations: groups }, "clientAuth", asked);
  }

  async #sign(
    subject: Issuer["subject"] & { readonly organizations?: readonly string[] },
    usage: "serverAuth" | "clientAuth",
    { kind = "P-256", now = this.#now, days = 1 }: SignOptions,
    names?: { readonly dns: readonly string[]; readonly ips: readonly string[] },
  ): Promise<PemPair> {
    const { privateKey, publicKey } = await generateKeys(kind);
    const cert = signCertificate({
      subject,
      publicKey,
      usage,
      ...validity(now, days),
      ...(names && { names }),
    }, this.#issuer);
    return { cert, key: privatePem(privateKey) };
  }
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - LEEWAY_MS),
    notAfter: new Date(now.getTime() + days * DAY_MS),
  };
}
